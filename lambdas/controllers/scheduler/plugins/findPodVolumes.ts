import type { Node } from '../../../objects/kinds.ts';
import { matchesLabelSelector } from '../../../objects/selectors/labelSelector.ts';
import { parseQuantity } from '../../../objects/quantities/quantity.ts';
import { findMatchingVolume } from '../../persistentvolume/findMatchingVolume.ts';
import type { Misfit } from '../framework/Plugin.ts';
import {
  type Claim,
  isBound,
  SELECTED_NODE,
  type StorageClass,
  type Volume,
  type Volumes,
} from '../framework/Volumes.ts';
import { matchesNodeSelectorTerms } from './nodeAffinity.ts';

/** A volume that exists, and the claim that is to have it. */
export interface VolumeForClaim {
  readonly claim: Claim;
  readonly volume: Volume;
}

/** Where a pod's claims get their volumes from on one node, as far as they have none. */
export interface PodVolumes {
  readonly bindings: readonly VolumeForClaim[];
  /** The claims for which a provisioner is to make volumes. */
  readonly provisions: readonly Claim[];
}

const NODE_CONFLICT = "node(s) didn't match PersistentVolume's node affinity";
const NO_VOLUME = "node(s) didn't find available persistent volumes to bind";
const NO_SPACE = 'node(s) did not have enough free storage';
const VOLUME_GONE = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

/** Finds volumes on the node for all claims of a pod, or says why there are none: Kubernetes' `FindPodVolumes`. Pure. */
export function findPodVolumes(claims: readonly Claim[], node: Node, volumes: Volumes): PodVolumes | Misfit {
  const unusable = whyUnusable(claims.filter(isBound), node, volumes);
  const found = findUnbound(
    claims.filter((claim) => !isBound(claim)),
    node,
    volumes,
  );
  const reasons = [
    ...(unusable === NODE_CONFLICT ? [unusable] : []),
    ...('missing' in found ? [found.missing] : []),
    ...(unusable === VOLUME_GONE ? [unusable] : []),
  ];
  return 'missing' in found || reasons.length > 0 ? { reasons, isResolvable: false } : found;
}

function whyUnusable(claims: readonly Claim[], node: Node, { volumes }: Volumes): string | undefined {
  for (const { spec } of claims) {
    const volume = volumes.get(spec?.volumeName ?? '');
    if (!volume) return VOLUME_GONE;
    const terms = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms;
    if (!matchesNodeSelectorTerms(terms, node)) return NODE_CONFLICT;
  }
  return undefined;
}

/** The smallest claim chooses first, so that it does not get a volume which only a larger one needs. A claim for which a node was chosen before is left to its provisioner. */
function findUnbound(
  claims: readonly Claim[],
  node: Node,
  volumes: Volumes,
): PodVolumes | { readonly missing: string } {
  const { name } = node.metadata;
  const isElsewhere = ({ metadata }: Claim) => (metadata.annotations?.[SELECTED_NODE] ?? name) !== name;
  if (claims.some(isElsewhere)) return { missing: NO_VOLUME };
  const bindings: VolumeForClaim[] = [];
  const provisions: Claim[] = [];
  for (const claim of claims.toSorted(bySize)) {
    const excluded = new Set(bindings.map(({ volume }) => volume.metadata.name));
    const isSelected = claim.metadata.annotations?.[SELECTED_NODE] !== undefined;
    const volume = isSelected
      ? undefined
      : findMatchingVolume(claim, [...volumes.volumes.values()], { node, excluded });
    const missing = volume ? undefined : whyNotProvisioned(claim, node, volumes);
    if (missing !== undefined) return { missing };
    if (volume) bindings.push({ claim, volume });
    else provisions.push(claim);
  }
  return { bindings, provisions };
}

/** Says why nobody makes a volume for the claim that can be used on the node: Kubernetes' `checkVolumeProvisions`. */
function whyNotProvisioned(claim: Claim, node: Node, volumes: Volumes): string | undefined {
  const storageClass = volumes.classes.get(claim.spec?.storageClassName ?? '');
  if (!storageClass?.provisioner || storageClass.provisioner === NO_PROVISIONER) return NO_VOLUME;
  const terms = storageClass.allowedTopologies ?? [];
  const isAllowed = ({ matchLabelExpressions = [] }: (typeof terms)[number]) =>
    matchLabelExpressions.every(({ key, values }) => values.includes(node.metadata.labels?.[key] ?? ''));
  if (terms.length > 0 && !terms.some(isAllowed)) return NO_VOLUME;
  return hasEnoughCapacity(claim, storageClass, node, volumes) ? undefined : NO_SPACE;
}

/** Whether the driver has room for the claim where the node can use it. A driver that does not say how much it has always has. */
function hasEnoughCapacity(
  claim: Claim,
  { provisioner, metadata }: StorageClass,
  node: Node,
  { csiDrivers, capacities }: Volumes,
): boolean {
  if (csiDrivers.get(provisioner)?.spec.storageCapacity !== true) return true;
  return capacities.some(({ storageClassName, capacity, maximumVolumeSize, nodeTopology }) => {
    const room = parseQuantity(maximumVolumeSize ?? capacity)?.nanos;
    const isNear = nodeTopology !== undefined && matchesLabelSelector(nodeTopology, node.metadata.labels);
    return storageClassName === metadata.name && isNear && room !== undefined && room >= sizeOf(claim);
  });
}

function bySize(a: Claim, b: Claim): number {
  const difference = sizeOf(a) - sizeOf(b);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** In billionths of a byte. */
function sizeOf({ spec }: Claim): bigint {
  return parseQuantity(spec?.resources?.requests?.['storage'])?.nanos ?? 0n;
}
