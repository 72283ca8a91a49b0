import { BUDGETS, observeBudget } from '../disruption/syncBudget.ts';
import type { BudgetFacts, PodDisruptionBudget } from '../disruption/expectedPods.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import type { ResourceCatalog } from '../../registry/ResourceCatalog.ts';

/** What `kubectl drain` would meet on a node. */
export interface NodeFacts {
  readonly node: Node;
  /** The pods that run on it. */
  readonly pods: readonly Pod[];
  /** The budgets of the pods' namespaces. */
  readonly budgets: readonly BudgetFacts[];
}

/** Reads the pods of a node, and the budgets of their namespaces. */
export async function observeNode(registry: RegistryReader, catalog: ResourceCatalog, node: Node): Promise<NodeFacts> {
  const all = await registry.list<Pod>('pods', {});
  const pods = all.items.filter(({ spec }) => spec?.nodeName === node.metadata.name);
  const namespaces = [...new Set(pods.map(({ metadata }) => metadata.namespace ?? ''))];
  const lists = await Promise.all(
    namespaces.map((namespace) => registry.list<PodDisruptionBudget>(BUDGETS, { namespace })),
  );
  const budgets = lists.flatMap(({ items }) => items);
  return { node, pods, budgets: await Promise.all(budgets.map((budget) => observeBudget(registry, catalog, budget))) };
}
