import { stuckPods } from '../../explain/stuckPods.ts';
import { podsOf } from '../claim/candidatePods.ts';
import type { ExplainFacts, RoomExplanation } from '../ControllerRoom.ts';
import { REVISION } from '../../objects/deployments/deploymentAnnotations.ts';
import type { Deployment, Pod, ReplicaSet } from '../../objects/kinds.ts';
import type { SyncHistory } from '../../explain/SyncHistory.ts';
import type { PlannedWrite } from './Plan.ts';
import { availableReplicas, currentReplicas, desiredReplicas } from './replicaSets.ts';
import { boundsOf, isRollingUpdate } from './resolveFenceposts.ts';
import type { World } from './Rollout.ts';
import { shownReplicaSets } from './summary.ts';
import { decideDeployment } from './decideDeployment.ts';
import { PROGRESSING, progressDeadlineMs, requeueStuckDeployment, TIMED_OUT } from './assessProgress.ts';
import { boundInWords, reasonInWords, waitInWords } from './deploymentReasons.ts';
import { findCondition } from '../../objects/deployments/deploymentConditions.ts';
import { durationInWords } from '../../explain/durationInWords.ts';
import type { ReplicaSetCounts, RolloutExplanation } from '../../explain/Explanation.ts';

/** The state of a Deployment's rollout: what is stored, and what its controller would decide now. Writes nothing. */
export function explainRollout(
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
  pods: readonly Pod[],
  nowMs: number,
  history: SyncHistory,
): RolloutExplanation {
  const world: World = { deployment, replicaSets, pods, nowMs };
  const shown = shownReplicaSets(deployment, replicaSets);
  const { why, wouldWrite, waitsFor } = decisionNow(world);
  return {
    summary: summaryOf(deployment),
    replicaSets: shown.map(({ replicaSet, part }) => countsOf(replicaSet, part)),
    why,
    wouldWrite,
    waitsFor: [...waitsFor, ...progressDeadlineInWords(deployment, nowMs)],
    replicaSetSyncs: shown.flatMap(({ replicaSet: { metadata } }) => {
      const key = { controller: 'replicaset', namespace: metadata.namespace ?? '', name: metadata.name } as const;
      return history.of(key).slice(-1);
    }),
  };
}

/** The plan of a sync that would begin now, in words. Its deadline is left out: `progressDeadlineInWords` says more about it. A strategy of unknown type makes the decision throw. */
function decisionNow(world: World): Pick<RolloutExplanation, 'why' | 'wouldWrite' | 'waitsFor'> {
  try {
    const { why, writes, waitsFor } = decideDeployment(world);
    return {
      why: why.map(reasonInWords),
      wouldWrite: writes.map(phraseOf),
      waitsFor: waitsFor.filter(({ wait }) => wait !== 'progressDeadline').map(waitInWords),
    };
  } catch (error) {
    return { why: [error instanceof Error ? error.message : String(error)], wouldWrite: [], waitsFor: [] };
  }
}

/** `progress deadline in 8 m 12 s …`, or the time since which it is exceeded; nothing if no deadline runs. Pure. */
function progressDeadlineInWords(deployment: Deployment, nowMs: number): readonly string[] {
  const deadlineMs = progressDeadlineMs(deployment);
  const condition = findCondition(deployment.status?.conditions ?? [], PROGRESSING);
  if (deadlineMs === undefined || !condition || deployment.spec?.paused === true) return [];
  const allowed = durationInWords(deadlineMs);
  if (condition.reason === TIMED_OUT) {
    const since = condition.lastTransitionTime ?? condition.lastUpdateTime ?? '';
    return [`progress deadline of ${allowed} exceeded since ${since}; it goes on trying`];
  }
  const leftMs = requeueStuckDeployment(deployment, nowMs);
  if (leftMs === undefined) return [];
  return [
    `progress deadline in ${durationInWords(leftMs)}: ${allowed} after the last progress, at ${condition.lastUpdateTime ?? ''}`,
  ];
}

function summaryOf(deployment: Deployment): string {
  const replicas = `${desiredReplicas(deployment)} replicas`;
  const type = deployment.spec?.strategy?.type ?? '';
  const paused = deployment.spec?.paused === true ? ', paused' : '';
  if (!isRollingUpdate(deployment)) return `${replicas}, ${type}${paused}`;
  const { ceiling, floor } = boundsOf(deployment);
  return `${replicas}, ${type}${paused}: ${boundInWords(ceiling)}; ${boundInWords(floor)}`;
}

function countsOf(replicaSet: ReplicaSet, part: ReplicaSetCounts['part']): ReplicaSetCounts {
  return {
    name: replicaSet.metadata.name,
    part,
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

/** Explains the rollout of a Deployment, and the pods of its ReplicaSets. */
export async function explainDeployment({ registry, object, nowMs, history }: ExplainFacts): Promise<RoomExplanation> {
  const { namespace = '', name: ownerName, uid } = object.metadata;
  const index = { name: 'controller', value: uid, ownerName } as const;
  const { items: replicaSets } = await registry.list<ReplicaSet>('replicasets.apps', { namespace, index });
  const pods = (await Promise.all(replicaSets.map((one) => podsOf(registry, one)))).flat();
  return { rollout: explainRollout(object, replicaSets, pods, nowMs, history), stuckPods: stuckPods(pods) };
}
