import type { ConditionText } from '../../objects/deployments/deploymentConditions.ts';
import type { Deployment } from '../../objects/kinds.ts';
import type { Reason, Wait } from './deploymentReasons.ts';
import type { EventText } from './Plan.ts';
import type { SizedReplicaSet } from './SizedReplicaSet.ts';

/** What a step of `decideDeployment` wants, as data; it ends the sync. `draftPlan` makes the writes, the conditions and the status of it. */
export type Step =
  | RolloutStep
  /** The Deployment's spec and metadata are written, and nothing else: the next sync sees the rest. */
  | {
      readonly write: 'deployment';
      readonly to: Deployment;
      readonly events: readonly EventText[];
      readonly why: readonly Reason[];
    }
  /** The generation counts as observed, so that no client waits for it, and nothing else is done. */
  | {
      readonly write: 'observedGeneration';
      readonly event: EventText;
      readonly why: readonly Reason[];
      readonly waitsFor: readonly Wait[];
    };

/** ReplicaSets to resize, create and delete, and what the Deployment's status says after that. Its counts always follow. */
export interface RolloutStep extends Scaling {
  readonly write: 'rollout';
  /** `cleanupDeployment`: the history is cut to its limit. */
  readonly cleanUp?: boolean;
  /** Set before the counts. */
  readonly condition?: ConditionText;
  /**
   * `counts`: `syncDeploymentStatus`. `progress`: `syncRolloutStatus`, which also tells how the rollout goes. `held`: ours, the template of the Deployment is not rolled out, as automatic rollback gave up on it.
   */
  readonly status: 'counts' | 'progress' | 'held';
}

/** The next sizes, all up or all down, or what is waited for before sizes can change. */
export interface Scaling {
  /** In the order in which they are written. */
  readonly resizes: readonly Resize[];
  /** With how many replicas the new ReplicaSet is created. */
  readonly create?: number;
  readonly why: readonly Reason[];
  readonly waitsFor: readonly Wait[];
}

/** A size to give to a ReplicaSet. Its replica annotations are brought up to date with it, even if the size stays. */
export interface Resize {
  readonly replicaSet: SizedReplicaSet;
  readonly replicas: number;
  /** A size on the way, which Kubernetes writes first. Here it is not written, but has its event. */
  readonly via?: number;
}

export const NO_SCALING: Scaling = { resizes: [], why: [], waitsFor: [] };

/** The step in which only the status changes, and with it that condition. */
export function statusOnly(why: Reason, condition: ConditionText | undefined): RolloutStep {
  return { write: 'rollout', ...NO_SCALING, why: [why], status: 'counts', ...(condition && { condition }) };
}
