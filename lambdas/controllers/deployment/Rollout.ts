import type { Deployment, Pod, ReplicaSet } from '../../objects/kinds.ts';
import type { AutoRollback, JudgedRollout } from './autorollback/decideAutoRollback.ts';
import type { Bounds } from './resolveFenceposts.ts';
import { sizesOf } from './Sizes.ts';

/** What a sync sees: the Deployment, the ReplicaSets that it owns, and the pods that its decision needs (see `observeDeployment`). */
export interface World {
  readonly deployment: Deployment;
  readonly replicaSets: readonly ReplicaSet[];
  readonly pods: readonly Pod[];
  readonly nowMs: number;
}

/** All that the steps of `decideDeployment` decide on, computed once by `assessRollout`. */
export interface Rollout extends JudgedRollout, Bounds {
  /** The time of the sync, as conditions have it. */
  readonly now: string;
  /** `spec.replicas` of the Deployment. */
  readonly desired: number;
  readonly isRollingUpdate: boolean;
  /** True if the selector is empty: it would select every ReplicaSet and pod of the namespace. */
  readonly selectsAll: boolean;
  /** The revision that a rollback was requested to, 0 for the last one. */
  readonly rollbackTo: bigint | undefined;
  readonly autoRollback: AutoRollback;
}

/** The rollout to what is to run: the same one, unless its template is held. Then what the Deployment went back to takes the place of the new ReplicaSet. The progress stays that of the held template. Pure. */
export function rolledOut(rollout: Rollout): Rollout {
  const { autoRollback, all } = rollout;
  return autoRollback.action === 'hold' ? { ...rollout, ...sizesOf(all, autoRollback.wentBackTo) } : rollout;
}
