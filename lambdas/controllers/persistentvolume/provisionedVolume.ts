import type { PersistentVolumeClaimStatus } from 'kubernetes-types/core/v1.js';
import { jsonEqual } from '../../objects/json.ts';
import type { NewObject } from '../../objects/KubernetesObject.ts';
import type { PersistentVolumeClaim } from '../../objects/kinds.ts';
import { SIMULATED_PROVISIONER } from '../../objects/simulatedStorage.ts';
import { BIND_COMPLETED, type StorageClass, type Volume } from '../scheduler/framework/Volumes.ts';

/** Names what made a volume. */
const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
const STORAGE_PROVISIONER = 'volume.kubernetes.io/storage-provisioner';

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

/** Returns the claim with its volume. Pure. */
export function boundClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const annotations = {
    ...claim.metadata.annotations,
    [BIND_COMPLETED]: 'yes',
    [BOUND_BY_CONTROLLER]: 'yes',
    [STORAGE_PROVISIONER]: SIMULATED_PROVISIONER,
  };
  const spec = { ...claim.spec, volumeName: volumeNameOf(claim) };
  const isRight = jsonEqual(annotations, claim.metadata.annotations) && jsonEqual(spec, claim.spec);
  return isRight ? claim : { ...claim, metadata: { ...claim.metadata, annotations }, spec };
}

/** Returns the status of a claim that has this volume. Pure. */
export function boundStatus({ spec }: Volume): PersistentVolumeClaimStatus {
  return { phase: 'Bound', accessModes: [...(spec?.accessModes ?? [])], capacity: spec?.capacity ?? {} };
}
