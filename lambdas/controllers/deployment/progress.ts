import {
  type ConditionText,
  findCondition,
  withCondition,
  withFreshCondition,
  withoutCondition,
  withReplicaSetCondition,
} from '../../objects/deploymentConditions.ts';
import { goQuote } from '../../objects/goQuote.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import { allReplicaSets, type Rollout } from './Rollout.ts';
import { type Conditions, type DeploymentStatus, isComplete } from './status.ts';

export const PROGRESSING = 'Progressing';
export const TIMED_OUT = 'ProgressDeadlineExceeded';
export const NEW_REPLICA_SET_AVAILABLE = 'NewReplicaSetAvailable';
/** `math.MaxInt32`: how older API versions say that there is no deadline. */
const NO_DEADLINE = 2_147_483_647;

/** In milliseconds; `undefined` if progress is not to be estimated. */
export function progressDeadlineMs(deployment: Deployment): number | undefined {
  const seconds = deployment.spec?.progressDeadlineSeconds;
  return seconds === undefined || seconds === NO_DEADLINE ? undefined : seconds * 1000;
}

/** What Progressing says, whichever way it goes; `subject` is the new ReplicaSet, or the Deployment while there is none. */
export function progressing(status: 'True' | 'False' | 'Unknown', reason: string, message: string): ConditionText {
  return { type: PROGRESSING, status, reason, message };
}

/** The end of a rollout's time, told of this ReplicaSet: of the Deployment itself while it has none. */
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

/** The conditions of `syncRolloutStatus`: how far the rollout came, and whether a ReplicaSet fails to create or delete pods. Pure. */
export function rolloutConditions(rollout: Rollout, status: DeploymentStatus, nowMs: number): Conditions {
  return withReplicaFailure(rollout, withProgress(rollout, status, nowMs));
}

/**
 * A rollout that is complete stays so, until its template changes; scaling it is no rollout, and no progress is estimated then. Each sign of progress restarts
 * the clock, which is the condition's update time; transition times move with the condition's status alone.
 */
function withProgress({ deployment, newReplicaSet }: Rollout, status: DeploymentStatus, nowMs: number): Conditions {
  const conditions = status.conditions ?? [];
  const deadlineMs = progressDeadlineMs(deployment);
  if (deadlineMs === undefined) return withoutCondition(conditions, PROGRESSING);
  const now = formatTime(nowMs);
  const current = findCondition(deployment.status?.conditions ?? [], PROGRESSING);
  const settled = (status.replicas ?? 0) === (status.updatedReplicas ?? 0);
  if (settled && current?.reason === NEW_REPLICA_SET_AVAILABLE) return conditions;
  if (isComplete(deployment, status)) {
    const message = completedMessage(deployment, newReplicaSet);
    return withCondition(conditions, progressing('True', NEW_REPLICA_SET_AVAILABLE, message), now);
  }
  if (hasProgressed(deployment.status ?? {}, status)) {
    const message = `${subjectOf(deployment, newReplicaSet)} is progressing.`;
    return withFreshCondition(conditions, progressing('True', 'ReplicaSetUpdated', message), now);
  }
  if (hasTimedOut(conditions, deadlineMs, nowMs)) {
    return withCondition(conditions, progressing('False', TIMED_OUT, timedOutMessage(deployment, newReplicaSet)), now);
  }
  return conditions;
}

/** `DeploymentProgressing`: more updated, ready or available replicas than before, or fewer old ones. Pure. */
export function hasProgressed(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) => replicas - updatedReplicas;
  return (
    (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

/**
 * `DeploymentTimedOut`: a complete rollout never is, and one that once was stays so until there is progress. Pausing and resuming set a condition of their
 * own, so the clock starts anew with the resumption.
 */
function hasTimedOut(conditions: Conditions, deadlineMs: number, nowMs: number): boolean {
  const condition = findCondition(conditions, PROGRESSING);
  if (!condition || condition.reason === NEW_REPLICA_SET_AVAILABLE) return false;
  if (condition.reason === TIMED_OUT) return true;
  return Date.parse(condition.lastUpdateTime ?? '') + deadlineMs < nowMs;
}

/**
 * In how many milliseconds the rollout times out if nothing happens until then; `undefined` if it cannot: it is complete, has timed out, or has no clock yet.
 * A deadline passes when it is exceeded, hence the one more. `deployment.status` must be as stored. Pure.
 */
export function msUntilTimedOut(deployment: Deployment, nowMs: number): number | undefined {
  const deadlineMs = progressDeadlineMs(deployment);
  const condition = findCondition(deployment.status?.conditions ?? [], PROGRESSING);
  if (deadlineMs === undefined || !condition) return undefined;
  const over = condition.reason === TIMED_OUT || condition.reason === NEW_REPLICA_SET_AVAILABLE;
  if (over || isComplete(deployment, deployment.status ?? {})) return undefined;
  return Math.max(0, Date.parse(condition.lastUpdateTime ?? '') + deadlineMs - nowMs) + 1;
}

/** Shows one ReplicaSet's ReplicaFailure as the Deployment's: the new one's rather than an old one's. */
function withReplicaFailure(rollout: Rollout, conditions: Conditions): Conditions {
  const { newReplicaSet } = rollout;
  const candidates = newReplicaSet ? [newReplicaSet, ...allReplicaSets(rollout)] : allReplicaSets(rollout);
  const failure = candidates.map(replicaFailureOf).find((condition) => condition !== undefined);
  return failure ? withReplicaSetCondition(conditions, failure) : withoutCondition(conditions, 'ReplicaFailure');
}

export function replicaFailureOf({ status }: ReplicaSet) {
  return status?.conditions?.find(({ type }) => type === 'ReplicaFailure');
}
