import type { ConditionChange } from '../../objects/deployments/deploymentConditions.ts';
import type { ReplicaSet } from '../../objects/kinds.ts';
import {
  completedMessage,
  NEW_REPLICA_SET_AVAILABLE,
  type Progress,
  PROGRESSING,
  TIMED_OUT,
  timedOutMessage,
} from './assessProgress.ts';
import { replicaFailureOf } from './replicaSets.ts';
import type { Rollout } from './Rollout.ts';

/** `syncRolloutStatus`, pure: how the rollout goes, and whether a ReplicaSet fails to create or delete pods. */
export function syncRolloutStatus({ progress, sums, newReplicaSet, all }: Rollout): readonly ConditionChange[] {
  const hasNoOldReplicas = sums.current === (newReplicaSet?.current ?? 0);
  const failure = getReplicaFailures(newReplicaSet ? [newReplicaSet, ...all] : all);
  return [...progressChange(progress, hasNoOldReplicas), failure ? { copy: failure } : { remove: 'ReplicaFailure' }];
}

/**
 * A complete rollout stays complete until its template changes: scaling is not a rollout, and its progress is not estimated. Each sign of progress restarts the clock,
 * which is the condition's update time. The transition time moves only with the condition's status.
 */
function progressChange(progress: Progress, hasNoOldReplicas: boolean): readonly ConditionChange[] {
  const { subject } = progress;
  if (progress.deadlineMs === undefined) return [{ remove: PROGRESSING }];
  if (hasNoOldReplicas && progress.condition?.reason === NEW_REPLICA_SET_AVAILABLE) return [];
  if (progress.isComplete) {
    const message = completedMessage(subject);
    return [{ set: { type: PROGRESSING, status: 'True', reason: NEW_REPLICA_SET_AVAILABLE, message } }];
  }
  if (progress.hasProgressed) {
    const message = `${subject} is progressing.`;
    return [{ refresh: { type: PROGRESSING, status: 'True', reason: 'ReplicaSetUpdated', message } }];
  }
  return progress.hasTimedOut ? [timedOutChange(progress)] : [];
}

/** The condition of a rollout that has timed out. */
export function timedOutChange({ subject }: Progress): ConditionChange {
  return { set: { type: PROGRESSING, status: 'False', reason: TIMED_OUT, message: timedOutMessage(subject) } };
}

/** `getReplicaFailures`: the ReplicaFailure condition to show, the new ReplicaSet's before an old one's. */
function getReplicaFailures(replicaSets: readonly { readonly stored: ReplicaSet }[]) {
  return replicaSets.map(({ stored }) => replicaFailureOf(stored)).find((condition) => condition !== undefined);
}
