import type { Node } from '../../../lambdas/objects/kinds.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import type { World } from '../World.ts';
import type { Check } from './Check.ts';

/** What a node was until that time, in milliseconds; `undefined`: it did not exist. */
interface Past {
  readonly untilMs: number;
  readonly node: Node | undefined;
}

/** What every node was at every time, as a sync may know it: its process may have listed the nodes some time before. It has no rule of its own. */
export class NodeHistory implements Check {
  readonly #world: World;
  readonly #rememberMs: number;
  readonly #past = new Map<string, Past[]>();

  /** `rememberMs`: how long a process goes by the nodes that it has listed. */
  constructor(world: World, rememberMs: number) {
    this.#world = world;
    this.#rememberMs = rememberMs;
  }

  onWrite({ change }: AuditedWrite, nowMs: number): undefined {
    if (change.resource !== 'nodes') return;
    const { before, after } = change;
    const { name } = (after ?? before)?.metadata ?? { name: '' };
    this.#past.set(name, [...(this.#past.get(name) ?? []), { untilMs: nowMs, node: before }]);
  }

  /** Returns all that the node may be for a sync that began then; `undefined` stands for a time without it. */
  since(name: string, sinceMs: number): readonly (Node | undefined)[] {
    const past = (this.#past.get(name) ?? []).filter(({ untilMs }) => untilMs >= sinceMs - this.#rememberMs);
    return [...past.map(({ node }) => node), this.#world.get<Node>('nodes', '', name)];
  }

  /** Returns the nodes that have not changed for a sync that began then. */
  unchangedSince(sinceMs: number): readonly Node[] {
    return this.#world.all<Node>('Node').filter(({ metadata }) => this.since(metadata.name, sinceMs).length === 1);
  }
}
