import type { ResyncHandler, ResyncRequest } from '../../lambdas/functions/resync/createResyncHandler.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';

/** The schedule of `resync`. The period of a request is counted from the end of its last run. An error is logged and the schedule continues. */
export class ResyncTimer {
  readonly #clock: Clock;
  readonly #resync: ResyncHandler;
  readonly #log: (line: Readonly<Record<string, unknown>>) => void;
  /** Cancels the next run of each request. */
  readonly #cancels = new Map<ResyncRequest, () => void>();
  /** The current runs. */
  readonly #running = new Set<Promise<void>>();
  #isStopped = false;

  constructor(clock: Clock, resync: ResyncHandler, log: (line: Readonly<Record<string, unknown>>) => void) {
    this.#clock = clock;
    this.#resync = resync;
    this.#log = log;
  }

  every(periodMs: number, request: ResyncRequest): void {
    if (this.#isStopped) return;
    const run = () => {
      const running = this.#run(request).finally(() => {
        this.#running.delete(running);
        this.every(periodMs, request);
      });
      this.#running.add(running);
    };
    this.#cancels.set(request, this.#clock.setTimer(periodMs, run));
  }

  async #run(request: ResyncRequest): Promise<void> {
    try {
      await this.#resync(request);
    } catch (error) {
      this.#log({ level: 'error', msg: 'resync', error: String(error) });
    }
  }

  /** Resolves when nothing runs and the next runs are scheduled on the clock. */
  async whenIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#cancels.values()) cancel();
  }
}
