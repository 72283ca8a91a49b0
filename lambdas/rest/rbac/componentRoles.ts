import type { PolicyRule, Subject } from 'kubernetes-types/rbac/v1.js';
import { NODE_RULES } from '../nodeauthorizer/nodeRules.ts';
import { allow, allowPaths, CORE, EVENTS, READ } from './allow.ts';
import { MASTERS_GROUP, EVERYTHING } from './UserInfo.ts';

const CERTIFICATES = 'certificates.k8s.io';
const LEASES = 'coordination.k8s.io';
const STORAGE = 'storage.k8s.io';
const RESOURCES = 'resource.k8s.io';
const CHANGE = `${READ} patch update`;

/** Who asks whether somebody else may do something. */
const REVIEWS = [
  allow('create', 'authentication.k8s.io', 'tokenreviews'),
  allow('create', 'authorization.k8s.io', 'subjectaccessreviews'),
];

const HEALTH = '/healthz /livez /readyz';

const SCHEDULER: readonly PolicyRule[] = [
  EVENTS,
  allow('create', LEASES, 'leases'),
  allow('get list update watch', LEASES, 'leases', 'kube-scheduler'),
  allow('create delete deletecollection get list patch update watch', LEASES, 'leasecandidates'),
  allow(READ, CORE, 'nodes'),
  allow('delete get list watch', CORE, 'pods'),
  allow('create', CORE, 'bindings pods/binding'),
  allow('patch update', CORE, 'pods/status'),
  allow(READ, CORE, 'replicationcontrollers services'),
  allow(READ, 'apps extensions', 'replicasets'),
  allow(READ, 'apps', 'statefulsets'),
  allow(READ, 'policy', 'poddisruptionbudgets'),
  allow(READ, CORE, 'persistentvolumeclaims persistentvolumes'),
  ...REVIEWS,
  allow(READ, STORAGE, 'csidrivers csinodes csistoragecapacities volumeattachments'),
  allow(READ, CORE, 'namespaces'),
  allow(READ, RESOURCES, 'deviceclasses resourceslices'),
  allow(CHANGE, RESOURCES, 'resourceclaims resourceclaims/status'),
  allow(CHANGE, CORE, 'pods/finalizers'),
];

const CONTROLLER_MANAGER: readonly PolicyRule[] = [
  EVENTS,
  allow('create', LEASES, 'leases'),
  allow('get update', LEASES, 'leases', 'kube-controller-manager'),
  allow('create', CORE, 'secrets serviceaccounts'),
  allow('delete', CORE, 'secrets'),
  allow('get', CORE, 'configmaps namespaces secrets serviceaccounts'),
  allow('update', CORE, 'secrets serviceaccounts'),
  ...REVIEWS,
  allow('list watch', '*', '*'),
  allow('create', CORE, 'serviceaccounts/token'),
];

/** Kubernetes' cluster roles for its components and for those who look at the server. Facts of `policy.go` of 1.35 with the features that are on by default. */
export const COMPONENT_RULES: Readonly<Record<string, readonly PolicyRule[]>> = {
  'cluster-admin': EVERYTHING,
  'system:discovery': [allowPaths(`/api /api/* /apis /apis/* ${HEALTH} /openapi /openapi/* /version /version/`)],
  'system:monitoring': [allowPaths(`/healthz/* /livez/* /metrics /metrics/slis /readyz/* ${HEALTH}`)],
  'system:public-info-viewer': [allowPaths(`${HEALTH} /version /version/`)],
  'system:basic-user': [
    allow('create', 'authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews'),
    allow('create', 'authentication.k8s.io', 'selfsubjectreviews'),
  ],
  'system:auth-delegator': REVIEWS,
  'system:service-account-issuer-discovery': [
    allowPaths('/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/'),
  ],
  'system:heapster': [allow(READ, CORE, 'events namespaces nodes pods'), allow(READ, 'extensions', 'deployments')],
  'system:kube-aggregator': [allow(READ, CORE, 'endpoints services')],
  'system:kube-controller-manager': CONTROLLER_MANAGER,
  'system:kube-dns': [allow('list watch', CORE, 'endpoints services')],
  'system:kube-scheduler': SCHEDULER,
  'system:volume-scheduler': [
    allow(CHANGE, CORE, 'persistentvolumes'),
    allow(READ, STORAGE, 'storageclasses'),
    allow(CHANGE, CORE, 'persistentvolumeclaims'),
  ],
  'system:kubelet-api-admin': [
    allow(READ, CORE, 'nodes'),
    allow('proxy', CORE, 'nodes'),
    allow('*', CORE, 'nodes/configz nodes/healthz nodes/log nodes/metrics nodes/pods nodes/proxy nodes/stats'),
  ],
  'system:node': NODE_RULES,
  'system:node-bootstrapper': [allow('create get list watch', CERTIFICATES, 'certificatesigningrequests')],
  'system:node-problem-detector': [allow('get', CORE, 'nodes'), allow('patch', CORE, 'nodes/status'), EVENTS],
  'system:node-proxier': [
    allow('list watch', CORE, 'endpoints services'),
    allow(READ, CORE, 'nodes'),
    EVENTS,
    allow('list watch', 'networking.k8s.io', 'servicecidrs'),
    allow('list watch', 'discovery.k8s.io', 'endpointslices'),
  ],
  'system:persistent-volume-provisioner': [
    allow('create delete get list watch', CORE, 'persistentvolumes'),
    allow('get list update watch', CORE, 'persistentvolumeclaims'),
    allow(READ, STORAGE, 'storageclasses'),
    allow('watch', CORE, 'events'),
    EVENTS,
  ],
  'system:certificates.k8s.io:certificatesigningrequests:nodeclient': [
    allow('create', CERTIFICATES, 'certificatesigningrequests/nodeclient'),
  ],
  'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient': [
    allow('create', CERTIFICATES, 'certificatesigningrequests/selfnodeclient'),
  ],
  'system:certificates.k8s.io:kube-apiserver-client-approver': [approver('kube-apiserver-client')],
  'system:certificates.k8s.io:kube-apiserver-client-kubelet-approver': [approver('kube-apiserver-client-kubelet')],
  'system:certificates.k8s.io:kubelet-serving-approver': [approver('kubelet-serving')],
  'system:certificates.k8s.io:legacy-unknown-approver': [approver('legacy-unknown')],
};

function approver(signer: string): PolicyRule {
  return allow('approve', CERTIFICATES, 'signers', `kubernetes.io/${signer}`);
}

const RBAC = 'rbac.authorization.k8s.io';

/** The subject that stands for a user, a group, or a service account of kube-system. Pure. */
export const user = (name: string): Subject => ({ apiGroup: RBAC, kind: 'User', name });
export const group = (name: string): Subject => ({ apiGroup: RBAC, kind: 'Group', name });
export const account = (name: string): Subject => ({ kind: 'ServiceAccount', name, namespace: 'kube-system' });

const AUTHENTICATED = group('system:authenticated');
const SCHEDULER_USER = user('system:kube-scheduler');

/** Kubernetes' bindings of those roles, each named like its role. */
export const COMPONENT_SUBJECTS: Readonly<Record<string, readonly Subject[]>> = {
  'cluster-admin': [group(MASTERS_GROUP)],
  'system:discovery': [AUTHENTICATED],
  'system:monitoring': [group('system:monitoring')],
  'system:public-info-viewer': [AUTHENTICATED, group('system:unauthenticated')],
  'system:basic-user': [AUTHENTICATED],
  'system:service-account-issuer-discovery': [group('system:serviceaccounts')],
  'system:kube-controller-manager': [user('system:kube-controller-manager')],
  'system:kube-dns': [account('kube-dns')],
  'system:kube-scheduler': [SCHEDULER_USER],
  'system:volume-scheduler': [SCHEDULER_USER],
  'system:node-proxier': [user('system:kube-proxy')],
  // To nobody, as in Kubernetes: nodes get their permissions from the Node authorizer.
  'system:node': [],
};
