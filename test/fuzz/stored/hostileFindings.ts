import type { Json } from '../numbers/baseOf.ts';

const deep = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as unknown;
const invalidSelector = { matchExpressions: [{ key: '!', operator: 'Nonsense', values: ['/'] }] };
const containers = [{ name: 'c', image: 'a:1' }];
const template = { metadata: { labels: { app: 'a' } }, spec: { containers } };
const rule = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] };
const policyOf = (spec: object): Json => ({
  spec: { failurePolicy: 'Ignore', matchConstraints: { resourceRules: [rule] }, ...spec },
});
const doubling = Array.from({ length: 29 }, (_, at) => ({
  name: `v${at}`,
  expression: at === 0 ? '[1]' : `variables.v${at - 1} + variables.v${at - 1}`,
}));
const definitionOf = (schema: object): Json => ({
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', ...schema } } }],
  },
  status: { conditions: [{ type: 'Established', status: 'True' }], storedVersions: ['v1'] },
});

/**
 * Objects that have their kind's shape and break a rule that today's validation keeps, by resource. Whatever is found next to break a start, a controller or an admission step is one line more.
 */
const FINDINGS: readonly (readonly [string, string, Json])[] = [
  ['deployments.apps', 'a selector that is none', { spec: { replicas: 1, selector: invalidSelector, template } }],
  ['deployments.apps', 'an empty selector', { spec: { replicas: 1, selector: {}, template } }],
  [
    'deployments.apps',
    'a negative number of pods',
    { spec: { replicas: -7, selector: { matchLabels: { app: 'a' } }, template } },
  ],
  [
    'deployments.apps',
    'a percentage that is none',
    {
      spec: {
        selector: { matchLabels: { app: 'a' } },
        template,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 'x', maxUnavailable: '-1%' } },
      },
    },
  ],
  ['deployments.apps', 'a template without defaults', { spec: { selector: { matchLabels: { app: 'a' } }, template } }],
  ['replicasets.apps', 'a selector that is none', { spec: { replicas: 1, selector: invalidSelector, template } }],
  ['statefulsets.apps', 'a selector that is none', { spec: { replicas: 1, selector: invalidSelector, template } }],
  ['daemonsets.apps', 'a selector that is none', { spec: { selector: invalidSelector, template } }],
  ['jobs.batch', 'a selector that is none', { spec: { selector: invalidSelector, template } }],
  ['cronjobs.batch', 'a schedule that is none', { spec: { schedule: 'x', jobTemplate: { spec: { template } } } }],
  [
    'cronjobs.batch',
    'a zone that is none',
    { spec: { schedule: '* * * * *', timeZone: 'No/Where', jobTemplate: { spec: { template } } } },
  ],
  [
    'poddisruptionbudgets.policy',
    'a selector that is none',
    { spec: { selector: invalidSelector, minAvailable: '900%' } },
  ],
  ['networkpolicies.networking.k8s.io', 'a selector that is none', { spec: { podSelector: invalidSelector } }],
  [
    'services',
    'a port that is none',
    { spec: { selector: { '!': '/' }, ports: [{ port: -1, targetPort: 'x'.repeat(1_000) }] } },
  ],
  [
    'services',
    'an address that is none',
    { spec: { clusterIP: 'x', clusterIPs: ['x', '::::'], ports: [{ port: 80 }] } },
  ],
  [
    'pods',
    'an affinity that is none',
    {
      spec: {
        containers,
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: '', labelSelector: invalidSelector }],
          },
        },
      },
    },
  ],
  [
    'pods',
    'a node selector that is none',
    {
      spec: {
        containers,
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: '', operator: 'Gt', values: [] }] }],
            },
          },
        },
      },
    },
  ],
  [
    'pods',
    'a constraint that is none',
    {
      spec: {
        containers,
        topologySpreadConstraints: [
          { maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'x', labelSelector: invalidSelector },
        ],
      },
    },
  ],
  [
    'pods',
    'a bound pod with an affinity that is none',
    {
      spec: {
        containers,
        nodeName: 'driftless-node-1',
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'kubernetes.io/hostname', labelSelector: invalidSelector },
            ],
          },
        },
      },
    },
  ],
  [
    'nodes',
    'a taint that is none',
    { spec: { taints: [{ key: '', effect: 'x' }], podCIDR: 'x' }, status: { allocatable: { cpu: '-1' } } },
  ],
  [
    'resourcequotas',
    'a scope that is none',
    {
      spec: {
        hard: { x: '-1' },
        scopes: ['x'],
        scopeSelector: { matchExpressions: [{ scopeName: 'x', operator: 'x' }] },
      },
    },
  ],
  [
    'limitranges',
    'a limit that is none',
    { spec: { limits: [{ type: 'x', max: { cpu: '-1' }, default: { '!': '0' } }] } },
  ],
  [
    'horizontalpodautoscalers.autoscaling',
    'a target that is none',
    { spec: { scaleTargetRef: { kind: '', name: '' }, maxReplicas: -1, metrics: [{ type: 'x' }] } },
  ],
  [
    'persistentvolumes',
    'an affinity that is none',
    { spec: { nodeAffinity: { required: { nodeSelectorTerms: [{ matchFields: [{ key: 'x', operator: 'x' }] }] } } } },
  ],
  ['persistentvolumeclaims', 'a selector that is none', { spec: { selector: invalidSelector, accessModes: ['x'] } }],
  ['controllerrevisions.apps', 'data of 1,000 levels', { revision: -1, data: deep(1_000) }],
  [
    'configmaps',
    'owners of itself',
    { metadata: { ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '', controller: true }] } },
  ],
  [
    'configmaps',
    'a finalizer that is none',
    { metadata: { finalizers: ['', '/', 'foregroundDeletion'], deletionTimestamp: '2026-01-01T00:00:00Z' } },
  ],
  [
    'validatingadmissionpolicies.admissionregistration.k8s.io',
    'an expression that does not parse',
    policyOf({ validations: [{ expression: '((((' }] }),
  ],
  [
    'validatingadmissionpolicies.admissionregistration.k8s.io',
    'a list that doubles',
    policyOf({ variables: doubling, validations: [{ expression: 'size(variables.v28) > 0' }] }),
  ],
  [
    'validatingadmissionpolicybindings.admissionregistration.k8s.io',
    'of the first policy',
    { spec: { policyName: 'p0', validationActions: ['Deny'] } },
  ],
  [
    'validatingadmissionpolicybindings.admissionregistration.k8s.io',
    'of the second policy',
    { spec: { policyName: 'p1', validationActions: ['Deny'] } },
  ],
  [
    'validatingwebhookconfigurations.admissionregistration.k8s.io',
    'a webhook that is none',
    {
      webhooks: [
        {
          name: 'x',
          clientConfig: { url: 'x' },
          rules: [rule],
          failurePolicy: 'Ignore',
          objectSelector: invalidSelector,
          matchConditions: [{ name: 'x', expression: '((' }],
        },
      ],
    },
  ],
  [
    'mutatingwebhookconfigurations.admissionregistration.k8s.io',
    'a webhook that is none',
    {
      webhooks: [
        {
          name: 'x',
          clientConfig: { url: 'x' },
          rules: [rule],
          failurePolicy: 'Ignore',
          namespaceSelector: invalidSelector,
        },
      ],
    },
  ],
  [
    'customresourcedefinitions.apiextensions.k8s.io',
    'a schema that does not compile',
    definitionOf({ properties: { a: { type: 'x', pattern: '(((', 'x-kubernetes-validations': [{ rule: '((' }] } } }),
  ],
  [
    'customresourcedefinitions.apiextensions.k8s.io',
    'a schema of 1,000 levels',
    definitionOf({ properties: { a: deep(1_000) } }),
  ],
  [
    'clusterroles.rbac.authorization.k8s.io',
    'an aggregation that is none',
    { aggregationRule: { clusterRoleSelectors: [invalidSelector] }, rules: [{ verbs: [] }] },
  ],
  [
    'rolebindings.rbac.authorization.k8s.io',
    'subjects that are none',
    { roleRef: { apiGroup: '', kind: '', name: '' }, subjects: [{ kind: '', name: '' }] },
  ],
  [
    'certificatesigningrequests.certificates.k8s.io',
    'a request that is none',
    { spec: { request: '!', signerName: 'x', usages: ['x'] } },
  ],
];

/** Returns the findings of a resource: what is wrong, and the fields that are so. */
export function hostileFindings(groupResource: string): readonly (readonly [string, Json])[] {
  return FINDINGS.filter(([resource]) => resource === groupResource).map(([, what, fields]) => [what, fields]);
}
