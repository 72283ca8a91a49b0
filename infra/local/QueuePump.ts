import { setMaxListeners } from 'node:events';
import type { EmbeddedWorkQueue } from '../../lambdas/adapters/embedded/EmbeddedWorkQueue.ts';
import type { SyncHandler } from '../../lambdas/functions/sync/createSyncHandler.ts';
import { EventLoopTurns } from './EventLoopTurns.ts';

/** After so many syncs that wait for nothing, as most do after a restart, others get their turn. */
const SYNCS_IN_TURN = 16;

export interface QueuePumpOptions {
  readonly queue: EmbeddedWorkQueue;
  readonly handler: SyncHandler;
  readonly workers: ReadonlyMap<string, number>;
  /** Lets the event loop turn. Absent: nothing else is served until all keys that are due are synced. */
  readonly giveTurn?: (() => Promise<void>) | undefined;
}

/** Stands for the queue's event source mapping: hands keys to the sync handler, with a number of workers for each controller. */
export class QueuePump {
  readonly #options: QueuePumpOptions;
  readonly #stop = new AbortController();
  readonly #turns: EventLoopTurns | undefined;
  #workers: Promise<void>[] = [];

  constructor(options: QueuePumpOptions) {
    this.#options = options;
    this.#turns = options.giveTurn && new EventLoopTurns(options.giveTurn, SYNCS_IN_TURN);
    // Each waiting worker adds a listener.
    setMaxListeners(0, this.#stop.signal);
  }

  start(): void {
    this.#workers = [...this.#options.workers].flatMap(([controller, count]) =>
      Array.from({ length: count }, () => this.#work(controller)),
    );
  }

  /** Receives no more messages; resolves when the running syncs have ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#workers);
  }

  async #work(controller: string): Promise<void> {
    const { queue, handler } = this.#options;
    for (;;) {
      const received = await queue.receive(controller, this.#stop.signal);
      if (!received) return;
      for (const { message, outcome } of await handler([received])) {
        if (outcome === 'acknowledge') queue.acknowledge(message);
      }
      if (this.#turns) await this.#turns.afterWork();
    }
  }
}
