import type { Namespace, Node, Pod } from '../../objects/kinds.ts';
import type { Labels } from '../../objects/labelRequirement.ts';
import type { RegistryReader } from '../guardWrites.ts';
import { podInfoOf } from './framework/PodInfo.ts';
import { Snapshot } from './framework/Snapshot.ts';
import {
  type Claim,
  claimsUsedBy,
  NO_VOLUMES,
  type StorageClass,
  type Volume,
  type Volumes,
} from './framework/Volumes.ts';
import { isPending } from './isPlainPod.ts';
import type { DisruptionBudget } from './selectVictimsOnNode.ts';

/** What the scheduler reads before it decides. The nodes are read elsewhere. */
export interface ObservedPods {
  readonly pods: readonly Pod[];
  readonly namespaceLabels: ReadonlyMap<string, Labels>;
  readonly volumes: Volumes;
  readonly budgets: readonly DisruptionBudget[];
}

/** Lists all pods, and what the pods that wait need: the namespaces if a pod selects some by their labels, the volumes if one has claims, and the budgets if one may preempt others. */
export async function observePods(registry: RegistryReader): Promise<ObservedPods> {
  const { items: pods } = await registry.list<Pod>('pods');
  const waiting = pods.filter(isPending);
  if (waiting.length === 0) return { pods, namespaceLabels: new Map(), volumes: NO_VOLUMES, budgets: [] };
  const [namespaceLabels, volumes, budgets] = await Promise.all([
    pods.some((pod) => podInfoOf(pod).terms.selectsNamespaces) ? listNamespaceLabels(registry) : new Map(),
    waiting.some((pod) => claimsUsedBy(pod).length > 0) ? listVolumes(registry) : NO_VOLUMES,
    mayPreempt(waiting, pods) ? listBudgets(registry) : [],
  ]);
  return { pods, namespaceLabels, volumes, budgets };
}

/** Puts the pods on the nodes. Pure. */
export function snapshotOf(observed: ObservedPods, nodes: readonly Node[]): Snapshot {
  return Snapshot.of(nodes, observed.pods, observed);
}

function mayPreempt(waiting: readonly Pod[], pods: readonly Pod[]): boolean {
  const highest = Math.max(...waiting.map(({ spec }) => spec?.priority ?? 0));
  return pods.some(({ spec }) => spec?.nodeName && (spec.priority ?? 0) < highest);
}

async function listVolumes(registry: RegistryReader): Promise<Volumes> {
  const [claims, volumes, classes] = await Promise.all([
    registry.list<Claim>('persistentvolumeclaims'),
    registry.list<Volume>('persistentvolumes'),
    registry.list<StorageClass>('storageclasses.storage.k8s.io'),
  ]);
  return {
    claims: new Map(claims.items.map((one) => [`${one.metadata.namespace ?? ''}/${one.metadata.name}`, one])),
    volumes: new Map(volumes.items.map((one) => [one.metadata.name, one])),
    classes: new Map(classes.items.map((one) => [one.metadata.name, one])),
  };
}

async function listBudgets(registry: RegistryReader): Promise<readonly DisruptionBudget[]> {
  return (await registry.list<DisruptionBudget>('poddisruptionbudgets.policy')).items;
}

async function listNamespaceLabels(registry: RegistryReader): Promise<ReadonlyMap<string, Labels>> {
  const { items } = await registry.list<Namespace>('namespaces');
  return new Map(items.map(({ metadata }) => [metadata.name, metadata.labels ?? {}]));
}
