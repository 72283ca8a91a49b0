import type { NewObject } from '../../objects/KubernetesObject.ts';
import type { PersistentVolumeClaim } from '../../objects/kinds.ts';
import { SIMULATED_PROVISIONER } from '../../objects/simulated/simulatedStorage.ts';
import type { StorageClass, Volume } from '../scheduler/framework/Volumes.ts';

/** Names what made a volume. */
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
/** Name the provisioner that is to make the volume of a claim: the annotation, and its older name. */
const STORAGE_PROVISIONER = [
  'volume.beta.kubernetes.io/storage-provisioner',
  'volume.kubernetes.io/storage-provisioner',
];

/** Returns the name of a claim's volume. It follows from the claim's UID, so that no claim gets two: Kubernetes' `getProvisionedVolumeNameForClaim`. Pure. */
export function volumeNameOf({ metadata }: PersistentVolumeClaim): string {
  return `pvc-${metadata.uid}`;
}

/** True for a volume that this controller made. Pure. */
export function isSimulatedVolume({ metadata }: { readonly metadata: Volume['metadata'] }): boolean {
  return metadata.annotations?.[PROVISIONED_BY] === SIMULATED_PROVISIONER;
}

/** Returns the volume for a claim: as large as the claim asks for, and reserved for it. Pods on any simulated node can use it, like a disk of a network. Pure. */
export function newVolume(
  claim: PersistentVolumeClaim,
  { metadata, reclaimPolicy = 'Delete' }: StorageClass,
): NewObject {
  const { spec } = claim;
  const name = volumeNameOf(claim);
  const { namespace = '', name: claimName, uid } = claim.metadata;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, annotations: { [PROVISIONED_BY]: SIMULATED_PROVISIONER } },
    spec: {
      capacity: { storage: spec?.resources?.requests?.['storage'] ?? '0' },
      accessModes: spec?.accessModes ?? [],
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name: claimName, uid },
      csi: { driver: SIMULATED_PROVISIONER, volumeHandle: name },
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: metadata.name,
      ...(spec?.volumeMode !== undefined && { volumeMode: spec.volumeMode }),
    },
  };
}

/** True if the volume is the claim's. Pure. */
export function isReservedFor({ spec }: Volume, { metadata }: PersistentVolumeClaim): boolean {
  return spec?.claimRef?.uid === metadata.uid;
}

/** Returns the claim with the name of its provisioner: Kubernetes' `setClaimProvisioner`. The same object if it has it already. Pure. */
export function withProvisioner(claim: PersistentVolumeClaim, provisioner: string): PersistentVolumeClaim {
  const { annotations } = claim.metadata;
  if (STORAGE_PROVISIONER.every((name) => annotations?.[name] === provisioner)) return claim;
  const added = Object.fromEntries(STORAGE_PROVISIONER.map((name) => [name, provisioner]));
  return { ...claim, metadata: { ...claim.metadata, annotations: { ...annotations, ...added } } };
}

/** True for a class whose volumes this controller makes. Pure. */
export function isSimulatedClass(storageClass: StorageClass | undefined): storageClass is StorageClass {
  return storageClass?.provisioner === SIMULATED_PROVISIONER;
}
