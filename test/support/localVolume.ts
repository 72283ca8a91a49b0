import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';

/** A class of volumes that nobody makes: each of them exists, and is given to a claim once a pod needs it. */
export const LOCAL_CLASS: NewObject = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'local' },
  provisioner: 'kubernetes.io/no-provisioner',
  volumeBindingMode: 'WaitForFirstConsumer',
};

const SHAPE = { accessModes: ['ReadWriteOnce'], storageClassName: LOCAL_CLASS.metadata.name };

/** A volume of a gibibyte on the disk of this node. */
export function localVolume(name: string, nodeName: string): NewObject {
  const term = { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [nodeName] }] };
  const spec = {
    ...SHAPE,
    capacity: { storage: '1Gi' },
    local: { path: '/mnt/disk' },
    nodeAffinity: { required: { nodeSelectorTerms: [term] } },
  };
  return { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name }, spec };
}

/** A claim of such a volume. */
export function localClaim(name: string): NewObject {
  const spec = { ...SHAPE, resources: { requests: { storage: '1Gi' } } };
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, namespace: 'default' }, spec };
}

/** A pod that uses the claim of its name. */
export function podWithClaim(name: string): NewObject {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: name } }];
  const spec = { containers: [{ name: 'main', image: 'nginx:1' }], volumes };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, spec };
}
