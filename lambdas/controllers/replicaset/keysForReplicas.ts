import type { OwnerReference } from 'kubernetes-types/meta/v1.js';
import { selectsCandidates } from '../../objects/indexes.ts';
import { controllerOf } from '../../objects/KubernetesObject.ts';
import type { Pod } from '../../objects/kinds.ts';
import { isPodReady } from '../../objects/podState.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { RegistryReader } from '../guardWrites.ts';
import type { ReplicaOwner, ReplicaOwnerKind } from './ReplicaOwner.ts';
import { selects } from './selects.ts';

/**
 * The keys that a change of an owner or of a pod concerns: Kubernetes' `addRS`, `updateRS`, `deleteRS`, `addPod`, `updatePod` and `deletePod`. A pod leads to its
 * controller by name, without a read; should another one have that name now, its sync finds nothing to do.
 */
export async function keysForReplicas(
  registry: RegistryReader,
  kind: ReplicaOwnerKind,
  change: Change,
): Promise<readonly KeyToSend[]> {
  if (change.resource === kind.resource) return [keyTo(kind, subjectOf(change).metadata)];
  if (change.resource !== 'pods') return [];
  switch (change.type) {
    case 'ADDED':
      return await keysForAdded(registry, kind, change.after);
    case 'MODIFIED':
      return await keysForModified(registry, kind, change.before, change.after);
    case 'DELETED':
      return keysForDeleted(kind, change.before);
    default:
      return change satisfies never;
  }
}

async function keysForAdded(registry: RegistryReader, kind: ReplicaOwnerKind, pod: Pod): Promise<readonly KeyToSend[]> {
  // Added while it is on its way out: seen for the first time by a reader that came late.
  if (pod.metadata.deletionTimestamp !== undefined) return keysForDeleted(kind, pod);
  const controller = controllerOf(pod);
  return controller ? keysOfController(kind, pod, controller) : await keysOfMatching(registry, kind, pod);
}

async function keysForModified(
  registry: RegistryReader,
  kind: ReplicaOwnerKind,
  before: Pod,
  after: Pod,
): Promise<readonly KeyToSend[]> {
  if (before.metadata.resourceVersion === after.metadata.resourceVersion) return [];
  const labelsChanged = !sameLabels(before, after);
  if (after.metadata.deletionTimestamp !== undefined)
    return dedupe([...keysForDeleted(kind, after), ...(labelsChanged ? keysForDeleted(kind, before) : [])]);
  const [was, is] = [controllerOf(before), controllerOf(after)];
  const controllerChanged = JSON.stringify(was) !== JSON.stringify(is);
  const left = controllerChanged && was ? keysOfController(kind, before, was) : [];
  if (is)
    return dedupe([
      ...left,
      ...keysOfController(kind, after, is),
      ...(await wakeUp(registry, kind, before, after, is)),
    ]);
  const matching = labelsChanged || controllerChanged ? await keysOfMatching(registry, kind, after) : [];
  return dedupe([...left, ...matching]);
}

/** Nobody cares about an orphan that goes. */
function keysForDeleted(kind: ReplicaOwnerKind, pod: Pod): readonly KeyToSend[] {
  const controller = controllerOf(pod);
  return controller ? keysOfController(kind, pod, controller) : [];
}

/** A pod that has just become ready is available `minReadySeconds` later: the owner looks again then, and a second later, as times are kept in whole seconds. */
async function wakeUp(
  registry: RegistryReader,
  kind: ReplicaOwnerKind,
  before: Pod,
  after: Pod,
  controller: OwnerReference,
): Promise<readonly KeyToSend[]> {
  if (controller.kind !== kind.kind || isPodReady(before) || !isPodReady(after)) return [];
  const key = { resource: kind.resource, namespace: after.metadata.namespace ?? '', name: controller.name };
  const owner = await registry.get<ReplicaOwner>(key);
  const seconds = owner?.metadata.uid === controller.uid ? (owner.spec?.minReadySeconds ?? 0) : 0;
  return seconds > 0
    ? [{ key: keyTo(kind, { ...after.metadata, name: controller.name }).key, delayMs: (seconds + 1) * 1000 }]
    : [];
}

function keysOfController(kind: ReplicaOwnerKind, pod: Pod, controller: OwnerReference): readonly KeyToSend[] {
  return controller.kind === kind.kind ? [keyTo(kind, { ...pod.metadata, name: controller.name })] : [];
}

/** All owners that might adopt the orphan. */
async function keysOfMatching(
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
  return owners.filter((owner) => selects(kind, owner)(pod)).map(({ metadata }) => keyTo(kind, metadata));
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
