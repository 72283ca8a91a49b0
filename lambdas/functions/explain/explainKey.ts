import type { ControllerRoom } from '../../controllers/ControllerRoom.ts';
import { CONTROLLER_NAMES, controllerRooms } from '../../controllers/controllerRooms.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';

/**
 * Parses `deployment/default/web`, or `deployment/web` for the namespace `default`; plural and short names are accepted too. `namespace/NAME` and `crd/NAME` have no namespace. The garbage
 * collector's keys are `garbagecollector/NAMESPACE/RESOURCE/NAME/UID`. Throws a TypeError for a text that is no key. Pure.
 */
export function parseExplainKey(text: string): WorkKey {
  const [kind = '', ...place] = text.split('/');
  const room = roomOf(kind);
  if (!room) {
    throw new TypeError(`no controller works on ${JSON.stringify(kind)}; there are ${CONTROLLER_NAMES.join(', ')}`);
  }
  const [first = '', ...rest] = place;
  const { name: controller, isClusterScoped, keysNameNamespaces } = room;
  const form = isClusterScoped ? `${controller}/NAME` : `${controller}/NAMESPACE/NAME`;
  if (place.length === 0 || first === '' || rest.includes('')) {
    throw new TypeError(`${JSON.stringify(text)} must have the form ${form}`);
  }
  if (isClusterScoped) return { controller, namespace: '', name: place.join('/') };
  if (keysNameNamespaces) return { controller, namespace: first, name: rest[0] ?? first };
  return rest.length === 0
    ? { controller, namespace: 'default', name: first }
    : { controller, namespace: first, name: rest.join('/') };
}

/** The key as a user writes it, which `parseExplainKey` reads. Pure. */
export function formatExplainKey({ controller, namespace, name }: WorkKey): string {
  return [controller, ...(namespace === '' ? [] : [namespace]), name].join('/');
}

/** Returns the room that has this name, its plural or one of its short names. */
function roomOf(kind: string): ControllerRoom | undefined {
  const name = (kind.split('.')[0] ?? '').toLowerCase();
  const rooms: readonly ControllerRoom[] = controllerRooms;
  return (
    rooms.find((room) => room.name === name || `${room.name}s` === name) ??
    rooms.find(({ shortNames }) => shortNames?.includes(name))
  );
}
