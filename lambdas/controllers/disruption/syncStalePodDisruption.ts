import type { Pod } from '../../objects/kinds.ts';
import { withPodCondition } from '../../objects/pods/podConditions.ts';
import { isPodTerminal, podConditionOf } from '../../objects/pods/podState.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import { reasonInWords, reportDone } from './disruptionReasons.ts';

/** The keys of pods begin with this. No budget has such a name. */
const PREFIX = 'pods/';
const TARGET = 'DisruptionTarget';
/** A kubelet may end a pod long after it has said so. */
const TERMINATION_BY_KUBELET = 'TerminationByKubelet';
/** Kubernetes' `stalePodDisruptionTimeout`. */
const STALE_AFTER_MS = 2 * 60_000;

/** Returns the key of a pod that may have a condition that is out of date. Kubernetes has a queue of its own for them. */
export function stalePodKey({ metadata }: Pod): WorkKey {
  return { controller: 'disruption', namespace: metadata.namespace ?? '', name: `${PREFIX}${metadata.name}` };
}

/** Returns the name of the pod that such a key stands for; `undefined` for the key of a budget. */
export function stalePodName({ name }: WorkKey): string | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
}

/** True if the pod is said to be about to go, and neither goes nor has ended: the first half of Kubernetes' `nonTerminatingPodHasStaleDisruptionCondition`. */
export function hasDisruptionCondition(pod: Pod): boolean {
  const condition = podConditionOf(pod, TARGET);
  if (condition?.status !== 'True' || condition.reason === TERMINATION_BY_KUBELET) return false;
  return pod.metadata.deletionTimestamp === undefined && !isPodTerminal(pod);
}

/** Sets the condition DisruptionTarget of a pod to False when nobody has deleted the pod for two minutes. Kubernetes' function of this name. */
export async function syncStalePodDisruption(
  { namespace }: WorkKey,
  podName: string,
  { registry, nowMs }: SyncContext,
): Promise<SyncReport> {
  const pod = await registry.get<Pod>({ resource: 'pods', namespace, name: podName });
  if (!pod || !hasDisruptionCondition(pod)) return reportDone({ reason: 'podIsNoTarget' });
  const sinceMs = Date.parse(podConditionOf(pod, TARGET)?.lastTransitionTime ?? '');
  // A condition without a time is as old as can be.
  const delayMs = Number.isNaN(sinceMs) ? 0 : sinceMs + STALE_AFTER_MS - nowMs;
  if (delayMs > 0) {
    const why = [reasonInWords({ reason: 'targetMayGoYet', delayMs })];
    return { outcome: { status: 'requeueAfter', delayMs }, why, writes: [] };
  }
  const kept = withPodCondition(pod, { type: TARGET, status: 'False' }, formatTime(nowMs));
  const outcome = await registry.update('pods', kept, { subresource: 'status', from: pod });
  if (outcome.status === 'stored')
    return reportDone({ reason: 'targetStays' }, [`take ${TARGET} back from pods ${namespace}/${podName}`]);
  if (outcome.error.reason !== 'Conflict' && outcome.error.reason !== 'NotFound') throw outcome.error;
  return { outcome: { status: 'conflict' }, why: [reasonInWords({ reason: 'changedMeanwhile' })], writes: [] };
}
