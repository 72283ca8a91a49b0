import type { DeploymentStatus as ApiDeploymentStatus } from 'kubernetes-types/apps/v1.js';
import {
  type ConditionChange,
  type ConditionText,
  withChanges,
} from '../../objects/deployments/deploymentConditions.ts';
import { rolledBackChange } from './autorollback/autoRollback.ts';
import type { Creation } from './getNewReplicaSet.ts';
import type { Rollout } from './Rollout.ts';
import type { SizedReplicaSet } from './SizedReplicaSet.ts';
import type { RolloutStep } from './Step.ts';
import { syncRolloutStatus, timedOutChange } from './syncRolloutStatus.ts';

/** With `terminatingReplicas`, which is newer than the types that we build with. */
export type DeploymentStatus = ApiDeploymentStatus & { terminatingReplicas?: number };

/**
 * The status after a step's writes: counts, the step's own condition, Available, and then the conditions that `syncRolloutStatus` or a held template adds. Pure.
 *
 * @param after the rollout after the step's resizes
 */
export function statusAfter(after: Rollout, step: RolloutStep, creation: Creation | undefined): DeploymentStatus {
  const counts = calculateStatus(after, creation?.replicas ?? 0);
  const stated = creation ? creation.condition : step.condition;
  const changes: ConditionChange[] = [
    ...(stated ? [{ set: stated }] : []),
    { set: availability(after) },
    ...(step.status === 'progress' ? syncRolloutStatus(after) : []),
    ...(step.status === 'held' ? [timedOutChange(after.progress)] : []),
    ...(step.status === 'counts' ? [] : [rolledBackChange(after.autoRollback)]),
  ];
  const conditions = withChanges(after.deployment.status?.conditions ?? [], changes, after.now);
  return { ...counts, conditions: [...conditions] };
}

/**
 * `calculateStatus`, without the conditions: the counts of the ReplicaSets. The pods of one that is created are not available yet. Counts of zero are left out, as in Kubernetes. Pure.
 */
function calculateStatus({ deployment, newReplicaSet, all, sums }: Rollout, created: number): DeploymentStatus {
  const { collisionCount } = deployment.status ?? {};
  const terminating = terminatingReplicas(all);
  return {
    ...count('observedGeneration', deployment.metadata.generation ?? 0),
    ...count('replicas', sums.current),
    ...count('updatedReplicas', newReplicaSet?.current ?? 0),
    ...count('readyReplicas', sums.ready),
    ...count('availableReplicas', sums.available),
    ...count('unavailableReplicas', Math.max(0, sums.desired - sums.available) + created),
    ...(terminating !== undefined && { terminatingReplicas: terminating }),
    ...(collisionCount !== undefined && { collisionCount }),
  };
}

function count(field: keyof DeploymentStatus, value: number): DeploymentStatus {
  return value === 0 ? {} : { [field]: value };
}

/** Known only if each ReplicaSet's status has it. A pointer in Kubernetes, so 0 is shown too. */
function terminatingReplicas(replicaSets: readonly SizedReplicaSet[]): number | undefined {
  let sum = 0;
  for (const { stored } of replicaSets) {
    const { terminatingReplicas: terminating } = (stored.status ?? {}) as { terminatingReplicas?: number };
    if (terminating === undefined) return undefined;
    sum += terminating;
  }
  return sum;
}

function availability({ sums, floor }: Rollout): ConditionText {
  return sums.available >= floor.bound
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
}
