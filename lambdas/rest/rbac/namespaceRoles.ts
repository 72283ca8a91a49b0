import type { PolicyRule, Subject } from 'kubernetes-types/rbac/v1.js';
import { allow, CORE, EVENTS, READ } from './allow.ts';
import { account, group, user } from './componentRoles.ts';

/** A role of one namespace and the binding that gives it to its subjects. */
export interface BoundRole {
  readonly namespace: string;
  readonly name: string;
  readonly rules: readonly PolicyRule[];
  readonly subjects: readonly Subject[];
  /** Absent: the binding is named like the role. */
  readonly binding?: string;
}

const SYSTEM = 'kube-system';
const PUBLIC = 'kube-public';
const CONTROLLER_MANAGER = user('system:kube-controller-manager');
const SCHEDULER = user('system:kube-scheduler');

/** An election by a config map, as it was before leases. */
const locked = (name: string) => [allow('watch', CORE, 'configmaps'), allow('get update', CORE, 'configmaps', name)];

/** Kubernetes' roles of its own namespaces: facts of `namespace_policy.go`. */
export const NAMESPACE_ROLES: readonly BoundRole[] = [
  {
    namespace: SYSTEM,
    name: 'extension-apiserver-authentication-reader',
    binding: 'system::extension-apiserver-authentication-reader',
    rules: [allow(READ, CORE, 'configmaps', 'extension-apiserver-authentication')],
    subjects: [CONTROLLER_MANAGER, SCHEDULER],
  },
  {
    namespace: SYSTEM,
    name: 'system:controller:bootstrap-signer',
    rules: [allow(READ, CORE, 'secrets')],
    subjects: [account('bootstrap-signer')],
  },
  {
    namespace: SYSTEM,
    name: 'system:controller:cloud-provider',
    rules: [allow('create get list watch', CORE, 'configmaps')],
    subjects: [account('cloud-provider')],
  },
  {
    namespace: SYSTEM,
    name: 'system:controller:token-cleaner',
    rules: [allow('delete get list watch', CORE, 'secrets'), EVENTS],
    subjects: [account('token-cleaner')],
  },
  {
    namespace: SYSTEM,
    name: 'system::leader-locking-kube-controller-manager',
    rules: locked('kube-controller-manager'),
    subjects: [CONTROLLER_MANAGER, account('kube-controller-manager')],
  },
  {
    namespace: SYSTEM,
    name: 'system::leader-locking-kube-scheduler',
    rules: locked('kube-scheduler'),
    subjects: [SCHEDULER, account('kube-scheduler')],
  },
  {
    namespace: PUBLIC,
    name: 'system:controller:bootstrap-signer',
    rules: [allow(READ, CORE, 'configmaps'), allow('update', CORE, 'configmaps', 'cluster-info'), EVENTS],
    subjects: [account('bootstrap-signer')],
  },
];

/** The group of the tokens that `kubeadm token create` makes. */
const JOINING = group('system:bootstrappers:kubeadm:default-node-token');

/** What kubeadm lets a machine read that joins a cluster. */
export const JOIN_ROLES: readonly BoundRole[] = [
  {
    namespace: PUBLIC,
    name: 'kubeadm:bootstrap-signer-clusterinfo',
    rules: [allow('get', CORE, 'configmaps', 'cluster-info')],
    subjects: [user('system:anonymous')],
  },
  {
    namespace: SYSTEM,
    name: 'kubeadm:nodes-kubeadm-config',
    rules: [allow('get', CORE, 'configmaps', 'kubeadm-config')],
    subjects: [JOINING, group('system:nodes')],
  },
  {
    namespace: SYSTEM,
    name: 'kubeadm:kubelet-config',
    rules: [allow('get', CORE, 'configmaps', 'kubelet-config')],
    subjects: [group('system:nodes'), JOINING],
  },
  {
    namespace: SYSTEM,
    name: 'kube-proxy',
    rules: [allow('get', CORE, 'configmaps', 'kube-proxy')],
    subjects: [JOINING],
  },
];

/** kubeadm's cluster role by which it finds out whether the name of a node is taken. */
export const JOIN_CLUSTER_ROLES: Readonly<Record<string, readonly PolicyRule[]>> = {
  'kubeadm:get-nodes': [allow('get', CORE, 'nodes')],
};

/** What a machine with a bootstrap token, and a node that renews its certificate, may do: as kubeadm binds it, by the name of the binding, the cluster role and its subject. Every bootstrap token is good for it, as with `kubelet --bootstrap-kubeconfig`. */
export const JOIN_BINDINGS: readonly (readonly [name: string, role: string, subject: Subject])[] = [
  ['kubeadm:get-nodes', 'kubeadm:get-nodes', JOINING],
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
