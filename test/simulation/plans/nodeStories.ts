import { CLAIM_SPEC, named, pod, withSpec, workload } from './manifests.ts';
import { STANDARD_STORAGE_CLASS } from '../../../lambdas/objects/simulated/simulatedStorage.ts';
import { simulatedNode } from '../../../lambdas/functions/resync/simulatedNode.ts';
import type { Stories } from './Story.ts';

/** What the controllers of pods, nodes and volumes have to do. */
export const NODE_STORIES = {
  pod: {
    'runs a pod': { change: (bench) => bench.create('pods', pod('web')) },
    'ends a pod that is deleted': {
      begin: (bench) => bench.create('pods', pod('web')),
      change: (bench) => bench.delete('pods', 'web'),
    },
  },
  scheduler: {
    'finds a node for a pod with requests': {
      change: (bench) =>
        bench.create(
          'pods',
          pod('web', { containers: [{ name: 'main', image: 'nginx:1', resources: { requests: { cpu: '1' } } }] }),
        ),
    },
    'gives a pod the room that another leaves': {
      begin: async (bench) => {
        const containers = [{ name: 'main', image: 'nginx:1', resources: { requests: { cpu: '500' } } }];
        for (const name of ['one', 'two', 'waits']) await bench.create('pods', pod(name, { containers }));
      },
      change: (bench) => bench.delete('pods', 'one'),
    },
  },
  podgc: {
    'deletes the pods of a node that is gone': {
      begin: (bench) => bench.create('replicasets.apps', workload('ReplicaSet', { replicas: 4 })),
      change: (bench) => bench.delete('nodes', 'driftless-node-1', ''),
    },
  },
  nodelifecycle: {
    'taints a node that gives no sign of life': {
      change: (bench) =>
        bench.create('nodes', {
          apiVersion: 'v1',
          kind: 'Node',
          metadata: { name: 'worker' },
          status: { conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }] },
        }),
    },
  },
  nodelease: {
    'renews the lease of a new node': {
      change: (bench) => bench.create('nodes', simulatedNode(3, {}, bench.clock.now())),
      without: ['nodelifecycle'],
    },
  },
  tainteviction: {
    'evicts the pods of a node with a taint': {
      begin: (bench) => bench.create('replicasets.apps', workload('ReplicaSet', { replicas: 4 })),
      change: (bench) =>
        bench.update('nodes', 'driftless-node-1', withSpec({ taints: [{ key: 'broken', effect: 'NoExecute' }] }), {
          namespace: '',
        }),
    },
  },
  pvcprotection: {
    'keeps a claim until its pod is gone': {
      begin: async (bench) => {
        await bench.create('persistentvolumeclaims', named('PersistentVolumeClaim', 'data', { spec: CLAIM_SPEC }));
        const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
        await bench.create('pods', pod('web', { volumes, nodeName: 'driftless-node-1' }));
      },
      change: async (bench) => {
        await bench.delete('persistentvolumeclaims', 'data');
        await bench.delete('pods', 'web');
      },
    },
  },
  pvprotection: {
    'lets a volume go that is deleted': {
      begin: (bench) =>
        bench.create('persistentvolumes', {
          apiVersion: 'v1',
          kind: 'PersistentVolume',
          metadata: { name: 'disk' },
          spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/data' } },
        }),
      change: (bench) => bench.delete('persistentvolumes', 'disk', ''),
    },
  },
  persistentvolume: {
    'makes a volume for a claim, and removes it with the claim': {
      begin: async (bench) => {
        const atOnce = { ...STANDARD_STORAGE_CLASS, metadata: { name: 'at-once' }, volumeBindingMode: 'Immediate' };
        await bench.create('storageclasses.storage.k8s.io', atOnce);
        const spec = { ...CLAIM_SPEC, storageClassName: 'at-once' };
        await bench.create('persistentvolumeclaims', named('PersistentVolumeClaim', 'old', { spec }));
      },
      change: async (bench) => {
        const spec = { ...CLAIM_SPEC, storageClassName: 'at-once' };
        await bench.create('persistentvolumeclaims', named('PersistentVolumeClaim', 'new', { spec }));
        await bench.delete('persistentvolumeclaims', 'old');
      },
    },
  },
} satisfies Readonly<Record<string, Stories>>;
