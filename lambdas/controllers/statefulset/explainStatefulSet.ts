import { stuckPods } from '../../explain/stuckPods.ts';
import type { ExplainFacts, RoomExplanation } from '../ControllerRoom.ts';
import { observeStatefulSet } from './observeStatefulSet.ts';
import { sortControllerRevisions } from '../history/sortControllerRevisions.ts';
import { reasonInWords, waitInWords } from './statefulSetReasons.ts';
import { getStatefulSetRevisions } from './getStatefulSetRevisions.ts';
import { type ObservedSet, podMatcher } from './observeStatefulSet.ts';
import { desiredReplicas, getStartOrdinal, minReadySeconds, rollingUpdateOf } from './setState.ts';
import { revisionsOf } from './revisionsOf.ts';
import { updateStatefulSet } from './updateStatefulSet.ts';
import { controllerOf } from '../../objects/KubernetesObject.ts';
import type { Pod, StatefulSet } from '../../objects/kinds.ts';
import type { DecisionExplanation } from '../../explain/Explanation.ts';

/** Which pod a StatefulSet creates, deletes or waits for: what its controller would decide now. `pods` are those that it controls. Writes nothing. */
export function explainStatefulSet(
  set: StatefulSet,
  pods: readonly Pod[],
  { revisions, claims }: ObservedSet,
  nowMs: number,
): DecisionExplanation {
  const own = revisions.filter((revision) => controllerOf(revision)?.uid === set.metadata.uid);
  const sorted = sortControllerRevisions(own);
  const step = getStatefulSetRevisions(set, sorted);
  const update = step.step === 'create' ? undefined : step.revision;
  const { why } = updateStatefulSet({
    set,
    pods: pods.filter(podMatcher(set)),
    claims,
    revisions: revisionsOf(set, sorted, update),
    nowMs,
  });
  return {
    summary: summaryLines(set),
    why: why.flatMap((because) => ('wait' in because ? [] : [reasonInWords(because)])),
    waitsFor: why.flatMap((because) => ('wait' in because ? [waitInWords(because)] : [])),
  };
}

function summaryLines(set: StatefulSet): string[] {
  const { spec, status } = set;
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0, currentRevision, updateRevision } = status ?? {};
  const wanted = desiredReplicas(set);
  const start = getStartOrdinal(set);
  const seconds = minReadySeconds(set);
  return [
    `it wants ${wanted} pods${wanted > 0 ? `, ${start} to ${start + wanted - 1}` : ''}, and has ${replicas}: ${readyReplicas} ready, ${availableReplicas} available`,
    `its pod management policy is ${spec?.podManagementPolicy}${seconds > 0 ? `; a pod is available after ${seconds} s` : ''}`,
    strategyLine(set),
    currentRevision === updateRevision
      ? `all pods have or get revision ${updateRevision}`
      : `${status?.updatedReplicas ?? 0} pods have the new revision ${updateRevision}, ${status?.currentReplicas ?? 0} the old one ${currentRevision}`,
  ];
}

function strategyLine(set: StatefulSet): string {
  const bounds = rollingUpdateOf(set);
  if (!bounds) return 'its update strategy is OnDelete';
  const { partition, maxUnavailable } = bounds;
  const kept = partition > 0 ? `; the first ${partition} keep the old revision` : '';
  return `its update strategy is RollingUpdate: at most ${maxUnavailable} may be unavailable${kept}`;
}

/** Explains a StatefulSet and its pods. */
export async function explainStatefulSetAndPods({ registry, object, nowMs }: ExplainFacts): Promise<RoomExplanation> {
  const set = object as StatefulSet;
  const observed = await observeStatefulSet(registry, set);
  const pods = observed.candidates.filter((pod) => controllerOf(pod)?.uid === set.metadata.uid);
  return { statefulSet: explainStatefulSet(set, pods, observed, nowMs), stuckPods: stuckPods(pods) };
}
