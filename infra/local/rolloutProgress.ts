import type { Deployment } from 'kubernetes-types/apps/v1.js';

const BAR_WIDTH = 20;

export interface RolloutProgress {
  /** One line: a bar of what is available, and the counts behind it. */
  readonly line: string;
  /** True when there is nothing more to wait for: it is complete, or has exceeded its progress deadline. */
  readonly hasEnded: boolean;
}

/** How far a Deployment's rollout is, by the rules of `kubectl rollout status`. Pure. */
export function rolloutProgress(deployment: Deployment): RolloutProgress {
  const { metadata = {}, spec, status = {} } = deployment;
  const desired = spec?.replicas ?? 1;
  const { updatedReplicas = 0, availableReplicas = 0, replicas = 0, observedGeneration = 0 } = status;
  const isObserved = (metadata.generation ?? 0) <= observedGeneration;
  const isComplete = updatedReplicas >= desired && replicas <= updatedReplicas && availableReplicas >= updatedReplicas;
  const hasFailed = (status.conditions ?? []).some(({ reason }) => reason === 'ProgressDeadlineExceeded');
  const says =
    isObserved && hasFailed ? ' · exceeded its progress deadline' : isObserved && isComplete ? ' · rolled out' : '';
  const counts = `${updatedReplicas} updated · ${availableReplicas} of ${desired} available`;
  const old = replicas > updatedReplicas ? ` · ${replicas - updatedReplicas} old` : '';
  return {
    line: `${metadata.name ?? ''} ${bar(availableReplicas, desired)} ${counts}${old}${says}`,
    hasEnded: isObserved && (isComplete || hasFailed),
  };
}

function bar(count: number, total: number): string {
  const filled = total === 0 ? BAR_WIDTH : Math.min(BAR_WIDTH, Math.floor((count / total) * BAR_WIDTH));
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
}
