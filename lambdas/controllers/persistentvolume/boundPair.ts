import { type Claim, BIND_COMPLETED, type Volume } from '../scheduler/framework/Volumes.ts';
import { isVolumeBoundToClaim } from './findMatchingVolume.ts';

/** Says that a controller, and no user, has chosen the other half. */
export const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';

/** Returns the volume as the claim's: Kubernetes' `GetBindVolumeToClaim`. The same object if it is already. Pure. */
export function volumeBoundTo(volume: Volume, { metadata }: Claim): Volume {
  if (volume.spec?.claimRef?.uid === metadata.uid) return volume;
  const { name, namespace = '', uid, resourceVersion } = metadata;
  const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid, resourceVersion };
  const isReserved = isVolumeBoundToClaim(volume, { metadata } as Claim);
  return { ...(isReserved ? volume : annotated(volume, BOUND_BY_CONTROLLER)), spec: { ...volume.spec, claimRef } };
}

/** Returns the claim as one that has the volume: Kubernetes' `bindClaimToVolume`. The same object if it is already. Pure. */
export function claimBoundTo(claim: Claim, { metadata: { name } }: Volume): Claim {
  const isChosen = claim.spec?.volumeName === name;
  const chosen = isChosen
    ? claim
    : { ...annotated(claim, BOUND_BY_CONTROLLER), spec: { ...claim.spec, volumeName: name } };
  return annotated(chosen, BIND_COMPLETED);
}

/** Returns the volume without its claim: Kubernetes' `unbindVolume`. One that a user has reserved stays so. Pure. */
export function unboundVolume(volume: Volume): Volume {
  const { [BOUND_BY_CONTROLLER]: byController, ...annotations } = volume.metadata.annotations ?? {};
  const { claimRef: { uid: _uid, resourceVersion: _version, ...reservation } = {}, ...spec } = volume.spec ?? {};
  if (byController === undefined) return { ...volume, spec: { ...spec, claimRef: reservation } };
  return { ...volume, metadata: { ...volume.metadata, annotations }, spec };
}

function annotated<T extends Claim | Volume>(object: T, name: string): T {
  const { annotations } = object.metadata;
  if (annotations?.[name] !== undefined) return object;
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [name]: 'yes' } } };
}
