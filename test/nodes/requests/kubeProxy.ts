import { type Component, sends, serviceAccount } from '../ComponentRequest.ts';

const NODE = 'recorded-proxied';
const labelSelector = '!service.kubernetes.io/headless,!service.kubernetes.io/service-proxy-name';

/** kube-proxy, as the user of its certificate or as the service account that kubeadm binds to the same role. */
export const kubeProxy: Component = {
  name: 'kube-proxy',
  username: 'system:kube-proxy',
  groups: ['system:authenticated'],
  speaks: 'configuredProtobuf',
  given: [['/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE } }]],
  requests: [
    sends.read(`/api/v1/nodes/${NODE}`),
    ...sends.informer('/api/v1/nodes', { fieldSelector: `metadata.name=${NODE}` }),
    ...sends.informer('/api/v1/services', { labelSelector }),
    ...sends.informer('/apis/discovery.k8s.io/v1/endpointslices', { labelSelector }),
    ...sends.informers('/apis/networking.k8s.io/v1/servicecidrs'),
    ...sends.newEvents('kube-proxy', { kind: 'Node', name: NODE, uid: NODE, apiVersion: 'v1' }),
  ],
};

const ROLE = 'system:coredns';
const ROLES = '/apis/rbac.authorization.k8s.io/v1';

/** CoreDNS, with the role that its manifest brings. */
export const coreDns: Component = {
  name: 'CoreDNS',
  ...serviceAccount('coredns'),
  speaks: 'protobuf',
  given: [
    [
      `${ROLES}/clusterroles`,
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: ROLE, labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' } },
        rules: [
          { apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
          { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
        ],
      },
    ],
    [
      `${ROLES}/clusterrolebindings`,
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: ROLE },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: ROLE },
        subjects: [{ kind: 'ServiceAccount', name: 'coredns', namespace: 'kube-system' }],
      },
    ],
  ],
  requests: [
    sends.read('/version'),
    ...sends.informers('/api/v1/services', '/apis/discovery.k8s.io/v1/endpointslices', '/api/v1/namespaces'),
  ],
};
