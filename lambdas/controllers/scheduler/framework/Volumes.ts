import type {
  PersistentVolume as ApiVolume,
  PersistentVolumeClaim as ApiClaim,
  PodSpec,
} from 'kubernetes-types/core/v1.js';
import type {
  CSIDriver as ApiCsiDriver,
  CSINode as ApiCsiNode,
  CSIStorageCapacity as ApiStorageCapacity,
  StorageClass as ApiStorageClass,
} from 'kubernetes-types/storage/v1.js';
import type { Stored } from '../../../objects/KubernetesObject.ts';
import type { Pod } from '../../../objects/kinds.ts';

export type Claim = Stored<ApiClaim>;
export type Volume = Stored<ApiVolume>;
export type StorageClass = Stored<ApiStorageClass>;
export const CSI_NODES = 'csinodes.storage.k8s.io';
/** What the storage drivers of a node say; it has the node's name. */
export type CsiNode = Stored<ApiCsiNode>;
export const CSI_DRIVERS = 'csidrivers.storage.k8s.io';
export type CsiDriver = Stored<ApiCsiDriver>;
export const STORAGE_CAPACITIES = 'csistoragecapacities.storage.k8s.io';
/** How much room a driver has for new volumes of a class, and on which nodes. */
export type StorageCapacity = Stored<ApiStorageCapacity>;

/** The claims, volumes and classes of the cluster. They are listed only if a pod that waits has a claim; the rest, only if one of those claims is of a driver that is not simulated. */
export interface Volumes {
  /** By `namespace/name`. */
  readonly claims: ReadonlyMap<string, Claim>;
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly classes: ReadonlyMap<string, StorageClass>;
  readonly csiNodes: ReadonlyMap<string, CsiNode>;
  readonly csiDrivers: ReadonlyMap<string, CsiDriver>;
  /** Listed only if one of those drivers says how much room it has. */
  readonly capacities: readonly StorageCapacity[];
}

export const NO_VOLUMES: Volumes = {
  claims: new Map(),
  volumes: new Map(),
  classes: new Map(),
  csiNodes: new Map(),
  csiDrivers: new Map(),
  capacities: [],
};

/** A claim that a pod uses. */
export interface ClaimUse {
  readonly name: string;
  /** Whether it is made for the pod, and goes with it. */
  readonly isEphemeral: boolean;
}

/** Returns the claims that a pod uses. Pure. */
export function claimsUsedBy({
  metadata,
  spec,
}: {
  readonly metadata: Pod['metadata'];
  readonly spec?: PodSpec;
}): ClaimUse[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }): ClaimUse[] => {
    if (persistentVolumeClaim) return [{ name: persistentVolumeClaim.claimName, isEphemeral: false }];
    return ephemeral ? [{ name: `${metadata.name}-${name}`, isEphemeral: true }] : [];
  });
}

/** A volume as its driver knows it. A claim without a volume has a handle that stands for the one that it will get. */
export interface DriverVolume {
  readonly driver: string;
  readonly handle: string;
}

/** Returns the volumes of storage drivers that the pod's claims have, or will have. Pure. */
export function driverVolumesOf(pod: Pod, { claims, volumes, classes }: Volumes): readonly DriverVolume[] {
  return claimsUsedBy(pod).flatMap(({ name }): DriverVolume[] => {
    const key = `${pod.metadata.namespace ?? ''}/${name}`;
    const { volumeName = '', storageClassName = '' } = claims.get(key)?.spec ?? {};
    const csi = volumes.get(volumeName)?.spec?.csi;
    if (csi) return [{ driver: csi.driver, handle: csi.volumeHandle }];
    const driver = volumes.has(volumeName) ? undefined : classes.get(storageClassName)?.provisioner;
    return driver === undefined ? [] : [{ driver, handle: `of ${key}` }];
  });
}

/** An annotation of a claim that its controller has bound. */
export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';

/** Whether the claim has its volume: Kubernetes' `isPVCFullyBound`, or as its status says. Pure. */
export function isBound({ metadata, spec, status }: Claim): boolean {
  const isComplete = status?.phase === 'Bound' || metadata.annotations?.[BIND_COMPLETED] !== undefined;
  return Boolean(spec?.volumeName) && isComplete;
}

/** The node for which a provisioner is to make the volume: an annotation of a claim. */
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

/** Returns the claim with this node selected. The same object if it is already. Pure. */
export function withSelectedNode(claim: Claim, nodeName: string): Claim {
  const { annotations } = claim.metadata;
  if (annotations?.[SELECTED_NODE] === nodeName) return claim;
  return { ...claim, metadata: { ...claim.metadata, annotations: { ...annotations, [SELECTED_NODE]: nodeName } } };
}

/** Returns the claim with no node selected. Pure. */
export function withoutSelectedNode(claim: Claim): Claim {
  const { [SELECTED_NODE]: _, ...annotations } = claim.metadata.annotations ?? {};
  return { ...claim, metadata: { ...claim.metadata, annotations } };
}
