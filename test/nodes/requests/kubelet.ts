import { ACCEPT, type ApiObject, type Component, JSON_ONLY, sends, STRATEGIC } from '../ComponentRequest.ts';

const NODE = 'recorded-worker';
const POD = '/api/v1/namespaces/default/pods/recorded';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const CSI_NODES = '/apis/storage.k8s.io/v1/csinodes';
const SECRETS = '/api/v1/namespaces/default/secrets';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const TIME = '2026-01-01T00:00:00Z';

const capacity = { cpu: '2', 'ephemeral-storage': '20Gi', 'hugepages-2Mi': '0', memory: '4Gi', pods: '110' };
const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' };
const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: NODE,
    labels: { 'kubernetes.io/hostname': NODE, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' },
    annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
  },
  spec: { podCIDR: '10.88.0.0/24' },
  status: {
    addresses: [{ type: 'InternalIP', address: '192.0.2.11' }],
    allocatable: capacity,
    capacity,
    conditions: [{ ...ready, lastHeartbeatTime: TIME, lastTransitionTime: TIME }],
    daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
    features: { supplementalGroupsPolicy: true },
    images: [{ names: ['busybox:1'], sizeBytes: 2_166_802 }],
    nodeInfo: { kubeletVersion: 'v1.35.0', operatingSystem: 'linux', swap: { capacity: 0 } },
    runtimeHandlers: [{ name: '', features: { recursiveReadOnlyMounts: true, userNamespaces: true } }],
  },
};

const containers = [{ name: 'main', image: 'busybox:1', envFrom: [{ secretRef: { name: 'recorded' } }] }];
const volumes = [
  { name: 'config', configMap: { name: 'recorded' } },
  { name: 'data', persistentVolumeClaim: { claimName: 'recorded' } },
];
const ofCore = (kind: string, name: string, more: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name },
  ...more,
});
const volume = {
  accessModes: ['ReadWriteOnce'],
  capacity: { storage: '1Gi' },
  csi: { driver: 'csi.example.com', volumeHandle: 'volume' },
  claimRef: { namespace: 'default', name: 'recorded' },
  storageClassName: '',
};
const claim = {
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
  storageClassName: '',
  volumeName: 'recorded',
};
const attachment = { attacher: 'csi.example.com', nodeName: NODE, source: { persistentVolumeName: 'recorded' } };

/** Asks for the serving certificate of `recorded-worker` at 192.0.2.11, by a key that nobody has any more. */
const request = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQkt6Q0IwZ0lCQURBOU1SVXdFd1lEVlFRS0RBeHplWE4wWlcwNmJtOWtaWE',
  '14SkRBaUJnTlZCQU1NRzNONQpjM1JsYlRwdWIyUmxPbkpsWTI5eVpHVmtMWGR2Y210bGNqQlpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VI',
  'CkEwSUFCQjBNaitQYjZ1dUxtMjQ1aUFob0dPa3VNblVJNzJpcXVkcW5mQ1FRK3RJUklGeTBwTEFMRWxIeFNadmgKRXIwaDIzQTd2bVdqRzFobz',
  'gyTTAyWkRqMGF5Z016QXhCZ2txaGtpRzl3MEJDUTR4SkRBaU1DQUdBMVVkRVFRWgpNQmVIQk1BQUFndUNEM0psWTI5eVpHVmtMWGR2Y210bGNq',
  'QUtCZ2dxaGtqT1BRUURBZ05JQURCRkFpQWhEeE1ECmhERHA4WFIzZnBiSU5RcVFLeGNFVnVTWWtmWlcyNmUxQjhPSUZBSWhBTk11V09Ub3VSN2',
  'I1V1hkQVNGc3QzbEkKQjZTTGQxcXdZc0ZOUHkySVhjRDgKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==',
].join('');
const signing = { request, signerName: 'kubernetes.io/kubelet-serving', usages: ['digital signature', 'server auth'] };

const status = {
  '$setElementOrder/conditions': [{ type: 'Initialized' }, { type: 'Ready' }, { type: 'PodScheduled' }],
  conditions: [
    { type: 'Initialized', status: 'True', lastProbeTime: null, lastTransitionTime: TIME, observedGeneration: 1 },
    { type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: TIME, observedGeneration: 1 },
  ],
  containerStatuses: [
    {
      name: 'main',
      image: 'busybox:1',
      imageID: 'sha256:1',
      containerID: 'containerd://1',
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: TIME } },
      lastState: {},
      resources: {},
      volumeMounts: [{ name: 'config', mountPath: '/config', readOnly: true, recursiveReadOnly: 'Disabled' }],
      user: { linux: { uid: 0, gid: 0, supplementalGroups: [0] } },
    },
  ],
  hostIP: '192.0.2.11',
  hostIPs: [{ ip: '192.0.2.11' }],
  observedGeneration: 1,
  phase: 'Running',
  podIP: '10.88.0.2',
  podIPs: [{ ip: '10.88.0.2' }],
  startTime: TIME,
};

/** The kubelet of `recorded-worker`, on which the pod `recorded` is. */
export const kubelet: Component = {
  name: 'kubelet',
  username: `system:node:${NODE}`,
  groups: ['system:nodes', 'system:authenticated'],
  speaks: 'protobuf',
  given: [
    [SECRETS, ofCore('Secret', 'recorded')],
    [CONFIG_MAPS, ofCore('ConfigMap', 'recorded')],
    ['/api/v1/persistentvolumes', ofCore('PersistentVolume', 'recorded', { spec: volume })],
    ['/api/v1/namespaces/default/persistentvolumeclaims', ofCore('PersistentVolumeClaim', 'recorded', { spec: claim })],
    [
      '/apis/storage.k8s.io/v1/volumeattachments',
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        metadata: { name: 'recorded' },
        spec: attachment,
      },
    ],
    [
      '/api/v1/namespaces/default/pods',
      ofCore('Pod', 'recorded', { spec: { nodeName: NODE, containers, volumes, terminationGracePeriodSeconds: 1 } }),
    ],
  ],
  requests: [
    ...sends.informer('/api/v1/nodes', { fieldSelector: `metadata.name=${NODE}` }),
    sends.create('/api/v1/nodes', node),
    {
      ...sends.create('/api/v1/nodes', node),
      refused: { code: 409, why: 'a kubelet that starts again registers again' },
    },
    sends.read(`/api/v1/nodes/${NODE}?resourceVersion=0`),
    sends.patch(`/api/v1/nodes/${NODE}/status`, STRATEGIC, {
      metadata: { labels: { 'beta.kubernetes.io/arch': 'amd64' } },
      status: {
        '$setElementOrder/conditions': [{ type: 'MemoryPressure' }, { type: 'Ready' }],
        conditions: [{ type: 'Ready', lastHeartbeatTime: TIME }],
        images: [],
      },
    }),
    sends.readMissing(`${CSI_NODES}/${NODE}`),
    sends.create(CSI_NODES, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: {
        name: NODE,
        annotations: { 'storage.alpha.kubernetes.io/migrated-plugins': 'kubernetes.io/aws-ebs' },
      },
      spec: { drivers: [] },
    }),
    sends.update(`${CSI_NODES}/${NODE}`, (csiNode) => ({
      ...csiNode,
      spec: { drivers: [{ name: 'csi.example.com', nodeID: NODE, topologyKeys: [] }] },
    })),
    sends.readMissing(`${LEASES}/${NODE}`),
    sends.create(LEASES, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: NODE },
      spec: { holderIdentity: NODE, leaseDurationSeconds: 40, renewTime: '2026-01-01T00:00:00.000000Z' },
    }),
    sends.update(`${LEASES}/${NODE}`, (lease) => lease),
    ...sends.informer('/api/v1/pods', { fieldSelector: `spec.nodeName=${NODE}` }),
    ...sends.informers('/api/v1/services', '/apis/storage.k8s.io/v1/csidrivers', '/apis/node.k8s.io/v1/runtimeclasses'),
    sends.remove(`/apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.nodeName%3D${NODE}`),
    ...sends.informer(SECRETS, { fieldSelector: 'metadata.name=recorded' }),
    ...sends.informer(CONFIG_MAPS, { fieldSelector: 'metadata.name=recorded' }),
    ...sends.informer(CONFIG_MAPS, { fieldSelector: 'metadata.name=kube-root-ca.crt' }),
    sends.read(`${SECRETS}/recorded`),
    sends.read(`${CONFIG_MAPS}/recorded`),
    sends.read('/api/v1/namespaces/default/persistentvolumeclaims/recorded'),
    sends.read('/api/v1/persistentvolumes/recorded'),
    sends.read('/apis/storage.k8s.io/v1/volumeattachments/recorded'),
    {
      method: 'POST',
      path: '/api/v1/namespaces/default/serviceaccounts/default/token',
      about: POD,
      body: ({ metadata: { name, uid } }) => ({
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { audiences: [], expirationSeconds: 3607, boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid } },
      }),
    },
    ...sends.events('kubelet', { kind: 'Pod', namespace: 'default', name: 'recorded', apiVersion: 'v1' }),
    ...sends.events('kubelet', { kind: 'Node', name: NODE, uid: NODE }).slice(1),
    sends.read(POD),
    sends.patch(`${POD}/status`, STRATEGIC, { status }),
    {
      ...sends.patch(`${POD}/status`, STRATEGIC, { metadata: { uid: 'another' }, status: { phase: 'Failed' } }),
      refused: { code: 422, why: 'it has the UID of a pod that was deleted and created again' },
    },
    ...sends.delegatedAuthentication(),
    sends.create(REQUESTS, {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { generateName: 'csr-' },
      spec: signing,
    }),
    ...sends.informer(REQUESTS, { fieldSelector: 'metadata.name=csr-recorded' }),
    sends.remove(POD, { gracePeriodSeconds: 0 }),
  ],
};

const AGGREGATED = ['v2', 'v2beta1']
  .map((version) => `${JSON_ONLY};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat(JSON_ONLY)
  .join(',');

/** What kubectl, kubeadm and kube-controller-manager ask before anything else. */
export const discovery: Component = {
  name: 'discovery of any component',
  username: `system:node:${NODE}`,
  groups: ['system:nodes', 'system:authenticated'],
  speaks: 'json',
  requests: [
    ...['/api', '/apis'].flatMap((path) => [sends.read(path, AGGREGATED), sends.read(path, ACCEPT.json)]),
    ...['/api/v1', '/apis/apps/v1', '/openapi/v3', '/version', '/readyz', '/livez', '/healthz'].map((path) =>
      sends.read(path),
    ),
    sends.read('/openapi/v2', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'),
  ],
};
