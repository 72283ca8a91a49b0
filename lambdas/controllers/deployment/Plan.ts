import type { NewObject } from '../../objects/KubernetesObject.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import type { EventToRecord } from '../EventRecorder.ts';
import type { Reason, Wait } from '../Reason.ts';
import type { HeldRollout } from './autorollback/decideAutoRollback.ts';
import type { Conditions } from './calculateStatus.ts';
import type { Resize, Rollout } from './Rollout.ts';

/** An event about the Deployment. */
export type EventText = Pick<EventToRecord, 'type' | 'reason' | 'message'>;

/** What a step of `decideDeployment` ends the sync with. `draftPlan` computes the status and the writes that lead there. */
export type Outcome =
  | RolloutOutcome
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

/** ReplicaSets to resize, create and delete, and the Deployment's status after that. */
export interface RolloutOutcome {
  readonly write: 'rollout';
  /** As it is before the resizes; its new ReplicaSet may have a revision that is still to be written. */
  readonly rollout: Rollout;
  /** In the order in which they are written. */
  readonly resizes: readonly Resize[];
  readonly create?: NewObject;
  readonly remove?: readonly ReplicaSet[];
  readonly status: StatusContent;
  readonly why: readonly Reason[];
  readonly waitsFor: readonly Wait[];
}

/** Where the status' conditions come from; its counts are always computed. */
type StatusContent =
  /** `syncDeploymentStatus`: these conditions, and Available. */
  | { readonly from: 'conditions'; readonly conditions: Conditions }
  /** `syncRolloutStatus`: the progress of the rollout is estimated too. */
  | { readonly from: 'progress' }
  /** Ours: the template of the Deployment is not rolled out, as automatic rollback gave up on it. */
  | { readonly from: 'held'; readonly held: HeldRollout };

/** One write, with what it starts from. Its events are recorded after it is stored. */
export type PlannedWrite =
  | { readonly write: 'createReplicaSet'; readonly replicaSet: NewObject; readonly events: readonly EventText[] }
  | {
      readonly write: 'updateReplicaSet';
      readonly from: ReplicaSet;
      readonly to: ReplicaSet;
      readonly events: readonly EventText[];
    }
  | { readonly write: 'deleteReplicaSet'; readonly replicaSet: ReplicaSet }
  /** Spec and metadata. */
  | { readonly write: 'updateDeployment'; readonly to: Deployment; readonly events: readonly EventText[] }
  /** Status, and with it the revision annotation, which Kubernetes writes through the status subresource too. */
  | { readonly write: 'updateStatus'; readonly to: Deployment };

/** What one sync does, as data: its writes in order, and why. */
export interface Plan {
  readonly deployment: Deployment;
  readonly writes: readonly PlannedWrite[];
  /** Recorded even if nothing is written. */
  readonly events: readonly EventText[];
  /** What was decided, with the arithmetic. */
  readonly why: readonly Reason[];
  /** What must happen before the next step. */
  readonly waitsFor: readonly Wait[];
  /** When to look again though nothing happens: the progress deadline. */
  readonly requeueAfterMs?: number;
}

/** The outcome in which only the status changes, to these conditions. */
export function statusOnly(rollout: Rollout, conditions: Conditions, why: Reason): RolloutOutcome {
  return {
    write: 'rollout',
    rollout,
    resizes: [],
    status: { from: 'conditions', conditions },
    why: [why],
    waitsFor: [],
  };
}

/** True if these are not the stored conditions. Unchanged conditions are handed through as the same list. */
export function conditionsChanged({ status }: Deployment, conditions: Conditions): boolean {
  const before = status?.conditions;
  return before === undefined ? conditions.length > 0 : conditions !== before;
}
