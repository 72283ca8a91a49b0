import type { ResyncHandler, ResyncRequest } from '../../lambdas/functions/resync/createResyncHandler.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';

/** The schedule of `resync`: each request every so many milliseconds, the next time counted from the end of the last; what it throws is logged, and it goes on. */
export class ResyncTimer {
  readonly #clock: Clock;
  readonly #resync: ResyncHandler;
  readonly #log: (line: Readonly<Record<string, unknown>>) => void;
  /** The next run of each request. */
  readonly #cancels = new Map<ResyncRequest, () => void>();
  /** The runs under way. */
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

  /** Resolves when no run is under way, and the next ones are on the clock. */
  async whenIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#cancels.values()) cancel();
  }
}
