import type { Node, Pod } from '../../objects/kinds.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { NodesOfSync, type RecentNodes } from '../pod/RecentNodes.ts';
import { choosePlainNode } from './choosePlainNode.ts';
import { isPending, isPlainPod } from './isPlainPod.ts';
import { SCHEDULER_KEY } from './keysForChange.ts';
import type { PlainBinds } from './PlainBinds.ts';
import { requiredNodeNames } from './plugins/nodeAffinity.ts';
import { RecentNotice } from './SchedulerNotice.ts';

export interface PlainSchedulerDeps {
  readonly registry: RegistryReader;
  readonly clock: Clock;
  readonly nodes: RecentNodes;
  readonly nodesRememberMs?: number | undefined;
  /** Queues keys. */
  readonly sendKeys: (keys: readonly KeyToSend[]) => Promise<void>;
  readonly binds: PlainBinds;
}

/** Binds plain pods within the syncs that start them, and hands all that it may not decide over to the scheduler. So most pods need no sync of the scheduler and no look at other pods. */
export class PlainScheduler {
  readonly #deps: PlainSchedulerDeps;
  readonly #notice: RecentNotice;

  constructor(deps: PlainSchedulerDeps) {
    this.#deps = deps;
    this.#notice = new RecentNotice(deps.registry, deps.clock, deps.nodesRememberMs ?? 0);
  }

  /** Calls `bind` with the node of a pod that waits for one, and returns its answer; `undefined` if the pod is not to be bound here. */
  async schedule<T>(pod: Pod, bind: (node: Node) => Promise<T>): Promise<T | undefined> {
    // The scheduler has been told of a pod that is not plain by the pod's own change.
    if (!isPending(pod) || !isPlainPod(pod)) return undefined;
    return await this.#deps.binds.track(async () => {
      const [node, notice] = await Promise.all([this.#chosen(pod), this.#notice.inTime()]);
      const { plainPods } = this.#notice.isInTime ? notice : await this.#notice.inTime();
      // The scheduler counts on it that the write follows at once (see decideNotice).
      if (node && plainPods?.state !== 'held') return await bind(node);
      await this.#deps.sendKeys([{ key: SCHEDULER_KEY }]);
      return undefined;
    });
  }

  async #chosen(pod: Pod): Promise<Node | undefined> {
    const [only, ...others] = pod.spec ? (requiredNodeNames(pod.spec) ?? []) : [];
    if (only !== undefined && others.length === 0) return await this.#chosenByName(pod, only);
    const nodes = new NodesOfSync(this.#deps.nodes);
    const node = choosePlainNode(pod, await nodes.recent());
    // A node may have come since these were listed.
    return node || nodes.areNew ? node : choosePlainNode(pod, await nodes.list());
  }

  /** A daemon's pod names its node, so no other is read. */
  async #chosenByName(pod: Pod, name: string): Promise<Node | undefined> {
    const { nodes } = this.#deps;
    const recent = await nodes.named(name);
    const node = recent && choosePlainNode(pod, [recent]);
    if (node) return node;
    const now = await nodes.namedNow(name);
    return now && choosePlainNode(pod, [now]);
  }
}
