import type {
  PersistentVolume as ApiVolume,
  PersistentVolumeClaim as ApiClaim,
  PodSpec,
} from 'kubernetes-types/core/v1.js';
import type { StorageClass as ApiStorageClass } from 'kubernetes-types/storage/v1.js';
import type { Stored } from '../../../objects/KubernetesObject.ts';
import type { Pod } from '../../../objects/kinds.ts';

export type Claim = Stored<ApiClaim>;
export type Volume = Stored<ApiVolume>;
export type StorageClass = Stored<ApiStorageClass>;

/** The claims, volumes and classes of the cluster. They are listed only if a pod that waits has a claim. */
export interface Volumes {
  /** By `namespace/name`. */
  readonly claims: ReadonlyMap<string, Claim>;
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly classes: ReadonlyMap<string, StorageClass>;
}

export const NO_VOLUMES: Volumes = { claims: new Map(), volumes: new Map(), classes: new Map() };

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

/** An annotation of a claim that its controller has bound. */
export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';

/** Whether the claim has its volume: Kubernetes' `isPVCFullyBound`, or as its status says. Pure. */
export function isBound({ metadata, spec, status }: Claim): boolean {
  const isComplete = status?.phase === 'Bound' || metadata.annotations?.[BIND_COMPLETED] !== undefined;
  return Boolean(spec?.volumeName) && isComplete;
}

/** The node for which a provisioner is to make the volume: an annotation of a claim. */
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
