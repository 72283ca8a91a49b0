import type { EmbeddedWorkQueue } from '../../lambdas/adapters/embedded/EmbeddedWorkQueue.ts';
import { type Config, controllerConfig } from '../../lambdas/functions/parseConfig.ts';
import { FUNCTIONS, OVERDUE_GRACE_MS } from '../topology.ts';
import type { Handlers, Log } from './createHandlers.ts';
import type { EmbeddedParts } from './openEmbeddedPorts.ts';
import { QueuePump } from './QueuePump.ts';
import { ResyncTimer } from './ResyncTimer.ts';
import { StreamPump } from './StreamPump.ts';

/** All triggers of functions except requests: the stream, the queue and the schedule. */
export class Pumps {
  readonly #workQueue: EmbeddedWorkQueue;
  readonly #stream: StreamPump;
  readonly #queue: QueuePump;
  readonly #timer: ResyncTimer;
  readonly #resync: Handlers['resync'];
  readonly #resyncPeriodMs: number;

  /** Opens the stream: every change made after this is delivered. `giveTurn` lets the event loop turn; absent: nothing else is served while changes are handled or keys are synced. */
  constructor(
    { ports, store }: EmbeddedParts,
    handlers: Handlers,
    config: Config,
    log: Log,
    giveTurn: (() => Promise<void>) | undefined,
  ) {
    const { workQueue, workClock } = ports;
    const { controllers } = handlers;
    const workers = new Map(controllers.map(({ name }) => [name, controllerConfig(config, name)?.workers ?? 1]));
    this.#workQueue = workQueue;
    this.#stream = new StreamPump({
      stream: store.stream,
      clock: workClock,
      handler: handlers.enqueue,
      giveTurn,
    });
    this.#queue = new QueuePump({ queue: workQueue, handler: handlers.sync, workers, giveTurn });
    this.#timer = new ResyncTimer(workClock, handlers.resync, log);
    this.#resync = handlers.resync;
    this.#resyncPeriodMs = config.resyncPeriodMs;
  }

  /** Resolves when every key of the stored objects has been queued. */
  async start(): Promise<void> {
    this.#stream.start();
    await this.#resync({ what: 'all' });
    this.#queue.start();
    this.#timer.every(FUNCTIONS.resync.trigger.periods.overdueMs, { what: 'overdue', graceMs: OVERDUE_GRACE_MS });
    this.#timer.every(this.#resyncPeriodMs, { what: 'all' });
  }

  /** Resolves when the running syncs and the current batch of changes have ended. */
  async stop(): Promise<void> {
    this.#timer.stop();
    await Promise.allSettled([this.#queue.stop(), this.#stream.stop()]);
  }

  /** Resolves when every change has been turned into keys, and no key is being synced or due at this instant. */
  async whenIdle(): Promise<void> {
    for (;;) {
      await this.#timer.whenIdle();
      await this.#workQueue.whenIdle();
      const { handedOutCount } = this.#workQueue;
      const progress = this.#stream.progress();
      if (!this.#stream.isDrained()) await progress;
      // A sync may have run, and written more changes, since the queue was idle.
      else if (this.#workQueue.isIdle() && this.#workQueue.handedOutCount === handedOutCount) return;
    }
  }
}
