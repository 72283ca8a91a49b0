import type { PodDisruptionBudget as ApiBudget } from 'kubernetes-types/policy/v1.js';
import type { Stored } from '../../objects/KubernetesObject.ts';
import { isEmptySelector, matchesLabelSelector } from '../../objects/selectors/labelSelector.ts';
import { misfitOf } from './findFittingNodes.ts';
import type { NodeInfo } from './framework/NodeInfo.ts';
import type { FilterPlugin, Misfit } from './framework/Plugin.ts';
import type { PodInfo } from './framework/PodInfo.ts';
import type { Snapshot } from './framework/Snapshot.ts';

export type DisruptionBudget = Stored<ApiBudget>;

/** The pods that would have to leave a node, the most important first. */
export interface Victims {
  readonly nodeName: string;
  readonly victims: readonly PodInfo[];
  /** How many of them a PodDisruptionBudget protects. */
  readonly violations: number;
}

const NO_VICTIMS: Misfit = { reasons: ['No preemption victims found for incoming pod'], isResolvable: false };

/**
 * Finds the pods that must leave the node so that the pod fits: takes away all that are less important, then gives each back that leaves enough room, those that a PodDisruptionBudget protects first. Returns why the pod does
 * not fit even the node without them. Pure.
 */
export function selectVictimsOnNode(
  pod: PodInfo,
  node: NodeInfo,
  cluster: Snapshot,
  budgets: readonly DisruptionBudget[],
  plugins: readonly FilterPlugin[],
): Victims | Misfit {
  const candidates = node.pods.all.filter(({ priority }) => priority < pod.priority).toSorted(moreImportantFirst);
  if (candidates.length === 0) return NO_VICTIMS;
  const trial = node.clone();
  for (const candidate of candidates) trial.pods.remove(candidate.pod.metadata.uid);
  const misfit = () => misfitOf(pod, cluster.with(trial), trial, plugins);
  const objection = misfit();
  if (objection) return objection;
  const isProtected = protectedPods(candidates, budgets);
  const victims: PodInfo[] = [];
  for (const candidate of [...candidates.filter(isProtected), ...candidates.filter((one) => !isProtected(one))]) {
    trial.pods.add(candidate);
    if (!misfit()) continue;
    trial.pods.remove(candidate.pod.metadata.uid);
    victims.push(candidate);
  }
  return {
    nodeName: node.name,
    victims: victims.toSorted(moreImportantFirst),
    violations: victims.filter(isProtected).length,
  };
}

/** As Kubernetes' `MoreImportantPod`: the higher priority, then the longer life. */
function moreImportantFirst(a: PodInfo, b: PodInfo): number {
  return b.priority - a.priority || startedAtMs(a) - startedAtMs(b);
}

/** When the pod was started; one that has not started counts as started last. */
export function startedAtMs({ pod }: PodInfo): number {
  return pod.status?.startTime === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(pod.status.startTime);
}

/** Returns which of the pods a budget protects, as `filterPodsWithPDBViolation`: a budget allows so many disruptions, and protects the rest of the pods that it selects. */
function protectedPods(pods: readonly PodInfo[], budgets: readonly DisruptionBudget[]): (pod: PodInfo) => boolean {
  const left = new Map(budgets.map((budget) => [budget, budget.status?.disruptionsAllowed ?? 0]));
  const guarded = pods.filter(({ pod, namespace, labels }) => {
    const mine = budgets.filter(
      ({ metadata, spec, status }) =>
        metadata.namespace === namespace &&
        !isEmptySelector(spec?.selector) &&
        matchesLabelSelector(spec?.selector, labels) &&
        status?.disruptedPods?.[pod.metadata.name] === undefined,
    );
    for (const budget of mine) left.set(budget, (left.get(budget) ?? 0) - 1);
    return mine.some((budget) => (left.get(budget) ?? 0) < 0);
  });
  const set = new Set(guarded);
  return (pod) => set.has(pod);
}
