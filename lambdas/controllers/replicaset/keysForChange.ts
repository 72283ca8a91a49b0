import type { OwnerReference } from 'kubernetes-types/meta/v1.js';
import { selectsCandidates } from '../../objects/indexes.ts';
import { jsonEqual } from '../../objects/json.ts';
import { controllerOf } from '../../objects/KubernetesObject.ts';
import type { Pod } from '../../objects/kinds.ts';
import { isPodReady } from '../../objects/pods/podState.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { type ReplicaOwner, type ReplicaOwnerKind, selectorOf } from './ReplicaOwner.ts';

type Keys = readonly KeyToSend[] | Promise<readonly KeyToSend[]>;

/**
 * Returns the keys that a change of an owner or of a pod concerns: Kubernetes' event handlers `addRS`, `updateRS`, `deleteRS`, `addPod`, `updatePod` and `deletePod`. A pod leads to its
 * controller by name, without a read. If another object has that name by now, its sync finds nothing to do.
 */
export function keysForChange(registry: RegistryReader, kind: ReplicaOwnerKind, change: Change): Keys {
  if (change.resource === kind.resource) return [keyTo(kind, subjectOf(change).metadata)];
  if (change.resource !== 'pods') return [];
  switch (change.type) {
    case 'ADDED':
      return addPod(registry, kind, change.after);
    case 'MODIFIED':
      return updatePod(registry, kind, change.before, change.after);
    case 'DELETED':
      return deletePod(kind, change.before);
    default:
      return change satisfies never;
  }
}

function addPod(registry: RegistryReader, kind: ReplicaOwnerKind, pod: Pod): Keys {
  // First seen while it is being deleted: an earlier change was missed.
  if (pod.metadata.deletionTimestamp !== undefined) return deletePod(kind, pod);
  const controller = controllerOf(pod);
  return controller ? resolveControllerRef(kind, pod, controller) : getPodReplicaSets(registry, kind, pod);
}

function updatePod(registry: RegistryReader, kind: ReplicaOwnerKind, before: Pod, after: Pod): Keys {
  if (before.metadata.resourceVersion === after.metadata.resourceVersion) return [];
  const labelsChanged = !sameLabels(before, after);
  if (after.metadata.deletionTimestamp !== undefined)
    return dedupe([...deletePod(kind, after), ...(labelsChanged ? deletePod(kind, before) : [])]);
  const [was, is] = [controllerOf(before), controllerOf(after)];
  const controllerChanged = !jsonEqual(was, is);
  const left = controllerChanged && was ? resolveControllerRef(kind, before, was) : [];
  if (is) {
    const known = [...left, ...resolveControllerRef(kind, after, is)];
    if (!hasBecomeReady(kind, before, after, is)) return dedupe(known);
    return wakeUpWhenAvailable(registry, kind, after, is).then((wakeUps) => dedupe([...known, ...wakeUps]));
  }
  if (!labelsChanged && !controllerChanged) return dedupe(left);
  return getPodReplicaSets(registry, kind, after).then((matching) => dedupe([...left, ...matching]));
}

function hasBecomeReady(kind: ReplicaOwnerKind, before: Pod, after: Pod, controller: OwnerReference): boolean {
  return controller.kind === kind.kind && !isPodReady(before) && isPodReady(after);
}

/** No controller is concerned by the deletion of an orphan. */
function deletePod(kind: ReplicaOwnerKind, pod: Pod): readonly KeyToSend[] {
  const controller = controllerOf(pod);
  return controller ? resolveControllerRef(kind, pod, controller) : [];
}

/** A pod that has just become ready is available `minReadySeconds` later, when the owner must look again. One second is added, because times are stored in whole seconds. */
async function wakeUpWhenAvailable(
  registry: RegistryReader,
  kind: ReplicaOwnerKind,
  after: Pod,
  controller: OwnerReference,
): Promise<readonly KeyToSend[]> {
  const key = { resource: kind.resource, namespace: after.metadata.namespace ?? '', name: controller.name };
  const owner = await registry.get<ReplicaOwner>(key);
  const seconds = owner?.metadata.uid === controller.uid ? (owner.spec?.minReadySeconds ?? 0) : 0;
  return seconds > 0
    ? [{ key: keyTo(kind, { ...after.metadata, name: controller.name }).key, delayMs: (seconds + 1) * 1000 }]
    : [];
}

function resolveControllerRef(kind: ReplicaOwnerKind, pod: Pod, controller: OwnerReference): readonly KeyToSend[] {
  return controller.kind === kind.kind ? [keyTo(kind, { ...pod.metadata, name: controller.name })] : [];
}

/** Returns the keys of all owners that might adopt the orphan. */
async function getPodReplicaSets(
  registry: RegistryReader,
  kind: ReplicaOwnerKind,
  pod: Pod,
): Promise<readonly KeyToSend[]> {
  const namespace = pod.metadata.namespace ?? '';
  const lists = await Promise.all(
    selectsCandidates(pod.metadata.labels).map((value) =>
      registry.list<ReplicaOwner>(kind.resource, { namespace, index: { name: 'selects', value } }),
    ),
  );
  const owners = lists.flatMap(({ items }) => items);
  return owners.filter((owner) => selectorOf(kind, owner)(pod)).map(({ metadata }) => keyTo(kind, metadata));
}

function keyTo(kind: ReplicaOwnerKind, { namespace = '', name }: { namespace?: string; name: string }): KeyToSend {
  return { key: { controller: kind.controller, namespace, name } };
}

function dedupe(keys: readonly KeyToSend[]): readonly KeyToSend[] {
  return [...new Map(keys.map((key) => [`${key.key.name} ${key.delayMs ?? 0}`, key])).values()];
}

function sameLabels(a: Pod, b: Pod): boolean {
  const [one, other] = [a.metadata.labels ?? {}, b.metadata.labels ?? {}];
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
