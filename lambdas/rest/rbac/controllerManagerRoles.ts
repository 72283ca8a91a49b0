import type { PolicyRule } from 'kubernetes-types/rbac/v1.js';
import { allow, CORE, EVENTS, READ } from './allow.ts';

const ALL = '*';
const APPS = 'apps extensions';
const CHANGE = 'patch update';

/**
 * What each controller of kube-controller-manager may do: Kubernetes' cluster roles `system:controller:NAME`, each for the service account NAME of kube-system. Facts of `controller_policy.go` of 1.35 with the
 * features that are on by default. They are for programs that use the API with such an account. Our own controllers need none of them: on one machine they write through the registry, and in the cloud the role of
 * the function `sync` decides, which `infra/cdk/permissions.ts` lists.
 */
export const CONTROLLER_MANAGER_RULES: Readonly<Record<string, readonly PolicyRule[]>> = {
  'attachdetach-controller': [
    allow('list watch', CORE, 'persistentvolumeclaims persistentvolumes'),
    allow(READ, CORE, 'nodes'),
    allow(CHANGE, CORE, 'nodes/status'),
    allow('list watch', CORE, 'pods'),
    EVENTS,
    allow('create delete get list watch', 'storage.k8s.io', 'volumeattachments'),
    allow(READ, 'storage.k8s.io', 'csidrivers csinodes'),
  ],
  'certificate-controller': [
    allow('delete get list watch', 'certificates.k8s.io', 'certificatesigningrequests'),
    allow('update', 'certificates.k8s.io', 'certificatesigningrequests/approval certificatesigningrequests/status'),
    allow('approve', 'certificates.k8s.io', 'signers', 'kubernetes.io/kube-apiserver-client-kubelet'),
    allow(
      'sign',
      'certificates.k8s.io',
      'signers',
      'kubernetes.io/kube-apiserver-client kubernetes.io/kube-apiserver-client-kubelet kubernetes.io/kubelet-serving kubernetes.io/legacy-unknown',
    ),
    allow('create', 'authorization.k8s.io', 'subjectaccessreviews'),
    EVENTS,
  ],
  'clusterrole-aggregation-controller': [
    allow('escalate get list patch update watch', 'rbac.authorization.k8s.io', 'clusterroles'),
  ],
  'cronjob-controller': [
    allow('get list update watch', 'batch', 'cronjobs'),
    allow('create delete get list patch update watch', 'batch', 'jobs'),
    allow('update', 'batch', 'cronjobs/finalizers cronjobs/status'),
    allow('delete list watch', CORE, 'pods'),
    EVENTS,
  ],
  'daemon-set-controller': [
    allow(READ, APPS, 'daemonsets'),
    allow('update', APPS, 'daemonsets/finalizers daemonsets/status'),
    allow('list watch', CORE, 'nodes'),
    allow('create delete list patch watch', CORE, 'pods'),
    allow('create', CORE, 'pods/binding'),
    allow('create delete get list patch update watch', 'apps', 'controllerrevisions'),
    EVENTS,
  ],
  'deployment-controller': [
    allow('get list update watch', APPS, 'deployments'),
    allow('update', APPS, 'deployments/finalizers deployments/status'),
    allow('create delete get list patch update watch', APPS, 'replicasets'),
    allow('get list update watch', CORE, 'pods'),
    EVENTS,
  ],
  'disruption-controller': [
    allow(READ, APPS, 'deployments replicasets'),
    allow(READ, CORE, 'replicationcontrollers'),
    allow(READ, 'policy', 'poddisruptionbudgets'),
    allow(READ, 'apps', 'statefulsets'),
    allow('update', 'policy', 'poddisruptionbudgets/status'),
    allow(CHANGE, CORE, 'pods/status'),
    allow('get', ALL, '*/scale'),
    EVENTS,
  ],
  'endpoint-controller': [
    allow(READ, CORE, 'pods services'),
    allow('create delete get list update watch', CORE, 'endpoints'),
    allow('create', CORE, 'endpoints/restricted'),
    EVENTS,
  ],
  'endpointslice-controller': [
    allow(READ, CORE, 'nodes pods services'),
    allow('update', CORE, 'services/finalizers'),
    allow('create delete get list update watch', 'discovery.k8s.io', 'endpointslices'),
    EVENTS,
  ],
  'endpointslicemirroring-controller': [
    allow(READ, CORE, 'endpoints services'),
    allow('update', CORE, 'endpoints/finalizers services/finalizers'),
    allow('create delete get list update watch', 'discovery.k8s.io', 'endpointslices'),
    EVENTS,
  ],
  'ephemeral-volume-controller': [
    allow(READ, CORE, 'pods'),
    allow('update', CORE, 'pods/finalizers'),
    allow('create get list watch', CORE, 'persistentvolumeclaims'),
    EVENTS,
  ],
  'expand-controller': [
    allow('get list patch update watch', CORE, 'persistentvolumes'),
    allow(CHANGE, CORE, 'persistentvolumeclaims/status'),
    allow(READ, CORE, 'persistentvolumeclaims'),
    EVENTS,
    allow('get', CORE, 'services'),
  ],
  'generic-garbage-collector': [allow('delete get list patch update watch', ALL, ALL), EVENTS],
  'horizontal-pod-autoscaler': [
    allow(READ, 'autoscaling', 'horizontalpodautoscalers'),
    allow('update', 'autoscaling', 'horizontalpodautoscalers/status'),
    allow('get update', ALL, '*/scale'),
    allow('list watch', ' metrics.k8s.io', 'pods'),
    allow(READ, 'custom.metrics.k8s.io external.metrics.k8s.io', ALL),
    EVENTS,
  ],
  'job-controller': [
    allow('get list patch update watch', 'batch', 'jobs'),
    allow('update', 'batch', 'jobs/finalizers jobs/status'),
    allow('create delete list patch watch', CORE, 'pods'),
    EVENTS,
  ],
  'legacy-service-account-token-cleaner': [
    allow('get', CORE, 'configmaps', 'kube-apiserver-legacy-service-account-token-tracking'),
    allow('delete patch', CORE, 'secrets'),
  ],
  'namespace-controller': [
    allow('delete get list watch', CORE, 'namespaces'),
    allow('update', CORE, 'namespaces/finalize namespaces/status'),
    allow('delete deletecollection get list watch', ALL, ALL),
  ],
  'node-controller': [
    allow('delete get list patch update watch', CORE, 'nodes'),
    allow(CHANGE, CORE, 'nodes/status pods/status'),
    allow('delete get list watch', CORE, 'pods'),
    EVENTS,
  ],
  'persistent-volume-binder': [
    allow('create delete get list update watch', CORE, 'persistentvolumes'),
    allow('update', CORE, 'persistentvolumeclaims/status persistentvolumes/status'),
    allow('get list update watch', CORE, 'persistentvolumeclaims'),
    allow('create delete get list watch', CORE, 'pods'),
    allow(READ, 'storage.k8s.io', 'storageclasses'),
    allow('list watch', CORE, 'nodes'),
    EVENTS,
    allow('watch', CORE, 'events'),
    allow('get', CORE, 'services'),
  ],
  'pod-garbage-collector': [
    allow('delete list watch', CORE, 'pods'),
    allow(READ, CORE, 'nodes'),
    allow('patch', CORE, 'pods/status'),
  ],
  'pv-protection-controller': [allow('get list update watch', CORE, 'persistentvolumes'), EVENTS],
  'pvc-protection-controller': [
    allow('get list update watch', CORE, 'persistentvolumeclaims'),
    allow(READ, CORE, 'pods'),
    EVENTS,
  ],
  'replicaset-controller': [
    allow('get list update watch', APPS, 'replicasets'),
    allow('update', APPS, 'replicasets/finalizers replicasets/status'),
    allow('create delete list patch watch', CORE, 'pods'),
    EVENTS,
  ],
  'replication-controller': [
    allow('get list update watch', CORE, 'replicationcontrollers'),
    allow('update', CORE, 'replicationcontrollers/finalizers replicationcontrollers/status'),
    allow('create delete list patch watch', CORE, 'pods'),
    EVENTS,
  ],
  'resource-claim-controller': [
    allow(READ, CORE, 'pods'),
    allow('update', CORE, 'pods/finalizers'),
    allow('create delete get list watch', 'resource.k8s.io', 'resourceclaims'),
    allow(CHANGE, 'resource.k8s.io', 'resourceclaims resourceclaims/status'),
    allow(CHANGE, CORE, 'pods/status'),
    EVENTS,
  ],
  'resourcequota-controller': [allow('list watch', ALL, ALL), allow('update', CORE, 'resourcequotas/status'), EVENTS],
  'root-ca-cert-publisher': [allow('create update', CORE, 'configmaps'), EVENTS],
  'route-controller': [allow('list watch', CORE, 'nodes'), allow('patch', CORE, 'nodes/status'), EVENTS],
  'selinux-warning-controller': [
    EVENTS,
    allow(READ, CORE, 'persistentvolumeclaims persistentvolumes pods'),
    allow(READ, 'storage.k8s.io', 'csidrivers'),
  ],
  'service-account-controller': [allow('create', CORE, 'serviceaccounts'), EVENTS],
  'service-cidrs-controller': [
    allow('get list patch update watch', 'networking.k8s.io', 'servicecidrs'),
    allow(CHANGE, 'networking.k8s.io', 'servicecidrs/finalizers servicecidrs/status'),
    allow(READ, 'networking.k8s.io', 'ipaddresses'),
    EVENTS,
  ],
  'service-controller': [
    allow(READ, CORE, 'services'),
    allow(CHANGE, CORE, 'services/status'),
    allow('list watch', CORE, 'nodes'),
    EVENTS,
  ],
  'statefulset-controller': [
    allow('create delete get list patch update watch', CORE, 'pods'),
    allow(READ, 'apps', 'statefulsets'),
    allow('update', 'apps', 'statefulsets/finalizers statefulsets/status'),
    allow('create delete get list patch update watch', 'apps', 'controllerrevisions'),
    allow('create delete get list update watch', CORE, 'persistentvolumeclaims'),
    allow('update', CORE, 'pods/finalizers'),
    EVENTS,
  ],
  'ttl-after-finished-controller': [allow('delete get list watch', 'batch', 'jobs'), EVENTS],
  'ttl-controller': [allow('list patch update watch', CORE, 'nodes'), EVENTS],
  'validatingadmissionpolicy-status-controller': [
    allow(READ, 'admissionregistration.k8s.io', 'validatingadmissionpolicies'),
    allow('get patch update', 'admissionregistration.k8s.io', 'validatingadmissionpolicies/status'),
    EVENTS,
  ],
  'volumeattributesclass-protection-controller': [
    allow(READ, CORE, 'persistentvolumeclaims persistentvolumes'),
    allow('get list update watch', 'storage.k8s.io', 'volumeattributesclasses'),
    EVENTS,
  ],
};
