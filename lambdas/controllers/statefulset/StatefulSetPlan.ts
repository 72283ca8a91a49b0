import type { Pod, StatefulSet } from '../../objects/kinds.ts';
import type { Reason } from './statefulSetReasons.ts';
import type { Revisions } from './newStatefulSetPod.ts';
import type { ClaimsByName, ClaimsPlan } from './planClaims.ts';

/** What a sync decides from. */
export interface StatefulSetWorld {
  readonly set: StatefulSet;
  /** Its pods, in every state, in any order. */
  readonly pods: readonly Pod[];
  readonly claims: ClaimsByName;
  readonly revisions: Revisions;
  readonly nowMs: number;
}

/** Something to write about one pod. */
export type Step =
  | {
      readonly step: 'create';
      readonly ordinal: number;
      readonly revision: 'current' | 'update';
      readonly claims: ClaimsPlan;
    }
  /** It has ended and is made again, has no place in the set any more, or has an old revision. */
  | { readonly step: 'delete'; readonly pod: Pod; readonly because: 'ended' | 'scaledDown' | 'outdated' }
  /** Its labels, its volumes, or the owners of its claims are not what they must be. */
  | { readonly step: 'repair'; readonly pod: Pod; readonly claims: ClaimsPlan }
  /** Only its claims are written. */
  | { readonly step: 'claims'; readonly pod: Pod; readonly claims: ClaimsPlan };

/** What a sync writes, and why. */
export interface StatefulSetPlan {
  /** The steps of a later phase are taken only if nothing of the earlier ones failed: first the pods that the set wants, then the claims of those that it does not, then these pods, then pods with an old revision. */
  readonly phases: readonly (readonly Step[])[];
  readonly why: readonly Reason[];
}

/** A pod in a place of the set. */
export interface Replica {
  readonly ordinal: number;
  readonly pod: Pod;
}

/** What a phase does. `stops`: nothing later is done in this sync. */
export interface Phase {
  readonly steps: readonly Step[];
  readonly why: readonly Reason[];
  readonly stops: boolean;
}
