import type { PolicyRule, Subject } from 'kubernetes-types/rbac/v1.js';
import { NODE_RULES } from '../nodeauthorizer/nodeRules.ts';

const READ = ['get', 'list', 'watch'];
const WATCH = ['list', 'watch'];
const RBAC = 'rbac.authorization.k8s.io';
const LEASES = ['coordination.k8s.io'];

const rule = (verbs: string[], apiGroups: string[], resources: string[], resourceNames?: string[]): PolicyRule => ({
  verbs,
  apiGroups,
  resources,
  ...(resourceNames && { resourceNames }),
});

const EVENTS = rule(['create', 'patch', 'update'], ['', 'events.k8s.io'], ['events']);
const CERTIFICATES = ['certificates.k8s.io'];

/** A component takes part in an election by its own lease. */
const elected = (name: string): PolicyRule[] => [
  rule(['create'], LEASES, ['leases']),
  rule(['get', 'update'], LEASES, ['leases'], [name]),
];

const SCHEDULER: PolicyRule[] = [
  EVENTS,
  ...elected('kube-scheduler'),
  rule(['create', 'get', 'list', 'watch', 'update'], LEASES, ['leasecandidates']),
  rule(READ, [''], ['nodes']),
  rule(['delete', ...READ], [''], ['pods']),
  rule(['create'], [''], ['bindings', 'pods/binding']),
  rule(['patch', 'update'], [''], ['pods/status']),
  rule(READ, [''], ['replicationcontrollers', 'services']),
  rule(READ, ['apps', 'extensions'], ['replicasets']),
  rule(READ, ['apps'], ['statefulsets']),
  rule(READ, ['policy'], ['poddisruptionbudgets']),
  rule(READ, [''], ['persistentvolumeclaims', 'persistentvolumes']),
  rule(['create'], ['authentication.k8s.io'], ['tokenreviews']),
  rule(['create'], ['authorization.k8s.io'], ['subjectaccessreviews']),
  rule(READ, ['storage.k8s.io'], ['csinodes', 'csidrivers', 'csistoragecapacities', 'volumeattachments']),
  rule(WATCH, [''], ['namespaces']),
];

const CONTROLLER_MANAGER: PolicyRule[] = [
  EVENTS,
  ...elected('kube-controller-manager'),
  rule(['create'], [''], ['secrets', 'serviceaccounts']),
  rule(['delete'], [''], ['secrets']),
  rule(['get'], [''], ['configmaps', 'namespaces', 'secrets', 'serviceaccounts']),
  rule(['update'], [''], ['secrets', 'serviceaccounts']),
  rule(['create'], ['authentication.k8s.io'], ['tokenreviews']),
  rule(['create'], ['authorization.k8s.io'], ['subjectaccessreviews']),
  rule(WATCH, ['*'], ['*']),
  rule(['create'], [''], ['serviceaccounts/token']),
];

/** Kubernetes' cluster roles for its own components, as far as they concern resources that are served here. */
export const COMPONENT_RULES: Readonly<Record<string, PolicyRule[]>> = {
  // Bound to nobody: nodes get their permissions from the Node authorizer.
  'system:node': [...NODE_RULES],
  'system:kube-scheduler': SCHEDULER,
  'system:volume-scheduler': [
    rule([...READ, 'patch', 'update'], [''], ['persistentvolumes']),
    rule(READ, ['storage.k8s.io'], ['storageclasses']),
    rule([...READ, 'patch', 'update'], [''], ['persistentvolumeclaims']),
  ],
  'system:kube-controller-manager': CONTROLLER_MANAGER,
  'system:node-proxier': [
    rule(WATCH, [''], ['endpoints', 'services']),
    rule(READ, [''], ['nodes']),
    EVENTS,
    rule(WATCH, ['discovery.k8s.io'], ['endpointslices']),
  ],
  'system:kube-dns': [rule(WATCH, [''], ['endpoints', 'services'])],
  'system:node-bootstrapper': [rule(['create', ...READ], CERTIFICATES, ['certificatesigningrequests'])],
  'system:kubelet-api-admin': [
    rule(READ, [''], ['nodes']),
    rule(['proxy'], [''], ['nodes']),
    rule(['*'], [''], ['nodes/log', 'nodes/metrics', 'nodes/proxy', 'nodes/stats']),
  ],
  'system:certificates.k8s.io:certificatesigningrequests:nodeclient': [
    rule(['create'], CERTIFICATES, ['certificatesigningrequests/nodeclient']),
  ],
  'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient': [
    rule(['create'], CERTIFICATES, ['certificatesigningrequests/selfnodeclient']),
  ],
  'system:certificates.k8s.io:kube-apiserver-client-approver': signer('approve', 'kube-apiserver-client'),
  'system:certificates.k8s.io:kube-apiserver-client-kubelet-approver': signer(
    'approve',
    'kube-apiserver-client-kubelet',
  ),
  'system:certificates.k8s.io:kubelet-serving-approver': signer('approve', 'kubelet-serving'),
};

function signer(verb: string, name: string): PolicyRule[] {
  return [rule([verb], CERTIFICATES, ['signers'], [`kubernetes.io/${name}`])];
}

const user = (name: string): Subject => ({ apiGroup: RBAC, kind: 'User', name });
const group = (name: string): Subject => ({ apiGroup: RBAC, kind: 'Group', name });

/** Kubernetes' bindings of those roles. */
export const COMPONENT_SUBJECTS: Readonly<Record<string, readonly Subject[]>> = {
  'system:kube-scheduler': [user('system:kube-scheduler')],
  'system:volume-scheduler': [user('system:kube-scheduler')],
  'system:kube-controller-manager': [user('system:kube-controller-manager')],
  'system:node-proxier': [user('system:kube-proxy')],
  'system:kube-dns': [{ kind: 'ServiceAccount', name: 'kube-dns', namespace: 'kube-system' }],
};

/** What a machine with a bootstrap token may do, as kubeadm binds it: by the name of the binding, the role and its subject. They exist only where the cluster signs certificates. */
export const BOOTSTRAP_BINDINGS: readonly (readonly [name: string, role: string, subject: Subject])[] = [
  ['kubeadm:kubelet-bootstrap', 'system:node-bootstrapper', group('system:bootstrappers')],
  [
    'kubeadm:node-autoapprove-bootstrap',
    'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
    group('system:bootstrappers'),
  ],
  [
    'kubeadm:node-autoapprove-certificate-rotation',
    'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    group('system:nodes'),
  ],
];
