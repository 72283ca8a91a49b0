import type { Namespace, Node, Pod } from '../../objects/kinds.ts';
import type { Labels } from '../../objects/labelRequirement.ts';
import type { RegistryReader } from '../guardWrites.ts';
import { podInfoOf } from './framework/PodInfo.ts';
import { Snapshot } from './framework/Snapshot.ts';
import { isPending } from './isPlainPod.ts';
import type { DisruptionBudget } from './selectVictimsOnNode.ts';

/** What the scheduler decides by, besides the nodes. */
export interface ObservedPods {
  readonly pods: readonly Pod[];
  readonly namespaceLabels: ReadonlyMap<string, Labels>;
  readonly budgets: readonly DisruptionBudget[];
}

/** Lists all pods, and what the pods that wait need: the namespaces if a pod selects some by their labels, and the budgets if a pod may preempt others. */
export async function observePods(registry: RegistryReader): Promise<ObservedPods> {
  const { items: pods } = await registry.list<Pod>('pods');
  const waiting = pods.filter(isPending);
  if (waiting.length === 0) return { pods, namespaceLabels: new Map(), budgets: [] };
  const [namespaceLabels, budgets] = await Promise.all([
    pods.some((pod) => podInfoOf(pod).terms.selectsNamespaces) ? listNamespaceLabels(registry) : new Map(),
    mayPreempt(waiting, pods) ? listBudgets(registry) : [],
  ]);
  return { pods, namespaceLabels, budgets };
}

/** Puts the pods on the nodes. Pure. */
export function snapshotOf({ pods, namespaceLabels }: ObservedPods, nodes: readonly Node[]): Snapshot {
  return Snapshot.of(nodes, pods, namespaceLabels);
}

function mayPreempt(waiting: readonly Pod[], pods: readonly Pod[]): boolean {
  const highest = Math.max(...waiting.map(({ spec }) => spec?.priority ?? 0));
  return pods.some(({ spec }) => spec?.nodeName && (spec.priority ?? 0) < highest);
}

async function listBudgets(registry: RegistryReader): Promise<readonly DisruptionBudget[]> {
  return (await registry.list<DisruptionBudget>('poddisruptionbudgets.policy')).items;
}

async function listNamespaceLabels(registry: RegistryReader): Promise<ReadonlyMap<string, Labels>> {
  const { items } = await registry.list<Namespace>('namespaces');
  return new Map(items.map(({ metadata }) => [metadata.name, metadata.labels ?? {}]));
}
