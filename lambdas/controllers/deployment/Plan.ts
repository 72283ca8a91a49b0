import type { NewObject } from '../../objects/KubernetesObject.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import type { EventToRecord } from '../EventRecorder.ts';
import type { Reason, Wait } from './deploymentReasons.ts';

/** An event about the Deployment. */
export type EventText = Pick<EventToRecord, 'type' | 'reason' | 'message'>;

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
