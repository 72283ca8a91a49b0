import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { isPodTerminal } from '../../../lambdas/objects/pods/podState.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';
import type { NodeHistory } from './NodeHistory.ts';
import { nodeObjection } from './nodeObjection.ts';

/**
 * A pod is bound once, to a node that exists and allows it, has room for it beside all pods that are on it at this very moment, and has no pod that must not be with it. Only what the node says may have changed since the sync began.
 */
export class NodeRoom implements Check {
  readonly #world: World;
  readonly #nodes: NodeHistory;

  constructor(world: World, nodes: NodeHistory) {
    this.#world = world;
    this.#nodes = nodes;
  }

  onWrite({ writer, trail, change }: AuditedWrite, nowMs: number): string | undefined {
    if (change.resource !== 'pods' || !change.after) return undefined;
    const { before, after } = change as { before?: Pod; after: Pod };
    const [was, is] = [before?.spec?.nodeName, after.spec?.nodeName];
    if (was === is) return undefined;
    if (was || !is) return `${writer} moves ${nameOf(after)} from ${was} to ${is}`;
    const objection = this.#objectionTo(after, is, trail?.beganMs ?? nowMs);
    return objection && `${writer} binds ${nameOf(after)} to ${is}, ${objection}`;
  }

  /** The node must have been right in one of its states since then. */
  #objectionTo(pod: Pod, nodeName: string, sinceMs: number): string | undefined {
    const others = this.#world
      .pods()
      .filter((one) => one.spec?.nodeName === nodeName && one.metadata.uid !== pod.metadata.uid && !isPodTerminal(one));
    const states = this.#nodes.since(nodeName, sinceMs).filter((node) => node !== undefined);
    const objections = states.map((node) => nodeObjection(pod, node, others));
    if (objections.length === 0) return 'which does not exist';
    return objections.includes(undefined) ? undefined : objections[0];
  }
}
