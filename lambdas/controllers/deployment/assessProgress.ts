import type { DeploymentCondition } from 'kubernetes-types/apps/v1.js';
import { findCondition } from '../../objects/deployments/deploymentConditions.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import type { Deployment } from '../../objects/kinds.ts';
import { desiredReplicas } from './replicaSets.ts';
import type { Sizes } from './Sizes.ts';

/** The facts of Kubernetes' progress.go; `syncRolloutStatus` makes conditions of them. */

export const PROGRESSING = 'Progressing';

/** Reasons of the Progressing condition that decisions depend on. */
export const TIMED_OUT = 'ProgressDeadlineExceeded';
export const NEW_REPLICA_SET_AVAILABLE = 'NewReplicaSetAvailable';
export const PAUSED = 'DeploymentPaused';
export const RESUMED = 'DeploymentResumed';

/** `math.MaxInt32`: in older API versions this value means that the Deployment has no deadline. */
const NO_DEADLINE = 2_147_483_647;

/** How far a rollout to the Deployment's template has come. The counts do not change by what a sync writes, so neither does this. */
export interface Progress {
  /** See `progressDeadlineMs`. */
  readonly deadlineMs: number | undefined;
  /** The stored Progressing condition. */
  readonly condition: DeploymentCondition | undefined;
  /** What messages are about: the new ReplicaSet, or the Deployment as long as that has no new ReplicaSet. */
  readonly subject: string;
  /** `DeploymentComplete`, by the stored status. */
  readonly wasComplete: boolean;
  /** `DeploymentComplete`, by the counts of this sync. */
  readonly isComplete: boolean;
  /** `DeploymentProgressing`, since the stored status. */
  readonly hasProgressed: boolean;
  /** `DeploymentTimedOut`. */
  readonly hasTimedOut: boolean;
  /** See `requeueStuckDeployment`. */
  readonly timesOutInMs: number | undefined;
}

type Counts = NonNullable<Deployment['status']>;

/** Pure. */
export function assessProgress(deployment: Deployment, { newReplicaSet, sums }: Sizes, nowMs: number): Progress {
  const stored = deployment.status ?? {};
  const counts: Counts = {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: sums.current,
    updatedReplicas: newReplicaSet?.current ?? 0,
    readyReplicas: sums.ready,
    availableReplicas: sums.available,
  };
  const deadlineMs = progressDeadlineMs(deployment);
  const condition = findCondition(stored.conditions ?? [], PROGRESSING);
  return {
    deadlineMs,
    condition,
    subject: newReplicaSet ? replicaSetSubject(newReplicaSet.name) : `Deployment ${goQuote(deployment.metadata.name)}`,
    wasComplete: deploymentComplete(deployment, stored),
    isComplete: deploymentComplete(deployment, counts),
    hasProgressed: deploymentProgressing(stored, counts),
    hasTimedOut: deadlineMs !== undefined && deploymentTimedOut(condition, deadlineMs, nowMs),
    timesOutInMs: requeueStuckDeployment(deployment, nowMs),
  };
}

export function replicaSetSubject(name: string): string {
  return `ReplicaSet ${goQuote(name)}`;
}

/** The message of a timeout. */
export function timedOutMessage(subject: string): string {
  return `${subject} has timed out progressing.`;
}

export function completedMessage(subject: string): string {
  return `${subject} has successfully progressed.`;
}

/** In milliseconds; `undefined` if there is no deadline (`HasProgressDeadline`), and progress is not estimated. */
export function progressDeadlineMs(deployment: Deployment): number | undefined {
  const seconds = deployment.spec?.progressDeadlineSeconds;
  return seconds === undefined || seconds === NO_DEADLINE ? undefined : seconds * 1000;
}

/** `DeploymentComplete`: all replicas are updated and available, no old ones are left, and the status is about this generation. Pure. */
export function deploymentComplete(deployment: Deployment, status: Counts): boolean {
  const desired = desiredReplicas(deployment);
  return (
    (status.updatedReplicas ?? 0) === desired &&
    (status.replicas ?? 0) === desired &&
    (status.availableReplicas ?? 0) === desired &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
}

/** `DeploymentProgressing`: more updated, ready or available replicas than before, or fewer old ones. Pure. */
export function deploymentProgressing(before: Counts, after: Counts): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: Counts) => replicas - updatedReplicas;
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
function deploymentTimedOut(condition: DeploymentCondition | undefined, deadlineMs: number, nowMs: number): boolean {
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
