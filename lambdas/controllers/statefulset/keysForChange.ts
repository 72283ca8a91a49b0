import { jsonEqual } from '../../objects/json.ts';
import { controllerOf, type KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Pod, StatefulSet } from '../../objects/kinds.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { CONTROLLER_REVISIONS } from '../history/claimRevisions.ts';
import { podMatcher, STATEFUL_SETS } from './observeStatefulSet.ts';
import { parsePodName } from './podIdentity.ts';

type Keys = readonly KeyToSend[] | Promise<readonly KeyToSend[]>;

/**
 * Returns the keys that a change concerns: the event handlers `addPod`, `updatePod`, `deletePod` and those of the sets. A pod leads to its set by the name of its controller, without a read; if another set has that name by now, it
 * may wait for the pod's name. An orphan leads to the set of its own name, if that selects it. Kubernetes looks neither at revisions nor at claims: here a revision that is gone is stored again, and a claim that goes with its pod
 * makes room for the next one.
 */
export function keysForChange(registry: RegistryReader, change: Change): Keys {
  const { resource } = change;
  if (resource === STATEFUL_SETS) return [keyTo(subjectOf(change), subjectOf(change).metadata.name)];
  if (resource === CONTROLLER_REVISIONS) return change.type === 'DELETED' ? keysOfController(subjectOf(change)) : [];
  if (resource === 'persistentvolumeclaims') return change.type === 'DELETED' ? keysOfClaim(subjectOf(change)) : [];
  if (resource !== 'pods') return [];
  const { before, after } = change as { readonly before?: Pod; readonly after?: Pod };
  const known = dedupe([...(before ? keysOfController(before) : []), ...(after ? keysOfController(after) : [])]);
  return after && mayBeAdopted(before, after) ? withSelecting(registry, after, known) : known;
}

function keysOfController(object: KubernetesObject): readonly KeyToSend[] {
  const controller = controllerOf(object);
  return controller?.kind === 'StatefulSet' ? [keyTo(object, controller.name)] : [];
}

/** A claim that a pod controlled, since its set was scaled down, or the set itself. */
function keysOfClaim(claim: KubernetesObject): readonly KeyToSend[] {
  const controller = controllerOf(claim);
  if (controller?.kind !== 'Pod') return keysOfController(claim);
  const parent = parsePodName(controller.name)?.parent;
  return parent === undefined ? [] : [keyTo(claim, parent)];
}

/** True for an orphan that is new, or has changed its labels or lost its controller, and whose name a set's pod may have. */
function mayBeAdopted(before: Pod | undefined, after: Pod): boolean {
  if (controllerOf(after) || after.metadata.deletionTimestamp !== undefined) return false;
  if (before && !controllerOf(before) && jsonEqual(before.metadata.labels, after.metadata.labels)) return false;
  return parsePodName(after.metadata.name) !== undefined;
}

/** `getStatefulSetsForPod`: a set takes only pods with its own name, so there is one at most. */
async function withSelecting(
  registry: RegistryReader,
  pod: Pod,
  known: readonly KeyToSend[],
): Promise<readonly KeyToSend[]> {
  const { namespace = '', name } = pod.metadata;
  const parent = parsePodName(name)?.parent ?? '';
  const set = await registry.get<StatefulSet>({ resource: STATEFUL_SETS, namespace, name: parent });
  return set && podMatcher(set)(pod) ? dedupe([...known, keyTo(pod, parent)]) : known;
}

function keyTo({ metadata: { namespace = '' } }: KubernetesObject, name: string): KeyToSend {
  return { key: { controller: 'statefulset', namespace, name } };
}

function dedupe(keys: readonly KeyToSend[]): readonly KeyToSend[] {
  return keys.length < 2 ? keys : [...new Map(keys.map((key) => [key.key.name, key])).values()];
}
