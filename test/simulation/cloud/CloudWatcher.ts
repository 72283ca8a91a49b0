import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { LogCursor } from '../../../lambdas/ports/ChangeLog.ts';
import { loaded } from '../../../lambdas/rest/list/serveList.ts';
import { LaterPages } from '../../../lambdas/rest/list/LaterPages.ts';
import { type ListPage, type ListQuery, readAt, readLatest } from '../../../lambdas/rest/list/readConsistently.ts';
import type { ApiDependencies } from '../../../lambdas/rest/request/ResourceRequest.ts';
import type { ApiStore } from '../../model/cloud/CloudModel.ts';
import { sleep } from '../../../lambdas/ports/Clock.ts';
import { formatMs, type GateParts, TransientError } from '../Gate.ts';
import { ClientKnowledge } from './ClientKnowledge.ts';
import type { CloudHistory } from './CloudHistory.ts';

const PAGE = 4;
/** There are hundreds of events. */
const PAGE_OF_EVENTS = 40;
const MAX_LIST_MS = 30_000;
/** A watch that hears nothing for so long ends, and its client is away for a while. So a run costs less, and its watches begin anew after a rest. */
const QUIET_MS = 4_000;
const AWAY_MS = [5_000, 45_000] as const;
/** How long clients wait before they ask for the second page: most not at all, and some for longer than an instance keeps later pages. */
const PAGE_PAUSES_MS = [
  [0, 2],
  [0, 2],
  [0, 2],
  [100, 3_000],
  [55_000, 70_000],
] as const;

export interface CloudWatcherParts extends GateParts {
  readonly name: string;
  /** Starts an instance of the API; `onDeath` is called if it dies. */
  readonly connect: (onDeath: () => void) => ApiStore;
  readonly history: CloudHistory;
  readonly onFailure: (failure: string) => void;
}

/** How a watch ended. `expired`: the changes that it missed are gone from the log. */
type WatchEnd = 'disconnected' | 'quiet' | 'expired';

/** An instance of the API, which may die. */
interface Connection {
  readonly store: ApiStore;
  /** What it answers lists from, with the later pages that it has kept. */
  readonly answers: ApiDependencies;
  readonly end: AbortController;
}

/**
 * A client that lists page by page, watches, loses its connection, also between two events, rests for a while, and goes on from its last bookmark or, if it takes none, from the last version
 * that it saw. `ClientKnowledge` judges what it gets.
 */
export class CloudWatcher {
  readonly #parts: CloudWatcherParts;
  readonly #end = new AbortController();
  #connection: Connection | undefined;
  readonly #knowledge: ClientKnowledge;
  /** Informers do; some other clients do not. */
  readonly #takesBookmarks: boolean;

  constructor(parts: CloudWatcherParts) {
    this.#parts = parts;
    this.#knowledge = new ClientKnowledge(parts.history);
    this.#takesBookmarks = parts.random.chance(0.7);
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

  /** Its instance of the API ends. It goes on later, from what it has. */
  disconnect(): void {
    this.#connection?.end.abort();
  }

  /** What it does not know yet of what was written; `undefined` if it knows all. */
  behind(): string | undefined {
    return this.#knowledge.behind();
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
    for (let ended = await this.#watchOnce(); ended !== 'expired'; ended = await this.#watchOnce()) {
      // A timer, because a client that is away is no work that must be over before the world is quiet.
      await sleep(
        scheduler,
        ended === 'quiet' ? random.integer(...AWAY_MS) : random.integer(0, 3_000),
        this.#end.signal,
      );
    }
  }

  /** After an error some clients watch on, and others list again. */
  async #watchOnce(): Promise<WatchEnd> {
    try {
      return await this.#watch();
    } catch (error) {
      if (!isService(error) || this.#parts.random.chance(0.4)) throw error;
      return 'disconnected';
    }
  }

  #connect(): Connection {
    if (this.#connection && !this.#connection.end.signal.aborted) return this.#connection;
    const end = new AbortController();
    const store = this.#parts.connect(() => end.abort());
    const answers = { ...store, laterPages: new LaterPages(store.clock) } as unknown as ApiDependencies;
    this.#connection = { store, answers, end };
    return this.#connection;
  }

  /** A client's next request may reach another instance. */
  #connectAnew(): Connection {
    this.#connection?.end.abort();
    return this.#connect();
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
      limit: history.resource === 'events' ? PAGE_OF_EVENTS : PAGE,
      after: undefined,
    };
    const page = await this.#patiently(connection, (signal) => readLatest(connection.answers, query, signal));
    if (page === 'expired') return false;
    const ended = history.mark();
    const items = await this.#readOn(query, page);
    if (!items) return false;
    this.#trace(`lists ${items.length} at ${page.position}`);
    this.#judge(this.#knowledge.list(items, page.position, began, ended));
    return true;
  }

  /** The pages after the first, by the same instance, which may have kept them, or by another; `undefined` if one has expired. */
  async #readOn(query: ListQuery, first: ListPage): Promise<readonly KubernetesObject[] | undefined> {
    const { random, scheduler } = this.#parts;
    const items = [...loaded(first.items)];
    for (let page = first; page.last; ) {
      const after = page.last;
      const [leastMs, mostMs] = page === first ? random.pick(PAGE_PAUSES_MS) : PAGE_PAUSES_MS[0];
      await sleep(scheduler, random.integer(leastMs, mostMs), this.#end.signal);
      const connection = random.chance(0.3) ? this.#connectAnew() : this.#connect();
      const next = await this.#patiently(connection, (signal) =>
        readAt(connection.answers, { ...query, after }, first.position, signal),
      );
      if (next === 'expired') return undefined;
      items.push(...loaded(next.items));
      page = next;
    }
    return items;
  }

  async #watch(): Promise<WatchEnd> {
    const { history } = this.#parts;
    const connection = this.#connect();
    const from = this.#knowledge.position;
    const opened = await this.#patiently(connection, (signal) =>
      connection.store.changeLog.open(history.resource, from, signal),
    );
    this.#trace(`watches from ${from}: ${opened.status}`);
    if (opened.status !== 'open') return 'expired';
    this.#knowledge.beginWatch();
    try {
      return await this.#follow(connection, opened.cursor);
    } finally {
      opened.cursor.close();
    }
  }

  async #follow(connection: Connection, cursor: LogCursor): Promise<WatchEnd> {
    const { random, faults, scheduler } = this.#parts;
    const isBroken = () => faults.rates.clientTimeout > 0 && random.chance(0.05);
    for (;;) {
      const changes = await this.#patiently(connection, (signal) => cursor.next(signal), QUIET_MS);
      if (changes === 'expired') return 'expired';
      if (changes.length === 0 && this.#end.signal.aborted) return 'expired';
      await scheduler.wait(random.chance(0.1) ? random.integer(1, 2000) : random.integer(0, 2));
      if (changes.length > 0)
        this.#trace(
          `gets ${changes.map(({ version, merged }) => `${version}${merged ? ' (merged)' : ''}`).join(', ')}`,
        );
      for (const change of changes) {
        this.#judge(this.#knowledge.change(change));
        if (isBroken()) return 'disconnected';
      }
      if (this.#takesBookmarks) this.#judge(this.#knowledge.bookmark(cursor.position));
      if (changes.length === 0) return 'quiet';
      if (isBroken()) return 'disconnected';
    }
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

  #judge(violation: string | undefined): void {
    if (violation !== undefined) this.#fail(violation);
  }

  #fail(what: string): void {
    if (!this.#end.signal.aborted) this.#parts.onFailure(`watcher ${this.#parts.name} ${what}`);
  }
}

/** An error that the API would answer with a 500 or 503: the client tries again. A mistake of ours is none. */
function isService(error: unknown): boolean {
  return (
    error instanceof Error &&
    !(error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)
  );
}
