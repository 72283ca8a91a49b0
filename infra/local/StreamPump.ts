import type { EnqueueHandler } from '../../lambdas/functions/enqueue/handler.ts';
import type { GroupResource } from '../../lambdas/objects/ObjectKey.ts';
import type { ChangeLog, LogCursor } from '../../lambdas/ports/ChangeLog.ts';
import { type Clock, sleep } from '../../lambdas/ports/Clock.ts';

/** How long a change waits that could not be turned into keys. */
const RETRY_DELAY_MS = 100;

export interface StreamPumpOptions {
  readonly changeLog: ChangeLog;
  readonly clock: Clock;
  readonly resources: readonly GroupResource[];
  readonly handler: EnqueueHandler;
  /** Changes of this resource were lost: every key is to be queued. */
  readonly onLost: (resource: GroupResource) => Promise<void>;
}

/** What the table's stream does in the cloud: hands each change to `enqueue`, in order for each resource, again until it is done. */
export class StreamPump {
  readonly #options: StreamPumpOptions;
  readonly #stop = new AbortController();
  /** Up to where each resource's changes have been handled. */
  readonly #handled = new Map<GroupResource, number>();
  #loops: Promise<void>[] = [];
  #progressWaiters: (() => void)[] = [];

  constructor(options: StreamPumpOptions) {
    this.#options = options;
  }

  /** Resolves when no later change can be missed. */
  async start(): Promise<void> {
    const { resources } = this.#options;
    const cursors = await Promise.all(resources.map((resource) => this.#open(resource)));
    this.#loops = resources.map((resource, at) => this.#pump(resource, cursors[at] as LogCursor));
  }

  /** Resolves when the batches at hand have been handled. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#loops);
  }

  /** True if every change that was acknowledged before this call has been handled. */
  async isDrained(): Promise<boolean> {
    const { changeLog, resources } = this.#options;
    const heads = await Promise.all(resources.map((resource) => changeLog.head(resource)));
    return resources.every((resource, at) => (this.#handled.get(resource) ?? 0) >= (heads[at] ?? 0));
  }

  /** Resolves when the next batch has been handled. */
  progress(): Promise<void> {
    return new Promise((resolve) => this.#progressWaiters.push(resolve));
  }

  async #open(resource: GroupResource): Promise<LogCursor> {
    const { changeLog } = this.#options;
    const head = await changeLog.head(resource);
    const opened = await changeLog.open(resource, head, this.#stop.signal);
    if (opened.status !== 'open') throw new Error(`the change log of ${resource} cannot be read from its head ${head}`);
    this.#handled.set(resource, head);
    return opened.cursor;
  }

  async #pump(resource: GroupResource, cursor: LogCursor): Promise<void> {
    const { signal } = this.#stop;
    for (;;) {
      const changes = await cursor.next(signal);
      if (signal.aborted) break;
      if (changes === 'expired') {
        cursor.close();
        const reopened = await this.#open(resource);
        await this.#options.onLost(resource);
        return await this.#pump(resource, reopened);
      }
      let failed = await this.#options.handler(changes);
      while (failed.length > 0 && !signal.aborted) {
        await sleep(this.#options.clock, RETRY_DELAY_MS, signal);
        failed = await this.#options.handler(failed);
      }
      this.#handled.set(resource, cursor.position);
      for (const wake of this.#progressWaiters.splice(0)) wake();
    }
    cursor.close();
  }
}
