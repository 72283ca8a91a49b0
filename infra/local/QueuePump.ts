import { setMaxListeners } from 'node:events';
import type { EmbeddedWorkQueue } from '../../lambdas/adapters/embedded/EmbeddedWorkQueue.ts';
import type { SyncHandler } from '../../lambdas/functions/sync/handler.ts';
import type { ControllerName } from '../../lambdas/ports/WorkKey.ts';

export interface QueuePumpOptions {
  readonly queue: EmbeddedWorkQueue;
  readonly handler: SyncHandler;
  readonly workers: ReadonlyMap<ControllerName, number>;
}

/** What the queue's event source mapping does in the cloud, for each controller with its number of workers. */
export class QueuePump {
  readonly #options: QueuePumpOptions;
  readonly #stop = new AbortController();
  #workers: Promise<void>[] = [];

  constructor(options: QueuePumpOptions) {
    this.#options = options;
    // Each worker that waits for a message listens.
    setMaxListeners(0, this.#stop.signal);
  }

  start(): void {
    this.#workers = [...this.#options.workers].flatMap(([controller, count]) =>
      Array.from({ length: count }, () => this.#work(controller)),
    );
  }

  /** Takes no more messages; resolves when the syncs under way have ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#workers);
  }

  async #work(controller: ControllerName): Promise<void> {
    const { queue, handler } = this.#options;
    for (;;) {
      const received = await queue.receive(controller, this.#stop.signal);
      if (!received) return;
      for (const { message, outcome } of await handler([received])) {
        if (outcome === 'acknowledge') queue.acknowledge(message);
      }
    }
  }
}
