import type { FilterPlugin, Misfit } from '../framework/Plugin.ts';
import type { NodeInfo } from '../framework/NodeInfo.ts';
import type { PodInfo } from '../framework/PodInfo.ts';
import type { Snapshot } from '../framework/Snapshot.ts';
import { type Claim, type ClaimUse, claimsUsedBy, isBound, SELECTED_NODE } from '../framework/Volumes.ts';
import { matchesNodeSelectorTerms } from './nodeAffinity.ts';

const NO_VOLUME: Misfit = {
  reasons: ["node(s) didn't find available persistent volumes to bind"],
  isResolvable: false,
};
const NODE_CONFLICT: Misfit = {
  reasons: ["node(s) didn't match PersistentVolume's node affinity"],
  isResolvable: false,
};
const VOLUME_GONE: Misfit = {
  reasons: ['node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)'],
  isResolvable: false,
};
const UNBOUND = 'pod has unbound immediate PersistentVolumeClaims';

/**
 * Keeps pods waiting whose claims do not exist or have no volume yet, and from nodes that the volumes cannot be used on. A claim whose class waits for its first consumer gets its volume once a node is chosen: a provisioner
 * makes it for that node. Volumes that exist already are bound to claims by their own controller only.
 */
export const volumeBinding: FilterPlugin = {
  name: 'VolumeBinding',
  prepare(pod, cluster) {
    const uses = claimsUsedBy(pod.pod);
    if (uses.length === 0) return undefined;
    const claims: Claim[] = [];
    for (const use of uses) {
      const claim = cluster.volumes.claims.get(`${pod.namespace}/${use.name}`);
      const objection = claim ? objectionTo(claim, cluster) : missing(use);
      if (objection !== undefined) return { rejected: objection };
      if (claim) claims.push(claim);
    }
    return (node) => firstMisfit(claims, node, cluster);
  },
};

/** Returns the claims that get their volumes once the pod has a node. Pure. */
export function claimsToProvision({ pod, namespace }: PodInfo, { volumes }: Snapshot): readonly Claim[] {
  return claimsUsedBy(pod).flatMap(({ name }) => {
    const claim = volumes.claims.get(`${namespace}/${name}`);
    return claim && !isBound(claim) ? [claim] : [];
  });
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

function waitsForConsumer({ spec }: Claim, { volumes }: Snapshot): boolean {
  return volumes.classes.get(spec?.storageClassName ?? '')?.volumeBindingMode === 'WaitForFirstConsumer';
}

function firstMisfit(claims: readonly Claim[], node: NodeInfo, cluster: Snapshot): Misfit | undefined {
  for (const claim of claims) {
    const misfit = isBound(claim) ? boundMisfit(claim, node, cluster) : unboundMisfit(claim, node, cluster);
    if (misfit) return misfit;
  }
  return undefined;
}

function boundMisfit({ spec }: Claim, { node }: NodeInfo, { volumes }: Snapshot): Misfit | undefined {
  const volume = volumes.volumes.get(spec?.volumeName ?? '');
  if (!volume) return VOLUME_GONE;
  const terms = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms;
  return matchesNodeSelectorTerms(terms, node) ? undefined : NODE_CONFLICT;
}

/** Only a provisioner can help, and only for the node that was chosen for the claim before. */
function unboundMisfit({ metadata, spec }: Claim, { name }: NodeInfo, { volumes }: Snapshot): Misfit | undefined {
  const storageClass = volumes.classes.get(spec?.storageClassName ?? '');
  const selected = metadata.annotations?.[SELECTED_NODE] ?? name;
  return storageClass?.provisioner === 'kubernetes.io/no-provisioner' || selected !== name ? NO_VOLUME : undefined;
}
