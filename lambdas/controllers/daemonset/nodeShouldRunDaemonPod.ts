import type { PodSpec, Taint } from 'kubernetes-types/core/v1.js';
import type { Node } from '../../objects/kinds.ts';
import { matchesRequiredNodeAffinity } from '../scheduler/plugins/nodeAffinity.ts';
import { tolerates } from '../scheduler/plugins/tolerates.ts';

/** Why a daemon gets no pod on a node. */
export type NodeMisfit =
  | { readonly misfit: 'otherNodeName'; readonly nodeName: string }
  | { readonly misfit: 'affinity' }
  | { readonly misfit: 'taint'; readonly taint: Taint };

/** Whether a node gets a daemon's pod, and whether a pod that is there may stay. */
export interface NodeVerdict {
  readonly shouldRun: boolean;
  readonly shouldContinueRunning: boolean;
  /** Absent if it should run. */
  readonly why?: NodeMisfit;
}

const FITS: NodeVerdict = { shouldRun: true, shouldContinueRunning: true };

/**
 * Decides by the node's name, labels and taints: Kubernetes' `NodeShouldRunDaemonPod`. A pod that is there already stays in spite of a taint with the effect NoSchedule. Whether the node has room is for the scheduler to
 * find out. `spec` is that of `daemonPodSpec`. Pure.
 */
export function nodeShouldRunDaemonPod(spec: PodSpec, node: Node): NodeVerdict {
  const { nodeName } = spec;
  if (nodeName && nodeName !== node.metadata.name) return misfits({ misfit: 'otherNodeName', nodeName });
  if (!matchesRequiredNodeAffinity(spec, node)) return misfits({ misfit: 'affinity' });
  const untolerated = (node.spec?.taints ?? []).filter(
    (taint) => taint.effect !== 'PreferNoSchedule' && !tolerates(spec.tolerations, taint),
  );
  const [taint] = untolerated;
  if (!taint) return FITS;
  return misfits({ misfit: 'taint', taint }, !untolerated.some(({ effect }) => effect === 'NoExecute'));
}

function misfits(why: NodeMisfit, shouldContinueRunning = false): NodeVerdict {
  return { shouldRun: false, shouldContinueRunning, why };
}
