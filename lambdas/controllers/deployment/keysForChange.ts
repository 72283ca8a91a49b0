import { selectsCandidates } from '../../objects/indexes.ts';
import { jsonEqual } from '../../objects/json.ts';
import { controllerOf, type KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { isEmptySelector, matchesLabelSelector } from '../../objects/selectors/labelSelector.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { progressDeadlineMs } from './assessProgress.ts';
import { hasInvalidImageName } from './autorollback/permanentFailure.ts';
import { isAutoRollbackOn } from './autorollback/rollbackMemory.ts';

/** The event handlers of Kubernetes' Deployment controller (`addReplicaSet`, `updateReplicaSet`, `deletePod`, …): the Deployments that a change concerns. Reads objects only if the change itself does not say which. */
export function keysForChange(
  registry: RegistryReader,
  change: Change,
): readonly KeyToSend[] | Promise<readonly KeyToSend[]> {
  switch (change.resource) {
    case 'deployments.apps':
      return [keyOf(change.after ?? change.before)];
    case 'replicasets.apps':
      return uniqueKeysForReplicaSet(registry, change);
    case 'pods':
      return keysForPod(registry, change);
    default:
      return [];
  }
}

async function uniqueKeysForReplicaSet(registry: RegistryReader, change: Change): Promise<readonly KeyToSend[]> {
  return unique(await keysForReplicaSet(registry, change));
}

function keysForReplicaSet(registry: RegistryReader, change: Change): Promise<KeyToSend[]> | KeyToSend[] {
  switch (change.type) {
    case 'ADDED':
      // First seen while it is being deleted, for example after a restart.
      if (change.after.metadata.deletionTimestamp !== undefined) return keysOfOwner(change.after);
      return keysOfOwnerOrSelectingDeployments(registry, change.after);
    case 'MODIFIED':
      return keysForUpdatedReplicaSet(registry, change);
    case 'DELETED':
      // The deletion of an orphan concerns no controller.
      return keysOfOwner(change.before);
  }
}

/** Both the former and the present owner are concerned. An orphan concerns the Deployments that select it when it becomes an orphan or its labels change. */
async function keysForUpdatedReplicaSet(
  registry: RegistryReader,
  { before, after }: Extract<Change, { type: 'MODIFIED' }>,
): Promise<KeyToSend[]> {
  if (before.metadata.resourceVersion === after.metadata.resourceVersion) return [];
  const ownerChanged = !jsonEqual(controllerOf(before), controllerOf(after));
  const former = ownerChanged ? keysOfOwner(before) : [];
  if (controllerOf(after)) return [...former, ...keysOfOwner(after)];
  const relabelled = !jsonEqual(before.metadata.labels ?? {}, after.metadata.labels ?? {});
  return ownerChanged || relabelled ? [...former, ...(await keysOfSelectingDeployments(registry, after))] : former;
}

async function keysOfOwnerOrSelectingDeployments(
  registry: RegistryReader,
  replicaSet: KubernetesObject,
): Promise<KeyToSend[]> {
  return controllerOf(replicaSet) ? keysOfOwner(replicaSet) : keysOfSelectingDeployments(registry, replicaSet);
}

/** By the reference's name, without reading the Deployment. If another Deployment has the name by now, its sync finds that out. */
function keysOfOwner(replicaSet: KubernetesObject): KeyToSend[] {
  const owner = controllerOf(replicaSet);
  return owner?.kind === 'Deployment' ? [keyNamed(replicaSet.metadata.namespace, owner.name)] : [];
}

/** `getDeploymentsForReplicaSet`: every Deployment that selects this orphan. An orphan without labels is not selected, and an empty selector selects nothing. */
async function keysOfSelectingDeployments(registry: RegistryReader, orphan: KubernetesObject): Promise<KeyToSend[]> {
  const { namespace = '', labels = {} } = orphan.metadata;
  if (Object.keys(labels).length === 0) return [];
  const lists = await Promise.all(
    selectsCandidates(labels).map((value) =>
      registry.list<Deployment>('deployments.apps', { namespace, index: { name: 'selects', value } }),
    ),
  );
  return lists
    .flatMap(({ items }) => items)
    .filter(({ spec }) => !isEmptySelector(spec?.selector) && matchesLabelSelector(spec?.selector, labels))
    .map(keyOf);
}

/**
 * Pods matter in two cases. When the last pod of a ReplicaSet is gone, a Recreate rollout may have waited for it. (Kubernetes checks whether the Deployment has no pods left at
 * all; checking one ReplicaSet is cheaper, and wakes the Deployment as early.) When a pod has an image name that cannot be parsed, automatic rollback need not wait.
 */
function keysForPod(registry: RegistryReader, change: Change): readonly KeyToSend[] | Promise<readonly KeyToSend[]> {
  if (change.type === 'DELETED') return keysForDeletedPod(registry, change.before);
  const turnedBad = hasInvalidImageName(change.after) && !(change.before && hasInvalidImageName(change.before));
  return turnedBad ? keysForBadPod(registry, change.after) : [];
}

async function keysForDeletedPod(registry: RegistryReader, pod: KubernetesObject): Promise<readonly KeyToSend[]> {
  const owned = await deploymentOfPod(registry, pod);
  if (owned?.deployment.spec?.strategy?.type !== 'Recreate') return [];
  return (await hasPods(registry, owned.replicaSet)) ? [] : [keyOf(owned.deployment)];
}

async function keysForBadPod(registry: RegistryReader, pod: KubernetesObject): Promise<readonly KeyToSend[]> {
  const owned = await deploymentOfPod(registry, pod);
  if (!owned || !isAutoRollbackOn(owned.deployment, progressDeadlineMs(owned.deployment))) return [];
  return [keyOf(owned.deployment)];
}

/** `getDeploymentForPod`: the controller of the pod's controller; `undefined` if either is gone or was replaced. */
async function deploymentOfPod(registry: RegistryReader, pod: KubernetesObject) {
  const { namespace = '' } = pod.metadata;
  const owner = controllerOf(pod);
  if (owner?.kind !== 'ReplicaSet') return undefined;
  const replicaSet = await registry.get<ReplicaSet>({ resource: 'replicasets.apps', namespace, name: owner.name });
  if (replicaSet?.metadata.uid !== owner.uid) return undefined;
  const ownersOwner = controllerOf(replicaSet);
  if (ownersOwner?.kind !== 'Deployment') return undefined;
  const key = { resource: 'deployments.apps', namespace, name: ownersOwner.name };
  const deployment = await registry.get<Deployment>(key);
  return deployment?.metadata.uid === ownersOwner.uid ? { replicaSet, deployment } : undefined;
}

async function hasPods(registry: RegistryReader, { metadata }: ReplicaSet): Promise<boolean> {
  const index = { name: 'controller', value: metadata.uid, ownerName: metadata.name } as const;
  const { items } = await registry.list('pods', { namespace: metadata.namespace ?? '', index, limit: 1 });
  return items.length > 0;
}

function keyOf({ metadata }: KubernetesObject): KeyToSend {
  return keyNamed(metadata.namespace, metadata.name);
}

function keyNamed(namespace: string | undefined, name: string): KeyToSend {
  return { key: { controller: 'deployment', namespace: namespace ?? '', name } };
}

function unique(keys: readonly KeyToSend[]): readonly KeyToSend[] {
  return [...new Map(keys.map((send) => [send.key.name, send])).values()];
}
