import type { Node, Pod } from '../../objects/kinds.ts';
import type { PodRuntime, PodStep } from '../../ports/PodRuntime.ts';
import { nextPodStep } from './nextPodStep.ts';

/**
 * Runs nothing, and writes what a scheduler and a kubelet would: a pod is bound to a node that fits, then runs and is ready at once, unless its annotations or its
 * images' names say otherwise (see `parsePodScript`). Keeps nothing between calls: all that it knows of a pod's past stands in the pod's status, so it goes on
 * where another process stopped. Times in a status have whole seconds, and so has what is counted from them.
 */
export class SimulatedPodRuntime implements PodRuntime {
  async next(pod: Pod, nodes: readonly Node[], nowMs: number): Promise<PodStep> {
    return nextPodStep(pod, nodes, nowMs);
  }
}
