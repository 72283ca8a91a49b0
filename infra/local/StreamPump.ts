import type { ChangeStream, StreamReader } from '../../lambdas/adapters/embedded/ChangeStream.ts';
import type { EnqueueHandler } from '../../lambdas/functions/enqueue/handler.ts';
import type { GroupResource } from '../../lambdas/objects/ObjectKey.ts';
import type { ChangeLog } from '../../lambdas/ports/ChangeLog.ts';
import { type Clock, sleep } from '../../lambdas/ports/Clock.ts';

/** How long a change waits that could not be turned into keys. */
const RETRY_DELAY_MS = 100;

export interface StreamPumpOptions {
  readonly stream: ChangeStream;
  readonly changeLog: ChangeLog;
  readonly clock: Clock;
  /** The resources that any controller watches. */
  readonly resources: readonly GroupResource[];
  readonly handler: EnqueueHandler;
}

/** What the table's stream does in the cloud: hands each change to `enqueue`, in order, again until it is done. */
export class StreamPump {
  readonly #options: StreamPumpOptions;
  readonly #reader: StreamReader;
  readonly #stop = new AbortController();
  /** All changes up to this version have been handled. */
  #handledVersion = 0;
  #loop: Promise<void> = Promise.resolve();
  #progress = newSignal();

  /** From here on no change is missed. */
  constructor(options: StreamPumpOptions) {
    this.#options = options;
    this.#reader = options.stream.open();
  }

  /** To be called before anyone writes: what the store holds by now is left to the resync that every start begins with. */
  async start(): Promise<void> {
    this.#handledVersion = Math.max(0, ...(await this.#heads()));
    this.#loop = this.#pump();
    // A store that has failed tells so itself; who stops this pump hears of it too.
    this.#loop.catch(() => {});
  }

  /** Resolves when the batch at hand has been handled. Rejects if the store has failed. */
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
