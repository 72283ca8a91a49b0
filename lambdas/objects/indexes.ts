import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import { controllerOf, type KubernetesObject } from './KubernetesObject.ts';
import type { GroupResource } from './ObjectKey.ts';
import { JOB_UID_LABEL } from './pods/jobPods.ts';
import { POD_TEMPLATE_HASH_LABEL } from './pods/podTemplateHash.ts';

/**
 * The indexes that every ObjectStore keeps. An object has at most one value in each index, so that DynamoDB can keep them as local secondary
 * indexes, the only ones that it reads with strong consistency.
 *
 * - `controller`: the UID of the controller owner, or `''` for an object that has none (an orphan that a controller may adopt).
 * - `coOwned`: `'true'` for objects with an owner reference other than that of a controller of a usual kind (`isControllerKind`). When an owner is deleted, the
 *   garbage collector searches this index and, if the owner is of such a kind, the `controller` index. So the deletions of a thousand pods need one search, not a thousand.
 * - `selects`: for replica sets, replication controllers, deployments, daemon sets and jobs, the smallest `key=value` that their selector requires, or `'*'` if it
 *   requires none. The controllers that may adopt an orphan are listed under one of its own labels or under `'*'`. For pods without a controller, `pod-template-hash=` and that label's value, or that of
 *   the label with a Job's UID, if they have one: a Deployment's ReplicaSet and a Job select no other orphans, and need not read all of them.
 *
 * DynamoDB keeps the values of an object's last write. So after a change of these rules it lists an object under its new value only once the object has been written again.
 */
export type IndexName = 'controller' | 'coOwned' | 'selects';

/** An index and a value of it. */
export interface IndexLookup {
  readonly name: IndexName;
  readonly value: string;
  /**
   * With `controller` and a UID: the controller's name. It is required for a cheap lookup, since a store may find objects by names that begin with their controller's. An object whose
   * reference has this UID and another name may be left out: such a reference is wrong, and the garbage collector treats its owner as absent.
   */
  readonly ownerName?: string;
}

/** The kinds whose objects control others in Kubernetes' own API. */
const CONTROLLER_KINDS = new Set([
  'CronJob',
  'DaemonSet',
  'Deployment',
  'Job',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
]);

/** Whether objects that have an owner of this kind as their controller, and no other owner, are found by the `controller` index only. */
export function isControllerKind(kind: string): boolean {
  return CONTROLLER_KINDS.has(kind);
}

const SELECTING = new Set<GroupResource>([
  'daemonsets.apps',
  'deployments.apps',
  'replicasets.apps',
  'replicationcontrollers',
  'jobs.batch',
]);

/** Returns the value of an object in each index; absent for an index that does not hold the object. Pure. */
export function indexValues(resource: GroupResource, object: KubernetesObject): Partial<Record<IndexName, string>> {
  const controller = controllerOf(object);
  const owners = object.metadata.ownerReferences ?? [];
  return {
    controller: controller?.uid ?? '',
    ...(owners.some((owner) => owner !== controller || !isControllerKind(owner.kind)) && { coOwned: 'true' }),
    ...(SELECTING.has(resource) && { selects: requiredLabel(object) }),
    ...(resource === 'pods' && !controller && selectsOrphan(object)),
  };
}

/** Returns the `selects` value of the orphans that a selector with these required labels may match; `undefined` if it is not known, and all orphans must be read. Pure. */
export function orphansSelected(matchLabels: Record<string, string> | undefined): string | undefined {
  const label = [POD_TEMPLATE_HASH_LABEL, JOB_UID_LABEL].find((name) => matchLabels?.[name] !== undefined);
  return label === undefined ? undefined : `${label}=${matchLabels?.[label]}`;
}

function selectsOrphan({ metadata }: KubernetesObject): { selects?: string } {
  const selects = orphansSelected(metadata.labels);
  return selects === undefined ? {} : { selects };
}

/** Returns the `selects` values under which a controller of an object with these labels can be listed. */
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
