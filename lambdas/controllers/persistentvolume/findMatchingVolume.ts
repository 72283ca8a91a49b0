import type { Node } from '../../objects/kinds.ts';
import { matchesLabelSelector } from '../../objects/selectors/labelSelector.ts';
import { parseQuantity } from '../../objects/quantities/quantity.ts';
import type { Claim, Volume } from '../scheduler/framework/Volumes.ts';
import { matchesNodeSelectorTerms } from '../scheduler/plugins/nodeAffinity.ts';

/** Before classes were a field. */
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** Which volumes may be chosen. */
export interface VolumeSearch {
  /** Volumes that can be used on this node only. Absent: on any node. */
  readonly node?: Node;
  /** The names of volumes that other claims get. */
  readonly excluded?: ReadonlySet<string>;
  /** True if only a volume that is reserved for the claim is looked for. */
  readonly isReservedOnly?: boolean;
}

/**
 * Returns the volume that suits the claim best: one that is reserved for it, or the smallest that is free and large enough, of its class, mode and labels. Kubernetes' `FindMatchingVolume`. Without a node, volumes with the fewest
 * access modes come first, as in `findByClaim`. `undefined` if no volume suits. Pure.
 */
export function findMatchingVolume(
  claim: Claim,
  volumes: readonly Volume[],
  search: VolumeSearch = {},
): Volume | undefined {
  const candidates = volumes.filter((volume) => isCandidate(volume, claim, search.excluded));
  if (search.node) return bestOf(candidates, claim, search);
  const allowing = candidates.filter((volume) => hasAccessModes(volume, claim));
  const counts = [...new Set(allowing.map(modeCount))].sort((a, b) => a - b);
  for (const count of counts) {
    const best = bestOf(
      allowing.filter((volume) => modeCount(volume) === count),
      claim,
      search,
    );
    if (best) return best;
  }
  return undefined;
}

/** Whether the volume is reserved for the claim, or is the claim's already: Kubernetes' `IsVolumeBoundToClaim`. Pure. */
export function isVolumeBoundToClaim({ spec }: Volume, { metadata }: Claim): boolean {
  const { claimRef } = spec ?? {};
  if (!claimRef || claimRef.name !== metadata.name || claimRef.namespace !== metadata.namespace) return false;
  return !claimRef.uid || claimRef.uid === metadata.uid;
}

/** Says why the claim cannot have the volume that it names, in the words of Kubernetes' `checkVolumeSatisfyClaim`; `undefined` if it can. Pure. */
export function volumeMismatch(volume: Volume, claim: Claim): string | undefined {
  if (bytesOf(volume.spec?.capacity) < bytesOf(claim.spec?.resources?.requests)) return 'requested PV is too small';
  if (classOf(volume) !== classOf(claim)) return 'storageClassName does not match';
  if (modeOf(volume) !== modeOf(claim)) return 'incompatible volumeMode';
  return hasAccessModes(volume, claim) ? undefined : 'incompatible accessMode';
}

function isCandidate(volume: Volume, claim: Claim, excluded: VolumeSearch['excluded']): boolean {
  if (excluded?.has(volume.metadata.name) || volume.metadata.deletionTimestamp !== undefined) return false;
  if (volume.spec?.claimRef && !isVolumeBoundToClaim(volume, claim)) return false;
  const isLargeEnough = bytesOf(volume.spec?.capacity) >= bytesOf(claim.spec?.resources?.requests);
  return isLargeEnough && modeOf(volume) === modeOf(claim);
}

function bestOf(
  candidates: readonly Volume[],
  claim: Claim,
  { node, isReservedOnly }: VolumeSearch,
): Volume | undefined {
  const isUsable = (volume: Volume) =>
    !node || matchesNodeSelectorTerms(volume.spec?.nodeAffinity?.required?.nodeSelectorTerms, node);
  const reserved = candidates.find((volume) => isVolumeBoundToClaim(volume, claim));
  if (reserved) return isUsable(reserved) ? reserved : undefined;
  if (isReservedOnly) return undefined;
  const free = candidates.filter((volume) => isFree(volume, claim) && isUsable(volume));
  return free.reduce<Volume | undefined>(
    (best, one) => (best && bytesOf(best.spec?.capacity) <= bytesOf(one.spec?.capacity) ? best : one),
    undefined,
  );
}

function isFree(volume: Volume, claim: Claim): boolean {
  const { selector } = claim.spec ?? {};
  if (volume.status?.phase !== 'Available' || volume.spec?.claimRef) return false;
  if (selector && !matchesLabelSelector(selector, volume.metadata.labels)) return false;
  return classOf(volume) === classOf(claim) && hasAccessModes(volume, claim);
}

function hasAccessModes({ spec }: Volume, claim: Claim): boolean {
  const modes = spec?.accessModes ?? [];
  return (claim.spec?.accessModes ?? []).every((mode) => modes.includes(mode));
}

function modeCount({ spec }: Volume): number {
  return new Set(spec?.accessModes).size;
}

/** Of a volume or a claim; `''` for none. Pure. */
export function classOf({ metadata, spec }: Claim | Volume): string {
  return metadata.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? '';
}

function modeOf({ spec }: Claim | Volume): string {
  return spec?.volumeMode ?? 'Filesystem';
}

/** In billionths of a byte. */
function bytesOf(amounts: Readonly<Record<string, unknown>> | undefined): bigint {
  return parseQuantity(amounts?.['storage'])?.nanos ?? 0n;
}
