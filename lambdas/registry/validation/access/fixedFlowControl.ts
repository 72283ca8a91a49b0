import type { FlowSchemaSpec, PriorityLevelConfigurationSpec } from 'kubernetes-types/flowcontrol/v1.js';

/** The specs that Kubernetes' API server keeps as they are, by name: `MandatoryPriorityLevelConfigurations` and `MandatoryFlowSchemas` of apiserver's package `bootstrap`. */

export const FIXED_LEVELS: Readonly<Record<string, PriorityLevelConfigurationSpec>> = {
  exempt: { type: 'Exempt' },
  'catch-all': {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } },
  },
};

/** Every request of these groups. */
function everything(groups: readonly string[]): NonNullable<FlowSchemaSpec['rules']> {
  const all = ['*'];
  return [
    {
      subjects: groups.map((name) => ({ kind: 'Group', group: { name } })),
      resourceRules: [{ verbs: all, apiGroups: all, resources: all, namespaces: all, clusterScope: true }],
      nonResourceRules: [{ verbs: all, nonResourceURLs: all }],
    },
  ];
}

export const FIXED_FLOWS: Readonly<Record<string, FlowSchemaSpec>> = {
  exempt: {
    priorityLevelConfiguration: { name: 'exempt' },
    matchingPrecedence: 1,
    rules: everything(['system:masters']),
  },
  'catch-all': {
    priorityLevelConfiguration: { name: 'catch-all' },
    matchingPrecedence: 10_000,
    distinguisherMethod: { type: 'ByUser' },
    rules: everything(['system:unauthenticated', 'system:authenticated']),
  },
};
