import type { ClusterApi, SeenEvent, SeenList, SeenObject } from './ClusterApi.ts';
import type { RunClock } from './RunClock.ts';

/** Lambda does not tell a function that its client has gone, so a watch that is closed takes its place until then. */
const WATCH_SECONDS = 20;

/** A collection as a client sees it that lists and watches, and resumes its watch whenever the server ends it. */
export class ObjectMirror {
  readonly objects = new Map<string, SeenObject>();
  readonly #api: ClusterApi;
  readonly #clock: RunClock;
  readonly #path: string;
  readonly #ended = new AbortController();
  readonly #onChange = new Set<() => void>();
  #watching: Promise<void> = Promise.resolve();
  #failure: Error | undefined;

  private constructor(api: ClusterApi, clock: RunClock, path: string) {
    this.#api = api;
    this.#clock = clock;
    this.#path = path;
  }

  /** Lists the collection, and watches it from there. `close` ends that. */
  static async open(api: ClusterApi, clock: RunClock, path: string): Promise<ObjectMirror> {
    const mirror = new ObjectMirror(api, clock, path);
    const list = await api.get<SeenList>(path);
    for (const object of list.items) mirror.objects.set(object.metadata.name, object);
    mirror.#watching = mirror.#follow(list.metadata.resourceVersion);
    return mirror;
  }

  /** Calls `look` with each change. Resolves to the time at which it first returns true, or to undefined if it has not after `patienceMs`. */
  async until(look: () => boolean, patienceMs: number): Promise<number | undefined> {
    const { signal } = this.#clock;
    const timeout = AbortSignal.timeout(patienceMs);
    const ended = AbortSignal.any([signal, timeout]);
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        this.#onChange.delete(check);
        ended.removeEventListener('abort', giveUp);
        end();
      };
      const giveUp = () => settle(() => (signal.aborted ? reject(signal.reason as Error) : resolve(undefined)));
      const check = () => {
        const failure = this.#failure;
        if (failure) settle(() => reject(failure));
        else if (look()) settle(() => resolve(this.#clock.now()));
      };
      ended.addEventListener('abort', giveUp);
      this.#onChange.add(check);
      check();
      if (ended.aborted) giveUp();
    });
  }

  /** Calls `look` with each change, until the mirror is closed. */
  onEachChange(look: () => void): void {
    this.#onChange.add(look);
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#watching;
  }

  async #follow(from: string): Promise<void> {
    let resourceVersion = from;
    const signal = AbortSignal.any([this.#ended.signal, this.#clock.signal]);
    try {
      while (!signal.aborted) {
        for await (const event of this.#api.watch(this.#path, {
          resourceVersion,
          timeoutSeconds: WATCH_SECONDS,
          signal,
        })) {
          this.#note(event);
          ({ resourceVersion } = event.object.metadata);
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#failure = error as Error;
      this.#tell();
    }
  }

  #note({ type, object }: SeenEvent): void {
    if (type === 'ERROR') throw new Error(`the watch of ${this.#path} ends with an error`);
    if (type === 'DELETED') this.objects.delete(object.metadata.name);
    else if (type !== 'BOOKMARK') this.objects.set(object.metadata.name, object);
    this.#tell();
  }

  #tell(): void {
    for (const check of this.#onChange) check();
  }
}
