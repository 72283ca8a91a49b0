import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import { controllerOf, type KubernetesObject } from './KubernetesObject.ts';
import type { GroupResource } from './ObjectKey.ts';

/**
 * The indexes that every ObjectStore keeps, each with at most one value an object, so that DynamoDB can hold them as local secondary
 * indexes, which it reads with strong consistency.
 *
 * - `controller`: the UID of the controller owner, or `''` for an object that has none (an orphan that a controller may adopt).
 * - `coOwned`: `'true'` for objects with an owner reference besides the controller's; what the garbage collector must look through when
 *   an owner goes, after the `controller` index.
 * - `selects`: for replica sets, replication controllers and deployments: the smallest `key=value` that their selector requires, or `'*'` if it
 *   requires none. An orphan's candidates stand under one of its own labels or under `'*'`.
 */
export type IndexName = 'controller' | 'coOwned' | 'selects';

const SELECTING = new Set<GroupResource>(['deployments.apps', 'replicasets.apps', 'replicationcontrollers']);

/** The index entries of an object; an index that does not hold the object is absent. Pure. */
export function indexValues(resource: GroupResource, object: KubernetesObject): Partial<Record<IndexName, string>> {
  const controller = controllerOf(object);
  const owners = object.metadata.ownerReferences ?? [];
  return {
    controller: controller?.uid ?? '',
    ...(owners.some((owner) => owner !== controller) && { coOwned: 'true' }),
    ...(SELECTING.has(resource) && { selects: requiredLabel(object) }),
  };
}

/** The `selects` values under which controllers of an object with these labels may stand. */
export function selectsCandidates(labels: Record<string, string> | undefined): string[] {
  return [...Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`), '*'];
}

function requiredLabel(object: KubernetesObject): string {
  const selector =
    (object['spec'] as { selector?: LabelSelector | Record<string, string> } | undefined)?.selector ?? {};
  const labels = object.kind === 'ReplicationController' ? selector : (selector as LabelSelector).matchLabels;
  const [smallest] = Object.entries((labels ?? {}) as Record<string, string>)
    .map(([key, value]) => `${key}=${value}`)
    .sort();
  return smallest ?? '*';
}
