import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { ChangeLog, LogCursor } from '../../lambdas/ports/ChangeLog.ts';
import { loaded } from '../../lambdas/rest/list/serveList.ts';
import { type ListQuery, readAt, readLatest } from '../../lambdas/rest/list/readConsistently.ts';
import { type GateParts, TransientError } from './Gate.ts';
import type { History } from './History.ts';
import { placeOf } from './World.ts';
import { type WatchEvent, watchEventOf } from '../../lambdas/rest/watch/WatchEvent.ts';
import type { ListOptions } from '../../lambdas/rest/list/listOptions.ts';
import type { Watch } from './Mutation.ts';
import type { ApiDependencies, ResourceRequest } from '../../lambdas/rest/request/ResourceRequest.ts';

const PAGE = 4;
/** A watch that allows bookmarks gets one a minute. Its client may take some seconds for the events before. */
const BOOKMARK_WITHIN_MS = 75_000;
const WATCH_MS = 1_800_000;

export interface WatcherParts extends GateParts {
  /** A registry behind a gate, and the log: what the REST API answers from. */
  readonly dependencies: Pick<ApiDependencies, 'registry' | 'changeLog'>;
  readonly history: History;
  readonly resource: string;
  readonly matches: (object: KubernetesObject) => boolean;
  readonly onFailure: (failure: string) => void;
  /** What serves its watches, with bookmarks. Absent: it reads the log itself, without. */
  readonly watch?: Watch | undefined;
}

/**
 * A client's informer. It lists page by page, then watches, loses its connection, continues from its position, sometimes comes too late and lists again. After each list and
 * each event it must hold exactly the objects that the store's history has for that position. One that allows bookmarks gets one in time, and holds what was there at its position.
 */
export class Watcher {
  readonly #parts: WatcherParts;
  readonly #truthAt: (version: number) => ReadonlyMap<string, KubernetesObject>;
  readonly #end = new AbortController();
  #connection = new AbortController();
  #known = new Map<string, KubernetesObject>();
  #position = 0;

  constructor(parts: WatcherParts) {
    this.#parts = parts;
    this.#truthAt = parts.history.reader();
  }

  start(): void {
    this.#live().catch((error: unknown) => this.#parts.onFailure(`a watcher failed: ${String(error)}`));
  }

  /** Its connection breaks; it goes on from where it was. */
  disconnect(): void {
    this.#connection.abort();
    this.#connection = new AbortController();
  }

  /** Ends it, and reports what it has wrong at the end. */
  stop(): void {
    this.#end.abort();
    this.#connection.abort();
    this.#compare(Number.MAX_SAFE_INTEGER, 'at the end');
  }

  async #live(): Promise<void> {
    while (!this.#end.signal.aborted) {
      const { scheduler, random } = this.#parts;
      if (!(await this.#list())) await scheduler.wait(200);
      else while ((await this.#watchOnce()) === 'disconnected') await scheduler.wait(random.integer(0, 3000));
    }
  }

  /** False if it did not succeed. */
  async #list(): Promise<boolean> {
    const { dependencies, resource, matches } = this.#parts;
    const query: ListQuery = { resource, namespace: undefined, matches, limit: PAGE, after: undefined };
    const answers = dependencies as ApiDependencies;
    try {
      let page = await readLatest(answers, query, this.#end.signal);
      const items: KubernetesObject[] = [];
      for (;;) {
        if (page === 'expired') return false;
        items.push(...loaded(page.items));
        if (!page.last) break;
        page = await readAt(answers, { ...query, after: page.last }, page.position, this.#end.signal);
      }
      this.#known = new Map(items.map((item) => [placeOf(resource, item), item]));
      this.#position = page.position;
      this.#compare(page.position, 'after a list');
      return true;
    } catch (error) {
      if (error instanceof TransientError) return false;
      throw error;
    }
  }

  async #watchOnce(): Promise<'disconnected' | 'expired'> {
    const { watch } = this.#parts;
    return watch && this.#position > 0 ? await this.#watchWithBookmarks(watch) : await this.#watch();
  }

  async #watchWithBookmarks(watch: Watch): Promise<'disconnected' | 'expired'> {
    const { scheduler, random, faults, matches } = this.#parts;
    const options = { resourceVersion: this.#position, allowWatchBookmarks: true } as ListOptions;
    let expectation = this.#expectBookmark();
    try {
      const time = { endMs: scheduler.now() + WATCH_MS };
      for await (const events of watch(this.#request(), options, matches, time, this.#connection.signal)) {
        await scheduler.wait(random.chance(0.1) ? random.integer(1, 2000) : random.integer(0, 2));
        for (const event of events) {
          if (event.type === 'ERROR') return 'expired';
          if (event.type === 'BOOKMARK') {
            expectation();
            expectation = this.#expectBookmark();
          }
          this.#take(event);
        }
        if (faults.rates.clientTimeout > 0 && random.chance(0.1)) return 'disconnected';
      }
    } finally {
      expectation();
    }
    return this.#end.signal.aborted ? 'expired' : 'disconnected';
  }

  /** Fails if no bookmark comes in time, unless the returned function is called. */
  #expectBookmark(): () => void {
    const { scheduler, resource, onFailure } = this.#parts;
    return scheduler.setTimer(BOOKMARK_WITHIN_MS, () =>
      onFailure(`a watcher of ${resource} has had no bookmark for ${BOOKMARK_WITHIN_MS} ms`),
    );
  }

  #request(): ResourceRequest {
    const { dependencies, resource, scheduler } = this.#parts;
    return {
      query: new URLSearchParams(),
      info: { namespace: '', isCollection: true },
      resource: { entry: { groupResource: resource, namespaced: true } },
      dependencies: { registry: dependencies.registry, changeLog: dependencies.changeLog, clock: scheduler },
    } as unknown as ResourceRequest;
  }

  /** `expired`: the changes that it missed are gone from the log. */
  async #watch(): Promise<'disconnected' | 'expired'> {
    const { dependencies, resource } = this.#parts;
    const changeLog: ChangeLog = dependencies.changeLog;
    const { signal } = this.#connection;
    const opened = await changeLog.open(resource, this.#position, signal);
    if (opened.status !== 'open') return 'expired';
    try {
      return await this.#follow(opened.cursor, signal);
    } finally {
      opened.cursor.close();
    }
  }

  async #follow(cursor: LogCursor, signal: AbortSignal): Promise<'disconnected' | 'expired'> {
    const { random, matches, faults, scheduler } = this.#parts;
    for (;;) {
      const changes = await cursor.next(signal);
      if (changes === 'expired') return 'expired';
      if (changes.length === 0) return this.#end.signal.aborted ? 'expired' : 'disconnected';
      // Events are on their way for a moment; to a slow client for longer, who then finds more of them.
      await scheduler.wait(random.chance(0.1) ? random.integer(1, 2000) : random.integer(0, 2));
      for (const change of changes) {
        const event = watchEventOf(change, matches);
        this.#take(event ?? { type: 'BOOKMARK', position: change.version });
      }
      if (faults.rates.clientTimeout > 0 && random.chance(0.1)) return 'disconnected';
    }
  }

  /** Takes what it is told into what it knows. A bookmark tells of all that is not for it. */
  #take(event: WatchEvent): void {
    const { resource } = this.#parts;
    if (event.type === 'ERROR' || event.type === 'HEARTBEAT') return;
    if (event.type === 'DELETED') this.#known.delete(placeOf(resource, event.object));
    else if (event.type !== 'BOOKMARK') this.#known.set(placeOf(resource, event.object), event.object);
    this.#position = event.type === 'BOOKMARK' ? event.position : Number(event.object.metadata.resourceVersion);
    this.#compare(this.#position, `at version ${this.#position}`);
  }

  #compare(version: number, when: string): void {
    const { matches, resource, onFailure } = this.#parts;
    const truth = [...this.#truthAt(version)].filter(([, object]) => matches(object));
    const wrong = truth.find(
      ([place, { metadata }]) => this.#known.get(place)?.metadata.resourceVersion !== metadata.resourceVersion,
    );
    if (!wrong && truth.length === this.#known.size) return;
    onFailure(
      `a watcher of ${resource} knows otherwise than the store ${when}: ${wrong?.[0] ?? 'something that is gone'}`,
    );
  }
}
