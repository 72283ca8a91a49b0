import {
  type ConditionText,
  findCondition,
  withCondition,
  withFreshCondition,
  withoutCondition,
  withReplicaSetCondition,
} from '../../objects/deployments/deploymentConditions.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import { type Conditions, type DeploymentStatus, deploymentComplete } from './calculateStatus.ts';
import { allReplicaSets, type Rollout } from './Rollout.ts';

/** `syncRolloutStatus` and the rest of Kubernetes' progress.go, pure: conditions are returned, and `draftPlan` writes them. */

export const PROGRESSING = 'Progressing';

/** Reasons of the Progressing condition that decisions depend on. */
export const TIMED_OUT = 'ProgressDeadlineExceeded';
export const NEW_REPLICA_SET_AVAILABLE = 'NewReplicaSetAvailable';
export const PAUSED = 'DeploymentPaused';
export const RESUMED = 'DeploymentResumed';

/** `math.MaxInt32`: in older API versions this value means that the Deployment has no deadline. */
const NO_DEADLINE = 2_147_483_647;

/** In milliseconds; `undefined` if there is no deadline (`HasProgressDeadline`), and progress is not estimated. */
export function progressDeadlineMs(deployment: Deployment): number | undefined {
  const seconds = deployment.spec?.progressDeadlineSeconds;
  return seconds === undefined || seconds === NO_DEADLINE ? undefined : seconds * 1000;
}

/** A Progressing condition. */
export function progressing(status: 'True' | 'False' | 'Unknown', reason: string, message: string): ConditionText {
  return { type: PROGRESSING, status, reason, message };
}

/** The message of a timeout. It names the new ReplicaSet, or the Deployment as long as that has no new ReplicaSet. */
export function timedOutMessage(deployment: Deployment, newReplicaSet: ReplicaSet | undefined): string {
  return `${subjectOf(deployment, newReplicaSet)} has timed out progressing.`;
}

export function completedMessage(deployment: Deployment, newReplicaSet: ReplicaSet | undefined): string {
  return `${subjectOf(deployment, newReplicaSet)} has successfully progressed.`;
}

function subjectOf(deployment: Deployment, newReplicaSet: ReplicaSet | undefined): string {
  return newReplicaSet
    ? `ReplicaSet ${goQuote(newReplicaSet.metadata.name)}`
    : `Deployment ${goQuote(deployment.metadata.name)}`;
}

/** The conditions of `syncRolloutStatus`: the progress of the rollout, and whether a ReplicaSet fails to create or delete pods. Pure. */
export function rolloutConditions(rollout: Rollout, status: DeploymentStatus, nowMs: number): Conditions {
  return withReplicaFailure(rollout, withProgress(rollout, status, nowMs));
}

/**
 * A complete rollout stays complete until its template changes: scaling is not a rollout, and its progress is not estimated. Each sign of progress restarts the clock,
 * which is the condition's update time. The transition time moves only with the condition's status.
 */
function withProgress({ deployment, newReplicaSet }: Rollout, status: DeploymentStatus, nowMs: number): Conditions {
  const conditions = status.conditions ?? [];
  const deadlineMs = progressDeadlineMs(deployment);
  if (deadlineMs === undefined) return withoutCondition(conditions, PROGRESSING);
  const now = formatTime(nowMs);
  const current = findCondition(deployment.status?.conditions ?? [], PROGRESSING);
  const hasNoOldReplicas = (status.replicas ?? 0) === (status.updatedReplicas ?? 0);
  if (hasNoOldReplicas && current?.reason === NEW_REPLICA_SET_AVAILABLE) return conditions;
  if (deploymentComplete(deployment, status)) {
    const message = completedMessage(deployment, newReplicaSet);
    return withCondition(conditions, progressing('True', NEW_REPLICA_SET_AVAILABLE, message), now);
  }
  if (deploymentProgressing(deployment.status ?? {}, status)) {
    const message = `${subjectOf(deployment, newReplicaSet)} is progressing.`;
    return withFreshCondition(conditions, progressing('True', 'ReplicaSetUpdated', message), now);
  }
  if (deploymentTimedOut(conditions, deadlineMs, nowMs)) {
    return withCondition(conditions, progressing('False', TIMED_OUT, timedOutMessage(deployment, newReplicaSet)), now);
  }
  return conditions;
}

/** `DeploymentProgressing`: more updated, ready or available replicas than before, or fewer old ones. Pure. */
export function deploymentProgressing(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) => replicas - updatedReplicas;
  return (
    (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

/**
 * `DeploymentTimedOut`: a complete rollout never times out, and a rollout that has timed out stays so until there is progress. Pausing and resuming set conditions of their
 * own, so the clock restarts with the resumption.
 */
function deploymentTimedOut(conditions: Conditions, deadlineMs: number, nowMs: number): boolean {
  const condition = findCondition(conditions, PROGRESSING);
  if (!condition || condition.reason === NEW_REPLICA_SET_AVAILABLE) return false;
  if (condition.reason === TIMED_OUT) return true;
  return Date.parse(condition.lastUpdateTime ?? '') + deadlineMs < nowMs;
}

/**
 * `requeueStuckDeployment`, pure: in how many milliseconds the rollout times out if nothing happens until then. `undefined` if it cannot, because it is complete, has timed
 * out, or has no clock yet. A deadline must be exceeded, hence the additional millisecond. `deployment.status` must be the stored one.
 */
export function requeueStuckDeployment(deployment: Deployment, nowMs: number): number | undefined {
  const deadlineMs = progressDeadlineMs(deployment);
  const condition = findCondition(deployment.status?.conditions ?? [], PROGRESSING);
  if (deadlineMs === undefined || !condition) return undefined;
  const over = condition.reason === TIMED_OUT || condition.reason === NEW_REPLICA_SET_AVAILABLE;
  if (over || deploymentComplete(deployment, deployment.status ?? {})) return undefined;
  return Math.max(0, Date.parse(condition.lastUpdateTime ?? '') + deadlineMs - nowMs) + 1;
}

function withReplicaFailure(rollout: Rollout, conditions: Conditions): Conditions {
  const failure = getReplicaFailures(rollout);
  return failure ? withReplicaSetCondition(conditions, failure) : withoutCondition(conditions, 'ReplicaFailure');
}

/** `getReplicaFailures`: the ReplicaFailure condition to show, the new ReplicaSet's before an old one's. */
function getReplicaFailures(rollout: Rollout) {
  const { newReplicaSet } = rollout;
  const candidates = newReplicaSet ? [newReplicaSet, ...allReplicaSets(rollout)] : allReplicaSets(rollout);
  return candidates.map(replicaFailureOf).find((condition) => condition !== undefined);
}

export function replicaFailureOf({ status }: ReplicaSet) {
  return status?.conditions?.find(({ type }) => type === 'ReplicaFailure');
}
