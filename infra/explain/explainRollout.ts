import { REVISION } from '../../lambdas/objects/deploymentAnnotations.ts';
import type { Deployment, Pod, ReplicaSet } from '../../lambdas/objects/kinds.ts';
import type { SyncHistory } from '../../lambdas/functions/sync/SyncHistory.ts';
import { decideDeployment } from '../../lambdas/controllers/deployment/decideDeployment.ts';
import { ceilingInWords, floorInWords, isRollingUpdate } from '../../lambdas/controllers/deployment/fenceposts.ts';
import type { Plan, PlannedWrite } from '../../lambdas/controllers/deployment/Plan.ts';
import {
  availableReplicas,
  currentReplicas,
  desiredReplicas,
  isActive,
} from '../../lambdas/controllers/deployment/replicaCounts.ts';
import { allReplicaSets, findRollout, type Rollout, type World } from '../../lambdas/controllers/deployment/Rollout.ts';
import type { ReplicaSetCounts, RolloutExplanation } from './Explanation.ts';
import { progressDeadlineInWords } from './progressDeadlineInWords.ts';

/** How a Deployment's rollout stands, from what is stored and what its controller would decide of it now. Writes nothing. */
export function explainRollout(
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
  pods: readonly Pod[],
  nowMs: number,
  history: SyncHistory,
): RolloutExplanation {
  const world: World = { deployment, replicaSets, pods, nowMs };
  const rollout = findRollout(deployment, replicaSets);
  const shown = allReplicaSets(rollout).filter(
    (one) => one === rollout.newReplicaSet || isActive(one) || currentReplicas(one) > 0,
  );
  const plan = planFor(world);
  const deadline = progressDeadlineInWords(deployment, nowMs);
  return {
    summary: summaryOf(deployment),
    replicaSets: shown.map((one) => countsOf(one, rollout)),
    why: plan.why,
    wouldWrite: plan.writes.map(phraseOf),
    waitsFor: [...plan.waitsFor.filter((sentence) => !sentence.startsWith('times out in ')), ...deadline],
    replicaSetSyncs: shown.flatMap(({ metadata }) => {
      const key = { controller: 'replicaset', namespace: metadata.namespace ?? '', name: metadata.name } as const;
      return history.of(key).slice(-1);
    }),
  };
}

/** A strategy that nobody knows is refused by the decision itself. */
function planFor(world: World): Pick<Plan, 'why' | 'waitsFor' | 'writes'> {
  try {
    return decideDeployment(world);
  } catch (error) {
    return { why: [error instanceof Error ? error.message : String(error)], waitsFor: [], writes: [] };
  }
}

function summaryOf(deployment: Deployment): string {
  const replicas = `${desiredReplicas(deployment)} replicas`;
  const type = deployment.spec?.strategy?.type ?? '';
  const paused = deployment.spec?.paused === true ? ', paused' : '';
  if (!isRollingUpdate(deployment)) return `${replicas}, ${type}${paused}`;
  return `${replicas}, ${type}${paused}: ${ceilingInWords(deployment)}; ${floorInWords(deployment)}`;
}

function countsOf(replicaSet: ReplicaSet, { newReplicaSet }: Rollout): ReplicaSetCounts {
  return {
    name: replicaSet.metadata.name,
    part: replicaSet === newReplicaSet ? 'new' : 'old',
    revision: replicaSet.metadata.annotations?.[REVISION] ?? '',
    desired: desiredReplicas(replicaSet),
    current: currentReplicas(replicaSet),
    ready: replicaSet.status?.readyReplicas ?? 0,
    available: availableReplicas(replicaSet),
  };
}

function phraseOf(write: PlannedWrite): string {
  switch (write.write) {
    case 'createReplicaSet':
      return `create replica set ${write.replicaSet.metadata.name}`;
    case 'updateReplicaSet': {
      const [from, to] = [desiredReplicas(write.from), desiredReplicas(write.to)];
      const { name } = write.to.metadata;
      return from === to ? `update replica set ${name}` : `scale replica set ${name} from ${from} to ${to}`;
    }
    case 'deleteReplicaSet':
      return `delete replica set ${write.replicaSet.metadata.name}`;
    case 'updateDeployment':
      return 'update the deployment';
    case 'updateStatus':
      return "update the deployment's status";
  }
}
