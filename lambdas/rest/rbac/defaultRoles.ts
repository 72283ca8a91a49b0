import type { ClusterRole, ClusterRoleBinding, PolicyRule, Subject } from 'kubernetes-types/rbac/v1.js';
import { BOOTSTRAP_BINDINGS, COMPONENT_RULES, COMPONENT_SUBJECTS } from './componentRoles.ts';
import { EVERYTHING, MASTERS_GROUP } from './UserInfo.ts';

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const RBAC_GROUP = 'rbac.authorization.k8s.io';
const WORKLOAD_GROUPS = ['apps', 'extensions'];

const rule = (verbs: string[], apiGroups: string[], resources: string[]): PolicyRule => ({
  verbs,
  apiGroups,
  resources,
});

const VIEW: PolicyRule[] = [
  rule(
    READ,
    [''],
    [
      'bindings',
      'configmaps',
      'endpoints',
      'persistentvolumeclaims',
      'persistentvolumeclaims/status',
      'pods',
      'pods/log',
      'pods/status',
      'replicationcontrollers',
      'replicationcontrollers/scale',
      'replicationcontrollers/status',
      'serviceaccounts',
      'services',
      'services/status',
      'events',
      'limitranges',
      'namespaces',
      'namespaces/status',
      'resourcequotas',
      'resourcequotas/status',
    ],
  ),
  rule(READ, WORKLOAD_GROUPS, [
    'deployments',
    'deployments/scale',
    'deployments/status',
    'replicasets',
    'replicasets/scale',
    'replicasets/status',
  ]),
  rule(
    READ,
    ['apps'],
    [
      'controllerrevisions',
      'daemonsets',
      'daemonsets/status',
      'statefulsets',
      'statefulsets/scale',
      'statefulsets/status',
    ],
  ),
  rule(READ, ['autoscaling'], ['horizontalpodautoscalers', 'horizontalpodautoscalers/status']),
  rule(READ, ['batch'], ['cronjobs', 'cronjobs/status', 'jobs', 'jobs/status']),
  rule(READ, ['discovery.k8s.io'], ['endpointslices']),
  rule(READ, ['networking.k8s.io'], ['ingresses', 'ingresses/status', 'networkpolicies']),
  rule(READ, ['policy'], ['poddisruptionbudgets', 'poddisruptionbudgets/status']),
  // As metrics-server adds it.
  rule(['get', 'list'], ['metrics.k8s.io'], ['nodes', 'pods']),
];

const EDIT: PolicyRule[] = [
  ...VIEW,
  rule(
    WRITE,
    [''],
    [
      'configmaps',
      'persistentvolumeclaims',
      'pods',
      'pods/attach',
      'pods/exec',
      'pods/portforward',
      'pods/proxy',
      'replicationcontrollers',
      'replicationcontrollers/scale',
      'secrets',
      'serviceaccounts',
      'services',
      'services/proxy',
      'events',
    ],
  ),
  rule(['create'], [''], ['pods/eviction']),
  // Reading secrets, and reaching into pods, is for those who may edit; view does not include it.
  rule(READ, [''], ['secrets', 'pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy', 'services/proxy']),
  rule(['impersonate'], [''], ['serviceaccounts']),
  rule(['create'], [''], ['serviceaccounts/token']),
  rule(WRITE, WORKLOAD_GROUPS, [
    'deployments',
    'deployments/rollback',
    'deployments/scale',
    'replicasets',
    'replicasets/scale',
  ]),
  rule(WRITE, ['apps'], ['daemonsets', 'statefulsets', 'statefulsets/scale']),
  rule(WRITE, ['autoscaling'], ['horizontalpodautoscalers']),
  rule(WRITE, ['batch'], ['cronjobs', 'jobs']),
  rule(WRITE, ['networking.k8s.io'], ['ingresses', 'networkpolicies']),
  rule(WRITE, ['policy'], ['poddisruptionbudgets']),
  rule([...READ, ...WRITE], ['coordination.k8s.io'], ['leases']),
];

const ADMIN: PolicyRule[] = [
  ...EDIT,
  rule(['create'], ['authorization.k8s.io'], ['localsubjectaccessreviews']),
  rule([...READ, ...WRITE], [RBAC_GROUP], ['roles', 'rolebindings']),
];

const paths = (...nonResourceURLs: string[]): PolicyRule[] => [{ verbs: ['get'], nonResourceURLs }];

const DEFAULT_RULES: Readonly<Record<string, PolicyRule[]>> = {
  'cluster-admin': [...EVERYTHING],
  admin: ADMIN,
  edit: EDIT,
  view: VIEW,
  'system:discovery': paths(
    '/api',
    '/api/*',
    '/apis',
    '/apis/*',
    '/healthz',
    '/livez',
    '/openapi',
    '/openapi/*',
    '/readyz',
    '/version',
    '/version/',
  ),
  'system:public-info-viewer': paths('/healthz', '/livez', '/readyz', '/version', '/version/'),
  'system:basic-user': [
    rule(['create'], ['authorization.k8s.io'], ['selfsubjectaccessreviews', 'selfsubjectrulesreviews']),
    rule(['create'], ['authentication.k8s.io'], ['selfsubjectreviews']),
  ],
  // Bound to nobody: for services that let the API decide who calls them.
  'system:auth-delegator': [
    rule(['create'], ['authentication.k8s.io'], ['tokenreviews']),
    rule(['create'], ['authorization.k8s.io'], ['subjectaccessreviews']),
  ],
  'system:service-account-issuer-discovery': paths(
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/',
    '/openid/v1/jwks',
    '/openid/v1/jwks/',
  ),
  ...COMPONENT_RULES,
};

const DEFAULT_SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': [MASTERS_GROUP],
  'system:discovery': ['system:authenticated'],
  'system:public-info-viewer': ['system:authenticated', 'system:unauthenticated'],
  'system:basic-user': ['system:authenticated'],
  'system:service-account-issuer-discovery': ['system:serviceaccounts'],
};

/** Roles that aggregate all cluster roles labelled for them, as in Kubernetes. */
const AGGREGATING = new Set(['admin', 'edit', 'view']);

/** Kubernetes' marks of default roles and bindings, which are reconciled at each start unless someone sets the annotation to false. */
const metadata = (name: string) => ({
  name,
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
});

/** Kubernetes' default cluster roles, as far as they concern resources that are served here. The rules that Kubernetes aggregates into admin, edit and view are written out. */
export const defaultClusterRoles: readonly ClusterRole[] = Object.entries(DEFAULT_RULES).map(([name, rules]) => ({
  apiVersion: `${RBAC_GROUP}/v1`,
  kind: 'ClusterRole',
  metadata: metadata(name),
  rules,
  ...(AGGREGATING.has(name) && {
    aggregationRule: {
      clusterRoleSelectors: [{ matchLabels: { [`rbac.authorization.k8s.io/aggregate-to-${name}`]: 'true' } }],
    },
  }),
}));

/** The default bindings of those roles. */
export const defaultClusterRoleBindings: readonly ClusterRoleBinding[] = [
  ...Object.entries(DEFAULT_SUBJECTS).map(([name, groups]) =>
    bindingOf(
      name,
      name,
      groups.map((group) => ({ apiGroup: RBAC_GROUP, kind: 'Group', name: group })),
    ),
  ),
  ...Object.entries(COMPONENT_SUBJECTS).map(([name, subjects]) => bindingOf(name, name, subjects)),
];

/** The bindings by which machines become nodes, in a cluster that signs their certificates. */
export const bootstrapBindings: readonly ClusterRoleBinding[] = BOOTSTRAP_BINDINGS.map(([name, role, subject]) =>
  bindingOf(name, role, [subject]),
);

function bindingOf(name: string, role: string, subjects: readonly Subject[]): ClusterRoleBinding {
  return {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: metadata(name),
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: role },
    subjects: [...subjects],
  };
}
