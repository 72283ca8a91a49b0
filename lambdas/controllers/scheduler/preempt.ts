import type { Pod } from '../../objects/kinds.ts';
import { podConditionOf } from '../../objects/pods/podState.ts';
import { stableInteger } from '../../objects/stableHash.ts';
import type { FoundMisfit } from './findFittingNodes.ts';
import { fitError } from './framework/fitError.ts';
import type { FilterPlugin, Misfit } from './framework/Plugin.ts';
import type { PodInfo } from './framework/PodInfo.ts';
import type { Snapshot } from './framework/Snapshot.ts';
import { pickOneNode } from './pickOneNode.ts';
import { type DisruptionBudget, selectVictimsOnNode, type Victims } from './selectVictimsOnNode.ts';

/** What may be done for a pod that fits no node. */
export type Preemption =
  /** These pods are deleted, so that the pod fits the node once they have ended. */
  | { readonly status: 'preempts'; readonly nodeName: string; readonly victims: readonly PodInfo[] }
  /** Nothing is done, and the node for which the pod was nominated stays as it is. `isUnderWay`: pods make room for it already. */
  | { readonly status: 'notEligible'; readonly message: string; readonly isUnderWay: boolean }
  /** Nothing helps, and no node waits for the pod any more. */
  | { readonly status: 'noCandidate'; readonly message: string };

/** The reason of the condition DisruptionTarget of a victim. */
export const PREEMPTION_BY_SCHEDULER = 'PreemptionByScheduler';

const UNDER_WAY = 'not eligible due to a terminating pod on the nominated node.';
const NOT_HELPFUL: Misfit = { reasons: ['Preemption is not helpful for scheduling'], isResolvable: false };

/** How many nodes are compared at most: Kubernetes' `minCandidateNodesAbsolute`. */
const MOST_CANDIDATES = 100;

/** Decides for a pod that fits no node whether less important pods make room for it, as Kubernetes' `DefaultPreemption`. Pure. */
export function preempt(
  pod: PodInfo,
  cluster: Snapshot,
  misfits: ReadonlyMap<string, FoundMisfit>,
  budgets: readonly DisruptionBudget[],
  plugins: readonly FilterPlugin[],
): Preemption {
  const objection = whyNotEligible(pod, cluster, misfits);
  if (objection !== undefined)
    return { status: 'notEligible', message: objection, isUnderWay: objection === UNDER_WAY };
  const candidates: Victims[] = [];
  const failures = new Map<string, Misfit>();
  for (const node of rotated(cluster.nodes, stableInteger(pod.pod.metadata.uid))) {
    if (candidates.length >= MOST_CANDIDATES) break;
    if (misfits.get(node.name)?.isResolvable !== true) continue;
    const found = selectVictimsOnNode(pod, node, cluster, budgets, plugins);
    if ('victims' in found) candidates.push(found);
    else failures.set(node.name, found);
  }
  const best = pickOneNode(candidates);
  if (best) return { status: 'preempts', nodeName: best.nodeName, victims: best.victims };
  const reasons = cluster.nodes.map(({ name }) => failures.get(name) ?? NOT_HELPFUL);
  return { status: 'noCandidate', message: fitError(cluster.nodes.length, reasons) };
}

/** As Kubernetes' `PodEligibleToPreemptOthers`: a pod whose victims are still ending takes no more of them. */
function whyNotEligible(
  { pod, spec, priority }: PodInfo,
  cluster: Snapshot,
  misfits: ReadonlyMap<string, FoundMisfit>,
): string | undefined {
  if (spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const nominated = cluster.node(pod.status?.nominatedNodeName ?? '');
  if (!nominated || misfits.get(nominated.name)?.isResolvable === false) return undefined;
  const isEnding = nominated.pods.all.some((other) => other.priority < priority && isEndingByPreemption(other.pod));
  return isEnding ? UNDER_WAY : undefined;
}

function isEndingByPreemption(pod: Pod): boolean {
  const target = podConditionOf(pod, 'DisruptionTarget');
  if (pod.metadata.deletionTimestamp === undefined || !target) return false;
  return target.status === 'True' && target.reason === PREEMPTION_BY_SCHEDULER;
}

/** Begins at another node for each pod. */
function rotated<T>(items: readonly T[], offset: number): readonly T[] {
  const at = items.length === 0 ? 0 : offset % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
