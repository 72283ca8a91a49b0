import type { Node, Pod } from '../../objects/kinds.ts';
import { choosePlainNode } from './choosePlainNode.ts';
import { requestsNothing } from './framework/Resource.ts';
import { isPlainPod } from './isPlainPod.ts';

/** Opens what the scheduler and the pod controller of one process share. */
export function openPlainChoice(): PlainChoice {
  return new PlainChoice();
}

/**
 * Which of the two controllers looks first at a pod that waits. It is decided once for each state of a pod: the controllers ask one after the other, and with two lists of nodes, of different moments, each could leave the pod to
 * the other.
 */
export class PlainChoice {
  readonly #made = new WeakMap<Pod, Promise<boolean>>();

  /**
   * Whether the sync that starts the pod is to bind it, as far as the nodes of a moment ago tell. If they can be full of such pods, that sync could only hand it over to the scheduler. A pod that requests nothing is not worth
   * a look at the nodes. Throws what `nodes` throws.
   */
  isBoundAtStart(pod: Pod, nodes: () => Promise<readonly Node[]>): boolean | Promise<boolean> {
    if (!isPlainPod(pod)) return false;
    if (requestsNothing(pod.spec ?? { containers: [] })) return true;
    const made = this.#made.get(pod) ?? nodes().then((list) => choosePlainNode(pod, list) !== undefined);
    this.#made.set(pod, made);
    made.catch(() => this.#made.delete(pod));
    return made;
  }
}
