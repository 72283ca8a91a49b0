import type { ChangeStream, StreamReader } from '../../lambdas/adapters/embedded/ChangeStream.ts';
import type { EnqueueHandler } from '../../lambdas/functions/enqueue/createEnqueueHandler.ts';
import type { Change } from '../../lambdas/ports/ChangeLog.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';
import { ChangeBacklog } from './ChangeBacklog.ts';

export interface StreamPumpOptions {
  readonly stream: ChangeStream;
  readonly clock: Clock;
  readonly handler: EnqueueHandler;
  /** Lets the event loop turn. Absent: a batch of changes is handled whole. */
  readonly giveTurn?: (() => Promise<void>) | undefined;
}

/** So many changes are handled in one turn of the event loop, so that requests are served meanwhile. */
const CHANGES_IN_TURN = 64;

/**
 * Stands for the table's stream: hands the changes to `enqueue` in order, and repeats those that fail until they succeed. A change that fails waits longer after each
 * attempt, and holds up only the later changes of its own object.
 */
export class StreamPump {
  readonly #options: StreamPumpOptions;
  readonly #reader: StreamReader;
  readonly #stop = new AbortController();
  readonly #backlog = new ChangeBacklog();
  /** All changes up to this version have been handled, or have failed and wait to be tried again. */
  #handledVersion = 0;
  #loop: Promise<void> = Promise.resolve();
  #progress = newSignal();

  /** Opens the stream: every change made after this is delivered. */
  constructor(options: StreamPumpOptions) {
    this.#options = options;
    this.#reader = options.stream.open();
  }

  /** Must be called before the first write. Older changes are skipped: every start begins with a resync of all keys. */
  start(): void {
    this.#handledVersion = this.#options.stream.newestVersion;
    this.#loop = this.#pump();
    // A failed store reports its failure itself, and stop() rejects with it too.
    this.#loop.catch(() => {});
  }

  /** Resolves when the current batch has been handled. Rejects if the store has failed. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  /** True if every change that was acknowledged before this call has been handled, but for those that failed and are not due yet. */
  isDrained(): boolean {
    const { stream, clock } = this.#options;
    return stream.newestVersion <= this.#handledVersion && this.#backlog.dueAtMs > clock.now();
  }

  /** Resolves when the next batch has been handled. */
  progress(): Promise<void> {
    return this.#progress.given;
  }

  async #pump(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const fresh = await this.#nextChanges();
      const changes = this.#backlog.admit(fresh, clock.now());
      const failed = await this.#handle(changes);
      this.#backlog.settle(changes, failed, clock.now());
      this.#handledVersion = fresh.at(-1)?.version ?? this.#handledVersion;
      this.#progress.give();
      this.#progress = newSignal();
    }
    this.#reader.close();
  }

  /** Returns the changes for which this failed. */
  async #handle(changes: readonly Change[]): Promise<readonly Change[]> {
    const { handler, giveTurn } = this.#options;
    const inTurn = giveTurn ? CHANGES_IN_TURN : changes.length;
    const failed: Change[] = [];
    for (let from = 0; from < changes.length; from += inTurn) {
      if (from > 0) await giveTurn?.();
      failed.push(...(await handler(changes.slice(from, from + inTurn))));
    }
    return failed;
  }

  /** The next changes, at least one; or none when something of the backlog is due, or the pump is stopped. */
  async #nextChanges(): Promise<readonly Change[]> {
    const { clock } = this.#options;
    const { dueAtMs } = this.#backlog;
    if (dueAtMs === Number.POSITIVE_INFINITY) return await this.#reader.next(this.#stop.signal);
    const due = new AbortController();
    const cancel = clock.setTimer(Math.max(0, dueAtMs - clock.now()), () => due.abort());
    return await this.#reader.next(AbortSignal.any([due.signal, this.#stop.signal])).finally(cancel);
  }
}

function newSignal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
