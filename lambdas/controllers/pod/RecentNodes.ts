import type { Node } from '../../objects/kinds.ts';
import { type Clock, isRecent, type Moment, momentOf } from '../../ports/Clock.ts';
import type { RegistryReader } from '../GuardedWriters.ts';

interface Listed {
  readonly nodes: Promise<readonly Node[]>;
  readonly at: Moment;
}

interface Read {
  readonly node: Promise<Node | undefined>;
  readonly at: Moment;
}

/** The nodes that a process remembers one by one; then it forgets all of them. */
const MOST_READ = 5_000;

/**
 * The nodes, as this process listed them a few seconds ago at most. The list of 5,000 nodes costs hundreds of read units, and every new pod needs it. A scheduler goes by a cache too: a pod may be bound
 * to a node that was cordoned a moment ago.
 */
export class RecentNodes {
  readonly #registry: RegistryReader;
  readonly #clock: Clock;
  readonly #rememberMs: number;
  #listed: Listed | undefined;
  readonly #read = new Map<string, Read>();

  constructor(registry: RegistryReader, clock: Clock, rememberMs: number) {
    this.#registry = registry;
    this.#clock = clock;
    this.#rememberMs = rememberMs;
  }

  /** Returns the last list, or the one under way; `undefined` if the last few seconds brought no list. */
  recent(): Promise<readonly Node[]> | undefined {
    const listed = this.#listed;
    return listed && isRecent(this.#clock, listed.at, this.#rememberMs) ? listed.nodes : undefined;
  }

  /** Returns the last list if it is recent, and lists the nodes otherwise. */
  lately(): Promise<readonly Node[]> {
    return this.recent() ?? this.list();
  }

  /** Returns the node of that name, as this process read it a few seconds ago at most; `undefined` for a node that did not exist then. */
  named(name: string): Promise<Node | undefined> {
    const known = this.#read.get(name);
    return known && isRecent(this.#clock, known.at, this.#rememberMs) ? known.node : this.namedNow(name);
  }

  /** Reads the node of that name as it is now. */
  namedNow(name: string): Promise<Node | undefined> {
    if (this.#read.size >= MOST_READ) this.#read.clear();
    const read = {
      node: this.#registry.get<Node>({ resource: 'nodes', namespace: '', name }),
      at: momentOf(this.#clock),
    };
    // A read that fails or finds nothing is repeated by the next caller.
    const forget = () => this.#read.get(name) === read && this.#read.delete(name);
    read.node.then((node) => node ?? forget(), forget);
    this.#read.set(name, read);
    return read.node;
  }

  /** Lists the nodes as they are now. */
  list(): Promise<readonly Node[]> {
    const nodes = this.#registry.list<Node>('nodes').then(({ items }) => items);
    const listed = { nodes, at: momentOf(this.#clock) };
    this.#listed = listed;
    nodes.catch(() => {
      if (this.#listed === listed) this.#listed = undefined;
    });
    return nodes;
  }
}

/** The nodes as one sync sees them: listed at most once. */
export class NodesOfSync {
  readonly #nodes: RecentNodes;
  #own: Promise<readonly Node[]> | undefined;

  constructor(nodes: RecentNodes) {
    this.#nodes = nodes;
  }

  /** Whether `recent` returns what was listed for this sync. */
  get areNew(): boolean {
    return this.#own !== undefined;
  }

  async recent(): Promise<readonly Node[]> {
    return await (this.#own ?? this.#nodes.recent() ?? this.list());
  }

  /** Lists the nodes for this sync, unless that was done before. */
  list(): Promise<readonly Node[]> {
    this.#own ??= this.#nodes.list();
    return this.#own;
  }
}
