import type { Pod } from '../../objects/kinds.ts';
import { countReplicas, type ReplicaCounts } from './calculateStatus.ts';
import type { CommittedReplicas } from './commitReplicas.ts';
import type { PodTally } from './PodTallies.ts';
import type { ReplicaOwner } from './ReplicaOwner.ts';

/** The pods of an owner, as its sync knows them. */
export interface KnownPods {
  readonly active: readonly Pod[];
  readonly terminating: number;
  /** What a status says of them; `undefined` where each of them has to be looked at. */
  readonly counts: ReplicaCounts | undefined;
}

/** The pods that the owner has after its claims. They are counted if they are those that were tallied. */
export function knownPods(owner: ReplicaOwner, tally: PodTally, claimed: readonly Pod[]): KnownPods {
  const isTallied = claimed.length === tally.kept.length && claimed.every((pod, index) => pod === tally.kept[index]);
  const isReadyAvailable = (owner.spec?.minReadySeconds ?? 0) === 0;
  const counts = {
    replicas: tally.kept.length,
    fullyLabeledReplicas: tally.fullyLabeled,
    readyReplicas: tally.ready,
    availableReplicas: tally.ready,
  };
  return {
    active: claimed,
    terminating: tally.terminating,
    counts: isTallied && isReadyAvailable ? counts : undefined,
  };
}

/** The pods after a commit. */
export function podsAfter(
  owner: ReplicaOwner,
  { active, terminating, counts }: KnownPods,
  { created, deletedUids, leavingUids, terminating: nowTerminating }: CommittedReplicas,
  nowMs: number,
): KnownPods {
  const kept = deletedUids.size === 0 ? active : active.filter(({ metadata }) => !deletedUids.has(metadata.uid));
  const isCounted = counts && deletedUids.size === 0 && leavingUids.size === 0;
  return {
    active: created.length === 0 ? kept : [...kept, ...created],
    terminating: terminating + nowTerminating,
    counts: isCounted ? plus(counts, countReplicas({ owner, active: created, leavingUids, nowMs })) : undefined,
  };
}

function plus(one: ReplicaCounts, other: ReplicaCounts): ReplicaCounts {
  return {
    replicas: one.replicas + other.replicas,
    fullyLabeledReplicas: one.fullyLabeledReplicas + other.fullyLabeledReplicas,
    readyReplicas: one.readyReplicas + other.readyReplicas,
    availableReplicas: one.availableReplicas + other.availableReplicas,
  };
}
