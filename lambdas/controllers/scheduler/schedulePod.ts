import type { Node } from '../../objects/kinds.ts';
import { podConditionOf } from '../../objects/pods/podState.ts';
import { DEFAULT_FILTERS, DEFAULT_SCORES } from './defaultPlugins.ts';
import { type Fit, findFittingNodes, misfitOf } from './findFittingNodes.ts';
import { fitError, unavailable } from './framework/fitError.ts';
import type { FilterPluginName } from './framework/Plugin.ts';
import type { PodInfo } from './framework/PodInfo.ts';
import type { Snapshot } from './framework/Snapshot.ts';
import type { PodVolumes } from './plugins/findPodVolumes.ts';
import { podVolumesOn } from './plugins/volumeBinding.ts';
import { preempt } from './preempt.ts';
import { selectHost } from './selectHost.ts';
import type { DisruptionBudget } from './selectVictimsOnNode.ts';

/** What is to be done about one pod. */
export type PodDecision =
  | { readonly decision: 'bind'; readonly node: Node }
  /** The node is chosen. The pod is bound to it when its claims have their volumes there. */
  | { readonly decision: 'provision'; readonly node: Node; readonly volumes: PodVolumes }
  | {
      readonly decision: 'wait';
      /** In Kubernetes' words. */
      readonly message: string;
      /** The plugins that kept the pod from a node: what they look at must change before it fits. Empty: there are no nodes. */
      readonly waitsFor: readonly FilterPluginName[];
      /** The node that waits for the pod; `''`: none. */
      readonly nominatedNodeName: string;
      /** The pods that are to make room for it. */
      readonly victims: readonly PodInfo[];
    };

/** Decides where a pod goes, as Kubernetes' `schedulingCycle`. Pure. */
export function schedulePod(pod: PodInfo, cluster: Snapshot, budgets: readonly DisruptionBudget[] = []): PodDecision {
  const nominated = cluster.node(pod.pod.status?.nominatedNodeName ?? '');
  if (nominated && !misfitOf(pod, cluster, nominated, DEFAULT_FILTERS)) return placed(pod, cluster, nominated.node);
  const nominatedNodeName = nominated?.name ?? '';
  if (cluster.nodes.length === 0)
    return { ...WAITS, message: 'no nodes available to schedule pods', waitsFor: [], nominatedNodeName };
  const fit = findFittingNodes(pod, cluster, DEFAULT_FILTERS);
  const host = 'fitting' in fit ? selectHost(pod, fit.fitting, cluster, DEFAULT_SCORES) : undefined;
  if (host) return placed(pod, cluster, host.node);
  const misfits = 'misfits' in fit ? fit.misfits : new Map();
  const preemption = preempt(pod, cluster, misfits, budgets, DEFAULT_FILTERS);
  const waits = { ...WAITS, waitsFor: pluginsOf(fit) };
  const why = whyIn(fit, cluster.nodes.length);
  switch (preemption.status) {
    case 'preempts':
      return { ...waits, message: why, nominatedNodeName: preemption.nodeName, victims: preemption.victims };
    case 'notEligible': {
      const message = `${why} preemption: ${preemption.message}`;
      // Kubernetes does not look at the pod again before its victims have ended, so what was said last stays.
      const said = preemption.isUnderWay ? podConditionOf(pod.pod, 'PodScheduled')?.message : undefined;
      return { ...waits, message: said ?? message, nominatedNodeName };
    }
    case 'noCandidate':
      return { ...waits, message: `${why} preemption: ${preemption.message}` };
    default:
      return preemption satisfies never;
  }
}

function placed(pod: PodInfo, cluster: Snapshot, node: Node): PodDecision {
  const volumes = podVolumesOn(pod, cluster, node);
  const isReady = volumes.bindings.length + volumes.provisions.length === 0;
  return isReady ? { decision: 'bind', node } : { decision: 'provision', node, volumes };
}

const WAITS = { decision: 'wait', nominatedNodeName: '', victims: [] } as const;

function whyIn(fit: Fit, total: number): string {
  return 'rejected' in fit ? unavailable(total, fit.rejected) : fitError(total, fit.misfits.values());
}

function pluginsOf(fit: Fit): readonly FilterPluginName[] {
  if ('rejected' in fit) return [fit.plugin];
  return [...new Set([...fit.misfits.values()].map(({ plugin }) => plugin))];
}
