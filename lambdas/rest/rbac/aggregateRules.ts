import type { AggregationRule, ClusterRole as ApiClusterRole, PolicyRule } from 'kubernetes-types/rbac/v1.js';
import type { Stored } from '../../objects/KubernetesObject.ts';
import { compileLabelSelector } from '../../objects/selectors/labelSelector.ts';

export type ClusterRole = Stored<ApiClusterRole>;

/**
 * Returns the rules of a role that others are added to: its own, and those of all roles that its selectors choose, each once. What is added to view is part of edit and of admin, because edit chooses view. Pure.
 * Kubernetes' controller writes these rules into the role; here they are collected on demand, so they are never stale.
 */
export function aggregateRules(role: ClusterRole, all: readonly ClusterRole[]): readonly PolicyRule[] {
  const reached = new Set([role]);
  // A Set also yields what is added while it is iterated.
  for (const { aggregationRule } of reached)
    if (aggregationRule) for (const chosen of chosenBy(aggregationRule, all)) reached.add(chosen);
  const rules = [...reached].flatMap(({ rules: some }) => some ?? []);
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

function chosenBy({ clusterRoleSelectors = [] }: AggregationRule, all: readonly ClusterRole[]): readonly ClusterRole[] {
  const selectors = clusterRoleSelectors.map(compileLabelSelector);
  return all.filter(({ metadata }) => selectors.some((matches) => matches(metadata.labels ?? {})));
}
