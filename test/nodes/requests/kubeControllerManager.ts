import { type Component, sends, serviceAccount } from '../ComponentRequest.ts';

const ACCOUNTS = '/api/v1/namespaces/kube-system/serviceaccounts';
const ACCOUNT = 'recorded-controller';

/** The collections that the informers of all controllers together keep in sight. */
const WATCHED = [
  '/api/v1/configmaps',
  '/api/v1/endpoints',
  '/api/v1/limitranges',
  '/api/v1/namespaces',
  '/api/v1/nodes',
  '/api/v1/persistentvolumeclaims',
  '/api/v1/persistentvolumes',
  '/api/v1/pods',
  '/api/v1/podtemplates',
  '/api/v1/replicationcontrollers',
  '/api/v1/resourcequotas',
  '/api/v1/secrets',
  '/api/v1/serviceaccounts',
  '/api/v1/services',
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  '/apis/apps/v1/controllerrevisions',
  '/apis/apps/v1/daemonsets',
  '/apis/apps/v1/deployments',
  '/apis/apps/v1/replicasets',
  '/apis/apps/v1/statefulsets',
  '/apis/autoscaling/v2/horizontalpodautoscalers',
  '/apis/batch/v1/cronjobs',
  '/apis/batch/v1/jobs',
  '/apis/certificates.k8s.io/v1/certificatesigningrequests',
  '/apis/coordination.k8s.io/v1/leases',
  '/apis/discovery.k8s.io/v1/endpointslices',
  '/apis/networking.k8s.io/v1/ingresses',
  '/apis/networking.k8s.io/v1/ipaddresses',
  '/apis/networking.k8s.io/v1/networkpolicies',
  '/apis/networking.k8s.io/v1/servicecidrs',
  '/apis/policy/v1/poddisruptionbudgets',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/rbac.authorization.k8s.io/v1/roles',
  '/apis/resource.k8s.io/v1/resourceclaims',
  '/apis/resource.k8s.io/v1/resourceclaimtemplates',
  '/apis/storage.k8s.io/v1/csidrivers',
  '/apis/storage.k8s.io/v1/csinodes',
  '/apis/storage.k8s.io/v1/storageclasses',
  '/apis/storage.k8s.io/v1/volumeattachments',
  '/apis/storage.k8s.io/v1/volumeattributesclasses',
];

/** kube-controller-manager by its own name: its informers and its election, and the accounts under which its controllers write (`--use-service-account-credentials`, as kubeadm sets it). */
export const kubeControllerManager: Component = {
  name: 'kube-controller-manager',
  username: 'system:kube-controller-manager',
  groups: ['system:authenticated'],
  speaks: 'configuredProtobuf',
  requests: [
    ...sends.requestHeaderAuthorities(),
    ...sends.delegatedAuthentication(),
    sends.read('/healthz?timeout=1s'),
    ...sends.leaderElection('kube-controller-manager'),
    sends.readMissing(`${ACCOUNTS}/${ACCOUNT}`),
    sends.create(ACCOUNTS, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: ACCOUNT, namespace: 'kube-system' },
    }),
    sends.create(`${ACCOUNTS}/${ACCOUNT}/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { audiences: [], expirationSeconds: 3600 },
    }),
    ...sends.informers(...WATCHED),
    ...sends.informer('/api/v1/secrets', { fieldSelector: 'type=bootstrap.kubernetes.io/token' }),
  ],
};

const METADATA = (kind: string) =>
  ['application/vnd.kubernetes.protobuf', 'application/json']
    .map((type) => `${type};as=${kind};g=meta.k8s.io;v=v1`)
    .concat('application/json')
    .join(',');

/** The garbage collector, which reads only the metadata of everything. */
export const garbageCollector: Component = {
  name: 'the garbage collector',
  ...serviceAccount('generic-garbage-collector'),
  speaks: 'json',
  given: [
    ['/api/v1/namespaces/default/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'collected' } }],
  ],
  requests: [
    ...WATCHED.flatMap((path) => sends.informer(path, {}, METADATA('PartialObjectMetadataList'))),
    { ...sends.read('/api/v1/namespaces/default/configmaps/collected'), accept: METADATA('PartialObjectMetadata') },
    {
      ...sends.patch('/api/v1/namespaces/default/configmaps/collected', 'application/merge-patch+json', {
        metadata: { ownerReferences: null },
      }),
      accept: METADATA('PartialObjectMetadata'),
    },
    sends.remove('/api/v1/namespaces/default/configmaps/collected', { propagationPolicy: 'Background' }),
  ],
};
