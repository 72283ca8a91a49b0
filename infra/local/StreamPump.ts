import type { ChangeStream, StreamReader } from '../../lambdas/adapters/embedded/ChangeStream.ts';
import type { EnqueueHandler } from '../../lambdas/functions/enqueue/handler.ts';
import type { GroupResource } from '../../lambdas/objects/ObjectKey.ts';
import type { ChangeLog } from '../../lambdas/ports/ChangeLog.ts';
import { type Clock, sleep } from '../../lambdas/ports/Clock.ts';

/** The delay before a change that could not be turned into keys is retried. */
const RETRY_DELAY_MS = 100;

export interface StreamPumpOptions {
  readonly stream: ChangeStream;
  readonly changeLog: ChangeLog;
  readonly clock: Clock;
  /** The resources that any controller watches. */
  readonly resources: readonly GroupResource[];
  readonly handler: EnqueueHandler;
}

/** Stands for the table's stream: hands the changes to `enqueue` in order, and repeats those that fail until they succeed. */
export class StreamPump {
  readonly #options: StreamPumpOptions;
  readonly #reader: StreamReader;
  readonly #stop = new AbortController();
  /** All changes up to this version have been handled. */
  #handledVersion = 0;
  #loop: Promise<void> = Promise.resolve();
  #progress = newSignal();

  /** Opens the stream: every change made after this is delivered. */
  constructor(options: StreamPumpOptions) {
    this.#options = options;
    this.#reader = options.stream.open();
  }

  /** Must be called before the first write. Older changes are skipped: every start begins with a resync of all keys. */
  async start(): Promise<void> {
    this.#handledVersion = Math.max(0, ...(await this.#heads()));
    this.#loop = this.#pump();
    // A failed store reports its failure itself, and stop() rejects with it too.
    this.#loop.catch(() => {});
  }

  /** Resolves when the current batch has been handled. Rejects if the store has failed. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  /** True if every change that was acknowledged before this call has been handled. */
  async isDrained(): Promise<boolean> {
    return (await this.#heads()).every((head) => head <= this.#handledVersion);
  }

  /** Resolves when the next batch has been handled. */
  progress(): Promise<void> {
    return this.#progress.given;
  }

  async #heads(): Promise<number[]> {
    const { changeLog, resources } = this.#options;
    return await Promise.all(resources.map((resource) => changeLog.head(resource)));
  }

  async #pump(): Promise<void> {
    const { clock, handler } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const changes = await this.#reader.next(signal);
      let failed = await handler(changes);
      while (failed.length > 0 && !signal.aborted) {
        await sleep(clock, RETRY_DELAY_MS, signal);
        failed = await handler(failed);
      }
      this.#handledVersion = changes.at(-1)?.version ?? this.#handledVersion;
      this.#progress.give();
      this.#progress = newSignal();
    }
    this.#reader.close();
  }
}

function newSignal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
