import type { NewObject } from '../KubernetesObject.ts';

/** The provisioner that makes volumes for pods on simulated nodes. They hold nothing. */
export const SIMULATED_PROVISIONER = 'simulated.driftless.dev';

/** The class of claims that name none. It has the name and the binding mode that it has in kind. */
export const STANDARD_STORAGE_CLASS: NewObject = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: SIMULATED_PROVISIONER,
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'WaitForFirstConsumer',
};
