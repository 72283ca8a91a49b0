import { type Disk, diskOf, disksConflict } from '../framework/Disk.ts';
import type { FilterPlugin, Misfit } from '../framework/Plugin.ts';
import type { PodInfo } from '../framework/PodInfo.ts';
import type { Snapshot } from '../framework/Snapshot.ts';
import { claimsUsedBy } from '../framework/Volumes.ts';

const NO_DISK: Misfit = { reasons: ['node(s) had no available disk'], isResolvable: true };
const CLAIM_IN_USE: Misfit = {
  reasons: ['node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode'],
  isResolvable: true,
};

/** Keeps pods from nodes where another pod has their disk, and everywhere while another pod has their claim of the mode ReadWriteOncePod. */
export const volumeRestrictions: FilterPlugin = {
  name: 'VolumeRestrictions',
  prepare(pod, cluster) {
    const disks = disksOf(pod);
    const isInUse = isExclusiveClaimInUse(pod, cluster);
    if (disks.length === 0 && !isInUse) return undefined;
    return ({ pods }) => {
      const taken = disks.length === 0 ? [] : pods.all.flatMap(disksOf);
      if (disks.some((disk) => taken.some((other) => disksConflict(disk, other)))) return NO_DISK;
      return isInUse ? CLAIM_IN_USE : undefined;
    };
  },
};

function disksOf({ spec }: PodInfo): readonly Disk[] {
  return (spec.volumes ?? []).flatMap((volume) => diskOf(volume) ?? []);
}

/** Whether a pod on any node has one of the claims that only one pod may have. */
function isExclusiveClaimInUse({ pod, namespace }: PodInfo, { nodes, volumes }: Snapshot): boolean {
  const isExclusive = (name: string) =>
    volumes.claims.get(`${namespace}/${name}`)?.spec?.accessModes?.includes('ReadWriteOncePod') === true;
  const names = claimsUsedBy(pod).flatMap(({ name, isEphemeral }) => (!isEphemeral && isExclusive(name) ? [name] : []));
  if (names.length === 0) return false;
  const uses = (other: PodInfo) =>
    other.namespace === namespace && claimsUsedBy(other.pod).some(({ name }) => names.includes(name));
  return nodes.some(({ pods }) => pods.all.some(uses));
}
