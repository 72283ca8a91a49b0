import type { Pod } from '../../objects/kinds.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import type { Reason } from './replicaSetReasons.ts';
import type { PlannedDelete } from './getPodsToDelete.ts';
import type { PlannedPod } from './plannedPods.ts';
import type { ReplicaOwner } from './ReplicaOwner.ts';

/** Everything that `manageReplicas` decides by. */
export interface ReplicasWorld {
  readonly owner: ReplicaOwner;
  /** The owner's pods that neither ended nor are being deleted. */
  readonly active: readonly Pod[];
  /** The UIDs of all pods that were listed, owned or orphaned, in any state. Only an intent is judged by them, so without one they may be empty. */
  readonly seenUids: ReadonlySet<string>;
  /** The pods that `getIndirectlyRelatedPods` finds; empty where no pods have to be chosen. */
  readonly related: readonly Pod[];
  /** What an earlier sync recorded that it was about to do, and did not clear. */
  readonly intent: Intent | undefined;
}

export interface ReplicasPlan {
  /** To record before anything else. Absent when nothing is created or deleted, or when an earlier intent covers it. */
  readonly record?: Intent;
  /** Planned pods of an earlier intent that are no longer wanted and must never exist. Their names are burned before any create. */
  readonly burns: readonly PlannedPod[];
  readonly creates: readonly PlannedPod[];
  readonly deletes: readonly PlannedDelete[];
  /** True when an earlier sync planned the creates. Its requests may still land, so the name of each pod that this sync does not create is burned. */
  readonly inherited: boolean;
  /** True when the next sync has more to decide. */
  readonly lookAgain: boolean;
  readonly why: readonly Reason[];
}
