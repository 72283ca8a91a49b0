import type {
  FlowDistinguisherMethod,
  FlowSchemaSpec,
  LimitedPriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  ResourcePolicyRule,
  Subject,
} from 'kubernetes-types/flowcontrol/v1.js';
import { FIXED_FLOWS, FIXED_LEVELS } from '../../registry/validation/access/fixedFlowControl.ts';

/** The schemas and levels that every API server of Kubernetes has, by name: those of apiserver's package `bootstrap-v134`, the configuration since 1.34. */

const ALL = ['*'];
const NODES: readonly Subject[] = groups('system:nodes');
const CONTROLLER_MANAGER = users('system:kube-controller-manager');
const SCHEDULER = users('system:kube-scheduler');
const EVERYBODY = groups('system:unauthenticated', 'system:authenticated');
const LEASES: ResourcePolicyRule = inNamespaces(['get', 'create', 'update'], ['coordination.k8s.io'], ['leases']);

/** `nominalConcurrencyShares` of each level, how much of them it lends, and its queues. */
const SUGGESTED_LEVELS: Readonly<Record<string, PriorityLevelConfigurationSpec>> = {
  system: queued(40, 50, { queues: 64, handSize: 6 }),
  'node-high': queued(60, 50, { queues: 64, handSize: 6 }),
  'leader-election': queued(50, 80, { queues: 16, handSize: 4 }),
  'workload-high': queued(40, 50, { queues: 128, handSize: 6 }),
  event: queued(5, 0, { queues: 31, handSize: 3 }, { borrowingLimitPercent: 100 }),
  'workload-low': queued(40, 75, { queues: 128, handSize: 6 }),
  'global-default': queued(10, 50, { queues: 128, handSize: 6 }),
};

/** In the order of their precedence. */
const SUGGESTED_FLOWS: Readonly<Record<string, FlowSchemaSpec>> = {
  probes: {
    ...at(2, 'exempt'),
    rules: [
      {
        subjects: [...EVERYBODY],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
      },
    ],
  },
  'system-leader-election': {
    ...at(100, 'leader-election', 'ByUser'),
    rules: [{ subjects: [...CONTROLLER_MANAGER, ...SCHEDULER, ...kubeSystem('*')], resourceRules: [LEASES] }],
  },
  'endpoint-controller': {
    ...at(150, 'workload-high', 'ByUser'),
    rules: [
      {
        subjects: [...CONTROLLER_MANAGER, ...kubeSystem('endpoint-controller', 'endpointslicemirroring-controller')],
        resourceRules: [inNamespaces(['get', 'create', 'update'], [''], ['endpoints'])],
      },
    ],
  },
  'workload-leader-election': {
    ...at(200, 'leader-election', 'ByUser'),
    rules: [
      {
        subjects: kubeSystem('*'),
        resourceRules: [inNamespaces(['get', 'create', 'update'], [''], ['endpoints', 'configmaps']), LEASES],
      },
    ],
  },
  'system-node-high': {
    ...at(400, 'node-high', 'ByUser'),
    rules: [
      {
        subjects: [...NODES],
        resourceRules: [
          { ...inNamespaces(ALL, [''], ['nodes', 'nodes/status']), clusterScope: true },
          inNamespaces(ALL, ['coordination.k8s.io'], ['leases']),
        ],
      },
    ],
  },
  events: {
    ...at(450, 'event', 'ByUser'),
    rules: [
      {
        subjects: groups('system:authenticated'),
        resourceRules: [inNamespaces(['create', 'update', 'patch', 'delete'], ['', 'events.k8s.io'], ['events'])],
      },
    ],
  },
  'system-nodes': { ...at(500, 'system', 'ByUser'), rules: everythingOf(NODES) },
  'kube-controller-manager': {
    ...at(800, 'workload-high', 'ByNamespace'),
    rules: everythingOf(CONTROLLER_MANAGER),
  },
  'kube-scheduler': { ...at(800, 'workload-high', 'ByNamespace'), rules: everythingOf(SCHEDULER) },
  'kube-system-service-accounts': {
    ...at(900, 'workload-high', 'ByNamespace'),
    rules: everythingOf(kubeSystem('*')),
  },
  'service-accounts': { ...at(9_000, 'workload-low', 'ByUser'), rules: everythingOf(groups('system:serviceaccounts')) },
  'global-default': { ...at(9_900, 'global-default', 'ByUser'), rules: everythingOf(EVERYBODY) },
};

/** All schemas, by name. */
export const DEFAULT_FLOWS: Readonly<Record<string, FlowSchemaSpec>> = { ...FIXED_FLOWS, ...SUGGESTED_FLOWS };

/** All levels, by name. */
export const DEFAULT_LEVELS: Readonly<Record<string, PriorityLevelConfigurationSpec>> = {
  ...FIXED_LEVELS,
  ...SUGGESTED_LEVELS,
};

function queued(
  nominalConcurrencyShares: number,
  lendablePercent: number,
  queues: { readonly queues: number; readonly handSize: number },
  more: Partial<LimitedPriorityLevelConfiguration> = {},
): PriorityLevelConfigurationSpec {
  const limitResponse = { type: 'Queue', queuing: { ...queues, queueLengthLimit: 50 } };
  return { type: 'Limited', limited: { nominalConcurrencyShares, lendablePercent, ...more, limitResponse } };
}

function at(
  matchingPrecedence: number,
  level: string,
  type?: FlowDistinguisherMethod['type'],
): Pick<FlowSchemaSpec, 'priorityLevelConfiguration' | 'matchingPrecedence' | 'distinguisherMethod'> {
  return {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence,
    ...(type !== undefined && { distinguisherMethod: { type } }),
  };
}

function everythingOf(subjects: readonly Subject[]): NonNullable<FlowSchemaSpec['rules']> {
  return [
    {
      subjects: [...subjects],
      resourceRules: [{ ...inNamespaces(ALL, ALL, ALL), clusterScope: true }],
      nonResourceRules: [{ verbs: ALL, nonResourceURLs: ALL }],
    },
  ];
}

function inNamespaces(verbs: string[], apiGroups: string[], resources: string[]): ResourcePolicyRule {
  return { verbs, apiGroups, resources, namespaces: ALL };
}

function groups(...names: readonly string[]): Subject[] {
  return names.map((name) => ({ kind: 'Group', group: { name } }));
}

function users(...names: readonly string[]): Subject[] {
  return names.map((name) => ({ kind: 'User', user: { name } }));
}

function kubeSystem(...names: readonly string[]): Subject[] {
  return names.map((name) => ({ kind: 'ServiceAccount', serviceAccount: { name, namespace: 'kube-system' } }));
}
