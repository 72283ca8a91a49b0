import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import { isPodActive } from '../../../lambdas/objects/pods/podState.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import type { SyncTrail } from '../SyncTrail.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';
import type { NodeHistory } from './NodeHistory.ts';
import { podChangeOf } from './podChanges.ts';
import { spreadObjection } from './spreadObjection.ts';

/** When a sync has bound pods, none of their constraints is broken. It is judged at the sync's end, since its bindings are written in any order. */
export class SpreadBounds implements Check {
  readonly #world: World;
  readonly #nodes: NodeHistory;
  readonly #bound = new WeakMap<SyncTrail, string[]>();
  /** Pods as they were when they began to go. */
  readonly #left: { readonly atMs: number; readonly pod: Pod }[] = [];

  constructor(world: World, nodes: NodeHistory) {
    this.#world = world;
    this.#nodes = nodes;
  }

  onWrite({ trail, change }: AuditedWrite, nowMs: number): undefined {
    const { before, after } = podChangeOf(change) ?? {};
    if (before && isPodActive(before) && !(after && isPodActive(after))) this.#left.push({ atMs: nowMs, pod: before });
    if (trail && before && after?.spec?.nodeName && !before.spec?.nodeName)
      this.#bound.set(trail, [...(this.#bound.get(trail) ?? []), after.metadata.uid]);
  }

  /** Returns the first constraint that the sync broke, in a sentence. */
  onSyncEnd(trail: SyncTrail): string | undefined {
    const nodes = this.#nodes.unchangedSince(trail.beganMs);
    const view = {
      nodes,
      changed: this.#world.all<Node>('Node').filter((one) => !nodes.includes(one)),
      known: this.#world.pods().filter(isPodActive),
      possible: this.#left.filter(({ atMs }) => atMs >= trail.beganMs).map(({ pod }) => pod),
    };
    for (const uid of this.#bound.get(trail) ?? []) {
      const pod: Pod | undefined = this.#world.byUid(uid);
      const node = pod && this.#world.get<Node>('nodes', '', pod.spec?.nodeName ?? '');
      const objection = node && spreadObjection(pod, node, view);
      if (objection !== undefined) return `the scheduler has bound ${nameOf(pod as Pod)}, but ${objection}`;
    }
    return undefined;
  }
}
