import { type Component, sends, STRATEGIC } from '../ComponentRequest.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const VOLUMES = '/api/v1/persistentvolumes';
const NODE = 'recorded-node';

const ofCore = (kind: string, name: string, spec?: object) => ({ apiVersion: 'v1', kind, metadata: { name }, spec });
const resources = { requests: { storage: '1Gi' } };
const pod = { schedulerName: 'recorded', containers: [{ name: 'main', image: 'busybox:1' }] };

/** kube-scheduler, with its own election, its plugins of volumes and devices, and a preemption. */
export const kubeScheduler: Component = {
  name: 'kube-scheduler',
  username: 'system:kube-scheduler',
  groups: ['system:authenticated'],
  speaks: 'configuredProtobuf',
  given: [
    ['/api/v1/nodes', ofCore('Node', NODE)],
    [PODS, ofCore('Pod', 'pending', pod)],
    [PODS, ofCore('Pod', 'victim', { ...pod, nodeName: NODE })],
    [
      CLAIMS,
      ofCore('PersistentVolumeClaim', 'pending', { accessModes: ['ReadWriteOnce'], resources, storageClassName: '' }),
    ],
    [
      VOLUMES,
      ofCore('PersistentVolume', 'free', {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        hostPath: { path: '/data' },
      }),
    ],
  ],
  requests: [
    ...sends.requestHeaderAuthorities(),
    ...sends.delegatedAuthentication(),
    ...sends.informer('/api/v1/pods', { fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed' }),
    ...sends.informers(
      '/api/v1/namespaces',
      '/api/v1/nodes',
      '/api/v1/persistentvolumeclaims',
      '/api/v1/persistentvolumes',
      '/api/v1/replicationcontrollers',
      '/api/v1/services',
      '/apis/apps/v1/replicasets',
      '/apis/apps/v1/statefulsets',
      '/apis/policy/v1/poddisruptionbudgets',
      '/apis/storage.k8s.io/v1/csidrivers',
      '/apis/storage.k8s.io/v1/csinodes',
      '/apis/storage.k8s.io/v1/csistoragecapacities',
      '/apis/storage.k8s.io/v1/storageclasses',
      '/apis/storage.k8s.io/v1/volumeattachments',
      '/apis/resource.k8s.io/v1/deviceclasses',
      '/apis/resource.k8s.io/v1/resourceclaims',
      '/apis/resource.k8s.io/v1/resourceslices',
    ),
    ...sends.leaderElection('kube-scheduler'),
    sends.patch(`${PODS}/pending/status`, STRATEGIC, {
      status: {
        '$setElementOrder/conditions': [{ type: 'PodScheduled' }],
        conditions: [
          {
            type: 'PodScheduled',
            status: 'False',
            reason: 'Unschedulable',
            message: '0/1 nodes are available: 1 Insufficient cpu.',
            lastProbeTime: null,
            lastTransitionTime: '2026-01-01T00:00:00Z',
          },
        ],
        nominatedNodeName: NODE,
      },
    }),
    sends.patch(`${PODS}/victim/status`, STRATEGIC, {
      status: { conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }] },
    }),
    sends.remove(`${PODS}/victim`),
    ...sends.newEvents('kube-scheduler', { kind: 'Pod', namespace: 'default', name: 'pending', apiVersion: 'v1' }),
    sends.update(`${VOLUMES}/free`, (volume) => ({
      ...volume,
      spec: { ...volume['spec'], claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'pending' } },
    })),
    sends.update(`${CLAIMS}/pending`, (claim) => {
      const annotations = { 'volume.kubernetes.io/selected-node': NODE };
      return { ...claim, metadata: { ...claim['metadata'], annotations } };
    }),
    sends.create(`${PODS}/pending/binding`, {
      ...ofCore('Binding', 'pending'),
      metadata: { name: 'pending', namespace: 'default' },
      target: { kind: 'Node', name: NODE },
    }),
  ],
};
