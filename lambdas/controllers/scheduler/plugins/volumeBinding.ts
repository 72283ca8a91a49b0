import type { Node } from '../../../objects/kinds.ts';
import type { FilterPlugin } from '../framework/Plugin.ts';
import type { PodInfo } from '../framework/PodInfo.ts';
import type { Snapshot } from '../framework/Snapshot.ts';
import { type Claim, type ClaimUse, claimsUsedBy, isBound } from '../framework/Volumes.ts';
import { findPodVolumes, type PodVolumes } from './findPodVolumes.ts';

const UNBOUND = 'pod has unbound immediate PersistentVolumeClaims';

/**
 * Keeps pods waiting whose claims do not exist or have no volume yet, and from nodes that the volumes cannot be used on. A claim whose class waits for its first consumer gets its volume once a node is chosen: one that exists and
 * suits, or one that a provisioner makes for that node.
 */
export const volumeBinding: FilterPlugin = {
  name: 'VolumeBinding',
  prepare(pod, cluster) {
    const uses = claimsUsedBy(pod.pod);
    if (uses.length === 0) return undefined;
    for (const use of uses) {
      const claim = cluster.volumes.claims.get(`${pod.namespace}/${use.name}`);
      const objection = claim ? objectionTo(claim, cluster) : missing(use);
      if (objection !== undefined) return { rejected: objection };
    }
    const claims = claimsOf(pod, cluster);
    return ({ node }) => {
      const found = findPodVolumes(claims, node, cluster.volumes);
      return 'reasons' in found ? found : undefined;
    };
  },
};

const NOTHING: PodVolumes = { bindings: [], provisions: [] };

/** Returns what has to be done so that the pod has its volumes on the node, which it fits. Pure. */
export function podVolumesOn(pod: PodInfo, cluster: Snapshot, node: Node): PodVolumes {
  const claims = claimsOf(pod, cluster);
  if (claims.every(isBound)) return NOTHING;
  const found = findPodVolumes(claims, node, cluster.volumes);
  return 'reasons' in found ? NOTHING : found;
}

function claimsOf({ pod, namespace }: PodInfo, { volumes }: Snapshot): readonly Claim[] {
  return claimsUsedBy(pod).flatMap(({ name }) => volumes.claims.get(`${namespace}/${name}`) ?? []);
}

function missing({ name, isEphemeral }: ClaimUse): string {
  if (isEphemeral) return `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`;
  return `persistentvolumeclaim "${name}" not found`;
}

function objectionTo(claim: Claim, cluster: Snapshot): string | undefined {
  const { name, deletionTimestamp } = claim.metadata;
  if (claim.status?.phase === 'Lost')
    return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec?.volumeName ?? ''}"`;
  if (deletionTimestamp !== undefined) return `persistentvolumeclaim "${name}" is being deleted`;
  return isBound(claim) || waitsForConsumer(claim, cluster) ? undefined : UNBOUND;
}

/** A claim that names its volume is bound by the volumes' controller, whatever its class says. */
function waitsForConsumer({ spec }: Claim, { volumes }: Snapshot): boolean {
  if (spec?.volumeName) return false;
  return volumes.classes.get(spec?.storageClassName ?? '')?.volumeBindingMode === 'WaitForFirstConsumer';
}
