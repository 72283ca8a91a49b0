import type { ObjectKey } from '../../objects/ObjectKey.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';

/** An object by place and UID: another one of that name is not meant. */
export interface ObjectIdentity extends ObjectKey {
  readonly uid: string;
}

/** The garbage collector's key for an object: `garbagecollector:default/pods/web-1/UID`. */
export function encodeCollectKey({ resource, namespace, name, uid }: ObjectIdentity): WorkKey {
  return { controller: 'garbagecollector', namespace, name: `${resource}/${name}/${uid}` };
}

/** The object that a key means; `undefined` for a key that the collector did not make. */
export function parseCollectKey(key: WorkKey): ObjectIdentity | undefined {
  const [resource, name, uid, ...rest] = key.name.split('/');
  if (!resource || !name || !uid || rest.length > 0) return undefined;
  return { resource, namespace: key.namespace, name, uid };
}
