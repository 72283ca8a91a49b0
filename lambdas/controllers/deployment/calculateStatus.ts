import type { DeploymentCondition, DeploymentStatus as ApiDeploymentStatus } from 'kubernetes-types/apps/v1.js';
import { withCondition } from '../../objects/deployments/deploymentConditions.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import { availableReplicas, currentReplicas, desiredReplicas, sumOf } from './replicaSets.ts';
import { resolveFenceposts } from './resolveFenceposts.ts';
import { allReplicaSets, type Rollout } from './Rollout.ts';

/** With `terminatingReplicas`, which is newer than the types that we build with. */
export type DeploymentStatus = ApiDeploymentStatus & { terminatingReplicas?: number };
export type Conditions = readonly DeploymentCondition[];

/**
 * `calculateStatus`: the counts of the ReplicaSets, the Available condition, and the given conditions, which this sync may have changed. Counts of zero are left out, as
 * in Kubernetes. Pure.
 */
export function calculateStatus(rollout: Rollout, conditions: Conditions, nowMs: number): DeploymentStatus {
  const { deployment, newReplicaSet } = rollout;
  const all = allReplicaSets(rollout);
  const available = sumOf(all, availableReplicas);
  const { collisionCount } = deployment.status ?? {};
  const terminating = terminatingReplicas(all);
  return {
    ...count('observedGeneration', deployment.metadata.generation ?? 0),
    ...count('replicas', sumOf(all, currentReplicas)),
    ...count('updatedReplicas', newReplicaSet ? currentReplicas(newReplicaSet) : 0),
    ...count(
      'readyReplicas',
      sumOf(all, ({ status }) => status?.readyReplicas ?? 0),
    ),
    ...count('availableReplicas', available),
    ...count('unavailableReplicas', Math.max(0, sumOf(all, desiredReplicas) - available)),
    ...(terminating !== undefined && { terminatingReplicas: terminating }),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions: [...withCondition(conditions, availability(deployment, available), formatTime(nowMs))],
  };
}

function count(field: keyof DeploymentStatus, value: number): DeploymentStatus {
  return value === 0 ? {} : { [field]: value };
}

/** Known only if each ReplicaSet's status has it. A pointer in Kubernetes, so 0 is shown too. */
function terminatingReplicas(replicaSets: readonly ReplicaSet[]): number | undefined {
  let sum = 0;
  for (const { status } of replicaSets) {
    const { terminatingReplicas: terminating } = (status ?? {}) as { terminatingReplicas?: number };
    if (terminating === undefined) return undefined;
    sum += terminating;
  }
  return sum;
}

function availability(deployment: Deployment, available: number) {
  return available >= resolveFenceposts(deployment).floor
    ? ({
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      } as const)
    : ({
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      } as const);
}

/** `DeploymentComplete`: all replicas are updated and available, no old ones are left, and the status is about this generation. Pure. */
export function deploymentComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const desired = desiredReplicas(deployment);
  return (
    (status.updatedReplicas ?? 0) === desired &&
    (status.replicas ?? 0) === desired &&
    (status.availableReplicas ?? 0) === desired &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
}
