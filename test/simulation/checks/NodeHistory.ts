import type { Node } from '../../../lambdas/objects/kinds.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import type { World } from '../World.ts';
import type { Check } from './Check.ts';

/** What a node was until that time, in milliseconds; `undefined`: it did not exist. */
interface Past {
  readonly untilMs: number;
  readonly node: Node | undefined;
}

/** What every node was at every time. It has no rule of its own. */
export class NodeHistory implements Check {
  readonly #world: World;
  readonly #past = new Map<string, Past[]>();

  constructor(world: World) {
    this.#world = world;
  }

  onWrite({ change }: AuditedWrite, nowMs: number): undefined {
    if (change.resource !== 'nodes') return;
    const { before, after } = change;
    const { name } = (after ?? before)?.metadata ?? { name: '' };
    this.#past.set(name, [...(this.#past.get(name) ?? []), { untilMs: nowMs, node: before }]);
  }

  /** Returns all that the node has been since then; `undefined` stands for a time without it. */
  since(name: string, sinceMs: number): readonly (Node | undefined)[] {
    const past = (this.#past.get(name) ?? []).filter(({ untilMs }) => untilMs >= sinceMs);
    return [...past.map(({ node }) => node), this.#world.get<Node>('nodes', '', name)];
  }

  /** Returns the nodes that have not changed since then. */
  unchangedSince(sinceMs: number): readonly Node[] {
    return this.#world.all<Node>('Node').filter(({ metadata }) => this.since(metadata.name, sinceMs).length === 1);
  }
}
