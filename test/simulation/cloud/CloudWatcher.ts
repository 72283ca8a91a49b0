import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { type Change, type LogCursor, subjectOf } from '../../../lambdas/ports/ChangeLog.ts';
import { type ListPage, type ListQuery, readAt, readLatest } from '../../../lambdas/rest/list/readConsistently.ts';
import type { ApiDependencies } from '../../../lambdas/rest/request/ResourceRequest.ts';
import type { ApiStore } from '../../model/cloud/CloudModel.ts';
import { sleep } from '../../../lambdas/ports/Clock.ts';
import { formatMs, type GateParts, TransientError } from '../Gate.ts';
import { placeOf } from '../World.ts';
import type { CloudHistory, Mark } from './CloudHistory.ts';

const PAGE = 4;
const MAX_LIST_MS = 30_000;
/** A watch that hears nothing for so long ends, and its client is away for a while. So a run costs less, and its watches begin anew after a rest. */
const QUIET_MS = 4_000;
const AWAY_MS = [5_000, 45_000] as const;

export interface CloudWatcherParts extends GateParts {
  readonly name: string;
  /** Starts an instance of the API; `onDeath` is called if it dies. */
  readonly connect: (onDeath: () => void) => ApiStore;
  readonly history: CloudHistory;
  readonly onFailure: (failure: string) => void;
}

/** The changes of an object of which the watcher knows one to be the newest: their places among the object's changes, from the first to the last possible. */
type Known = readonly [least: number, most: number];

/** How a watch ended. `expired`: the changes that it missed are gone from the log. */
type WatchEnd = 'disconnected' | 'quiet' | 'expired';

/** An instance of the API, which may die. */
interface Connection {
  readonly store: ApiStore;
  readonly end: AbortController;
}

/**
 * A client's informer: it lists page by page, watches, loses its connection and goes on from the last version it saw. Each list must hold what was written before it began, and nothing that was
 * written after it ended. Each watch must then bring each later change of each object, once, and in the object's order.
 */
export class CloudWatcher {
  readonly #parts: CloudWatcherParts;
  readonly #end = new AbortController();
  #connection: Connection | undefined;
  #known = new Map<string, Known>();
  #position = 0;
  /** The versions that came since the last list. */
  readonly #seen = new Set<number>();
  /** True if it has listed once, so that its knowledge means something. */
  #hasListed = false;

  constructor(parts: CloudWatcherParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#live().catch((error: unknown) =>
      this.#fail(`failed: ${error instanceof Error ? error.stack : String(error)}`),
    );
  }

  stop(): void {
    this.#end.abort();
    this.#connection?.end.abort();
  }

  /** What it does not know yet of what was written; `undefined` if it knows all. */
  behind(): string | undefined {
    const { history } = this.#parts;
    if (!this.#hasListed) return 'everything';
    return history.places().find((place) => {
      const last = history.changesOf(place).length - 1;
      const [least, most] = this.#known.get(place) ?? [-1, -1];
      return last < least || last > most;
    });
  }

  async #live(): Promise<void> {
    const { scheduler, random } = this.#parts;
    while (!this.#end.signal.aborted) {
      try {
        if (!(await this.#list())) await scheduler.wait(200);
        else await this.#watchOnAndOn();
      } catch (error) {
        if (!isService(error)) throw error;
        await scheduler.wait(random.integer(200, 1_000));
      }
    }
  }

  /** Watches until its position has expired. */
  async #watchOnAndOn(): Promise<void> {
    const { scheduler, random } = this.#parts;
    for (let ended = await this.#watch(); ended !== 'expired'; ended = await this.#watch()) {
      // A timer, because a client that is away is no work that must be over before the world is quiet.
      await sleep(scheduler, ended === 'quiet' ? random.integer(...AWAY_MS) : random.integer(0, 3_000), this.#end.signal);
    }
  }

  #connect(): Connection {
    if (this.#connection && !this.#connection.end.signal.aborted) return this.#connection;
    const end = new AbortController();
    this.#connection = { store: this.#parts.connect(() => end.abort()), end };
    return this.#connection;
  }

  /** False if it did not succeed. */
  async #list(): Promise<boolean> {
    const { history } = this.#parts;
    const connection = this.#connect();
    const began = history.mark();
    const query: ListQuery = {
      resource: history.resource,
      namespace: undefined,
      matches: () => true,
      limit: PAGE,
      after: undefined,
    };
    const answers = connection.store as unknown as ApiDependencies;
    const page = await this.#patiently(connection, (signal) => readLatest(answers, query, signal));
    if (page === 'expired') return false;
    const ended = history.mark();
    const items = await this.#readOn(connection, query, page);
    if (!items) return false;
    if (page.position < this.#position)
      this.#fail(`lists at position ${page.position} after it has seen ${this.#position}`);
    this.#position = page.position;
    this.#hasListed = true;
    this.#trace(`lists ${items.length} at ${page.position}`);
    this.#learn(items, began, ended);
    return true;
  }

  async #readOn(
    connection: Connection,
    query: ListQuery,
    first: ListPage,
  ): Promise<readonly KubernetesObject[] | undefined> {
    const answers = connection.store as unknown as ApiDependencies;
    const items = [...first.items];
    for (let page = first; page.last; ) {
      const after = page.last;
      const next = await this.#patiently(connection, (signal) =>
        readAt(answers, { ...query, after }, first.position, signal),
      );
      if (next === 'expired') return undefined;
      items.push(...next.items);
      page = next;
    }
    return items;
  }

  /** Judges a list: of each object it has a state that stood at some time between its begin and the end of its first page. */
  #learn(items: readonly KubernetesObject[], began: Mark, ended: Mark): void {
    const { history } = this.#parts;
    const listed = new Map(
      items.map((item) => [placeOf(history.resource, item), Number(item.metadata.resourceVersion)]),
    );
    this.#known = new Map();
    this.#seen.clear();
    for (const place of new Set([...ended.keys(), ...listed.keys()])) {
      const known = knownOf(
        history.changesOf(place),
        listed.get(place),
        (began.get(place) ?? 0) - 1,
        (ended.get(place) ?? 0) - 1,
      );
      if (!known)
        return this.#fail(`lists ${place} as it was at no time meanwhile: version ${listed.get(place) ?? 'none'}`);
      this.#known.set(place, known);
    }
  }

  async #watch(): Promise<WatchEnd> {
    const { history } = this.#parts;
    const connection = this.#connect();
    const from = this.#position;
    const opened = await this.#patiently(connection, (signal) =>
      connection.store.changeLog.open(history.resource, from, signal),
    );
    this.#trace(`watches from ${from}: ${opened.status}`);
    if (opened.status !== 'open') return 'expired';
    try {
      return await this.#follow(connection, opened.cursor);
    } finally {
      opened.cursor.close();
    }
  }

  async #follow(connection: Connection, cursor: LogCursor): Promise<WatchEnd> {
    const { random, faults, scheduler } = this.#parts;
    const seen = new Set<number>();
    let previous: number | undefined;
    for (;;) {
      const changes = await this.#patiently(connection, (signal) => cursor.next(signal), QUIET_MS);
      if (changes === 'expired') return 'expired';
      if (changes.length === 0) return this.#end.signal.aborted ? 'expired' : 'quiet';
      await scheduler.wait(random.chance(0.1) ? random.integer(1, 2000) : random.integer(0, 2));
      this.#trace(`gets ${changes.map(({ version, merged }) => `${version}${merged ? ' (merged)' : ''}`).join(', ')}`);
      for (const change of changes) {
        if (seen.has(change.version)) this.#fail(`gets version ${change.version} twice in one watch`);
        seen.add(change.version);
        this.#apply(change);
        this.#seen.add(change.version);
        if (previous !== undefined && !this.#parts.history.isOneOrder(previous, change.version))
          this.#fail(`sees versions ${previous} and ${change.version} in another order than others`);
        previous = change.version;
        this.#position = change.version;
      }
      if (faults.rates.clientTimeout > 0 && random.chance(0.1)) return 'disconnected';
    }
  }

  /** What an earlier watch has brought may come again: a watch begins behind the version that the client saw last, which may itself have come again. */
  #apply(change: Change): void {
    const { history } = this.#parts;
    const place = placeOf(history.resource, subjectOf(change));
    const index = history.indexOf(change);
    if (index < 0) return this.#fail(`hears of version ${change.version} of ${place}, which was never written`);
    const [least, most] = this.#known.get(place) ?? [-1, -1];
    if (index <= least && this.#seen.has(change.version)) return;
    // A list has shown this state before the log caught up, and left out those before it.
    if (index === least && change.merged) return;
    if (index <= least) return this.#fail(`goes back to version ${change.version} of ${place}`);
    if (index > most + 1 && !change.merged)
      return this.#fail(`has missed a change of ${place} before version ${change.version}`);
    this.#known.set(place, [index, index]);
  }

  async #patiently<T>(
    connection: Connection,
    act: (signal: AbortSignal) => Promise<T>,
    patienceMs = MAX_LIST_MS,
  ): Promise<T> {
    const patience = new AbortController();
    const stop = () => patience.abort();
    const cancel = this.#parts.scheduler.setTimer(patienceMs, stop);
    connection.end.signal.addEventListener('abort', stop, { once: true });
    return await this.#orDead(connection, act(patience.signal)).finally(() => {
      cancel();
      connection.end.signal.removeEventListener('abort', stop);
    });
  }

  /** Rejects when the instance dies: it would never answer. */
  async #orDead<T>(connection: Connection, answering: Promise<T>): Promise<T> {
    const { signal } = connection.end;
    let fail = () => {};
    const died = new Promise<never>((_, reject) => {
      fail = () => reject(new TransientError('the connection broke'));
      if (signal.aborted) fail();
      else signal.addEventListener('abort', fail, { once: true });
    });
    return await Promise.race([answering, died]).finally(() => signal.removeEventListener('abort', fail));
  }

  #trace(what: string): void {
    const { trace, scheduler, name } = this.#parts;
    trace.add(`${formatMs(scheduler.now())} watcher ${name} ${what}`);
  }

  #fail(what: string): void {
    if (!this.#end.signal.aborted) this.#parts.onFailure(`watcher ${this.#parts.name} ${what}`);
  }
}

/** The places among an object's changes that fit what a list shows of it: those of that version or, if it shows none, those after which the object was not there. */
function knownOf(
  changes: readonly Change[],
  version: number | undefined,
  least: number,
  most: number,
): Known | undefined {
  const fitting: number[] = [];
  for (let at = Math.max(-1, least); at <= most; at += 1) {
    const after = at < 0 ? undefined : changes[at]?.after;
    if (version === undefined ? !after : after && changes[at]?.version === version) fitting.push(at);
  }
  return fitting.length === 0 ? undefined : [fitting[0] as number, fitting.at(-1) as number];
}

/** An error that the API would answer with a 500 or 503: the client tries again. A mistake of ours is none. */
function isService(error: unknown): boolean {
  return (
    error instanceof Error &&
    !(error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)
  );
}
