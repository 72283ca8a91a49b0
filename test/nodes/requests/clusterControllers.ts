import { type Component, sends, STRATEGIC } from '../ComponentRequest.ts';
import { CORE, controller, object, pod, status } from './controller.ts';

const NODES = '/api/v1/nodes';
const CSRS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const TIME = '2026-01-01T00:00:00Z';

const service = { ports: [{ port: 80 }], clusterIP: 'None' };
const network: readonly Component[] = [
  controller(
    'endpoint-controller',
    [[`${CORE}/services`, object('v1', 'Service', 'served', { spec: service })]],
    [
      sends.create(
        `${CORE}/endpoints`,
        object('v1', 'Endpoints', 'served', { subsets: [{ addresses: [{ ip: '10.88.0.2' }], ports: [{ port: 80 }] }] }),
      ),
      sends.update(`${CORE}/endpoints/served`, (endpoints) => endpoints),
      sends.remove(`${CORE}/endpoints/served`),
    ],
  ),
  ...['endpointslice-controller', 'endpointslicemirroring-controller'].map((name) =>
    controller(
      name,
      [],
      [
        sends.create('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
          ...object('discovery.k8s.io/v1', 'EndpointSlice', name),
          addressType: 'IPv4',
          endpoints: [{ addresses: ['10.88.0.2'], conditions: { ready: true, serving: true, terminating: false } }],
          ports: [{ name: '', port: 80, protocol: 'TCP' }],
        }),
        sends.update(`/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/${name}`, (slice) => slice),
        sends.remove(`/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/${name}`),
      ],
    ),
  ),
  controller(
    'service-cidrs-controller',
    [
      [
        '/apis/networking.k8s.io/v1/servicecidrs',
        object('networking.k8s.io/v1', 'ServiceCIDR', 'recorded', { spec: { cidrs: ['10.200.0.0/16'] } }),
      ],
    ],
    [
      ...sends.informers('/apis/networking.k8s.io/v1/servicecidrs', '/apis/networking.k8s.io/v1/ipaddresses'),
      sends.apply('/apis/networking.k8s.io/v1/servicecidrs/recorded/status', 'service-cidrs-controller', {
        ...object('networking.k8s.io/v1', 'ServiceCIDR', 'recorded'),
        status: {
          conditions: [
            {
              type: 'Ready',
              status: 'True',
              reason: '',
              message: 'Kubernetes Service CIDR is ready',
              lastTransitionTime: TIME,
            },
          ],
        },
      }),
    ],
  ),
];

const cluster: readonly Component[] = [
  controller(
    'node-controller',
    [
      [NODES, object('v1', 'Node', 'lost')],
      [`${CORE}/pods`, pod('lost', { nodeName: 'lost', terminationGracePeriodSeconds: 0 })],
    ],
    [
      status(`${NODES}/lost`, { conditions: [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }] }),
      sends.patch(`${NODES}/lost`, STRATEGIC, {
        spec: { taints: [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: TIME }] },
      }),
      sends.patch(`${NODES}/lost`, STRATEGIC, { metadata: { labels: { 'beta.kubernetes.io/os': 'linux' } } }),
      status(`${CORE}/pods/lost`, { conditions: [{ type: 'Ready', status: 'False' }] }),
      sends.patch(`${CORE}/pods/lost/status`, STRATEGIC, {
        status: { conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager' }] },
      }),
      sends.remove(`${CORE}/pods/lost`),
      sends.remove(`${NODES}/lost`),
    ],
  ),
  controller(
    'pod-garbage-collector',
    [[`${CORE}/pods`, pod('orphan', { nodeName: 'gone' })]],
    [
      { ...sends.read(`${NODES}/gone`), refused: { code: 404, why: 'the node of the pod is gone' } },
      sends.patch(`${CORE}/pods/orphan/status`, STRATEGIC, { status: { phase: 'Failed' } }),
      sends.remove(`${CORE}/pods/orphan`, { gracePeriodSeconds: 0 }),
    ],
  ),
  controller(
    'namespace-controller',
    [['/api/v1/namespaces', object('v1', 'Namespace', 'ending')]],
    [
      sends.read('/api/v1/namespaces/ending'),
      status('/api/v1/namespaces/ending', {}),
      sends.remove('/api/v1/namespaces/ending/configmaps', { propagationPolicy: 'Background' }),
      sends.read('/apis/apps/v1/namespaces/ending/deployments'),
      sends.update('/api/v1/namespaces/ending/finalize', (namespace) => namespace),
    ],
  ),
  controller(
    'service-account-controller',
    [],
    [sends.create('/api/v1/namespaces/kube-public/serviceaccounts', object('v1', 'ServiceAccount', 'recorded'))],
  ),
  controller(
    'root-ca-cert-publisher',
    [],
    [
      sends.create(
        '/api/v1/namespaces/kube-public/configmaps',
        object('v1', 'ConfigMap', 'recorded', { data: { 'ca.crt': '' } }),
      ),
      sends.update('/api/v1/namespaces/kube-public/configmaps/recorded', (configMap) => configMap),
    ],
  ),
  controller(
    'resourcequota-controller',
    [[`${CORE}/resourcequotas`, object('v1', 'ResourceQuota', 'quota', { spec: { hard: { configmaps: '1000' } } })]],
    [status(`${CORE}/resourcequotas/quota`, { hard: { configmaps: '1000' }, used: { configmaps: '1' } })],
  ),
  controller(
    'clusterrole-aggregation-controller',
    [],
    [
      sends.apply('/apis/rbac.authorization.k8s.io/v1/clusterroles/view', 'clusterrole-aggregation-controller', {
        ...object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'view'),
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }],
      }),
    ],
  ),
  controller(
    'certificate-controller',
    [],
    [
      sends.create('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: {
          user: 'system:node:worker',
          groups: ['system:nodes'],
          resourceAttributes: {
            group: 'certificates.k8s.io',
            resource: 'certificatesigningrequests',
            subresource: 'selfnodeclient',
            verb: 'create',
            version: '*',
          },
        },
      }),
      { ...sends.remove(`${CSRS}/expired`), refused: { code: 404, why: 'another cleaner was faster' } },
    ],
  ),
];

const volume = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/data' } };
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: '' };
const storage: readonly Component[] = [
  controller(
    'persistent-volume-binder',
    [
      ['/api/v1/persistentvolumes', object('v1', 'PersistentVolume', 'bound', { spec: volume })],
      [`${CORE}/persistentvolumeclaims`, object('v1', 'PersistentVolumeClaim', 'bound', { spec: claim })],
    ],
    [
      sends.update('/api/v1/persistentvolumes/bound', (stored) => ({
        ...stored,
        spec: { ...stored['spec'], claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'bound' } },
      })),
      status('/api/v1/persistentvolumes/bound', { phase: 'Bound' }),
      sends.update(`${CORE}/persistentvolumeclaims/bound`, (stored) => ({
        ...stored,
        spec: { ...stored['spec'], volumeName: 'bound' },
      })),
      status(`${CORE}/persistentvolumeclaims/bound`, { phase: 'Bound', capacity: { storage: '1Gi' } }),
    ],
  ),
  controller(
    'attachdetach-controller',
    [[NODES, object('v1', 'Node', 'attached')]],
    [
      sends.create(
        '/apis/storage.k8s.io/v1/volumeattachments',
        object('storage.k8s.io/v1', 'VolumeAttachment', 'csi-recorded', {
          spec: { attacher: 'csi.example.com', nodeName: 'attached', source: { persistentVolumeName: 'bound' } },
        }),
      ),
      sends.patch(`${NODES}/attached/status`, STRATEGIC, {
        status: { volumesAttached: [{ name: 'kubernetes.io/csi/x', devicePath: '' }] },
      }),
      sends.remove('/apis/storage.k8s.io/v1/volumeattachments/csi-recorded'),
    ],
  ),
  controller(
    'pvc-protection-controller',
    [[`${CORE}/persistentvolumeclaims`, object('v1', 'PersistentVolumeClaim', 'protected', { spec: claim })]],
    [sends.update(`${CORE}/persistentvolumeclaims/protected`, (stored) => stored)],
  ),
  controller(
    'resource-claim-controller',
    [[`${CORE}/pods`, pod('claiming')]],
    [
      sends.create(
        '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims',
        object('resource.k8s.io/v1', 'ResourceClaim', 'recorded', {
          spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu.example.com' } }] } },
        }),
      ),
      status('/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/recorded', {
        allocation: {
          devices: { results: [{ request: 'gpu', driver: 'dra.example.com', pool: 'a', device: 'gpu-0' }] },
        },
        reservedFor: [{ resource: 'pods', name: 'claiming', uid: 'recorded' }],
      }),
      sends.apply(`${CORE}/pods/claiming/status`, 'ResourceClaimController', {
        ...object('v1', 'Pod', 'claiming'),
        status: { resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'recorded' }] },
      }),
      sends.remove('/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/recorded'),
    ],
  ),
];

/** The controllers of addresses, of nodes and namespaces, and of volumes and devices. */
export const clusterControllers: readonly Component[] = [...network, ...cluster, ...storage];
