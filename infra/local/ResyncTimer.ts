import type { ResyncHandler, ResyncRequest } from '../../lambdas/functions/resync/handler.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';

/** The schedule of `resync`: each request every so many milliseconds, the next time counted from the end of the last; what it throws is logged, and it goes on. */
export class ResyncTimer {
  readonly #clock: Clock;
  readonly #resync: ResyncHandler;
  readonly #log: (line: Readonly<Record<string, unknown>>) => void;
  /** The next run of each request. */
  readonly #cancels = new Map<ResyncRequest, () => void>();
  #isStopped = false;

  constructor(clock: Clock, resync: ResyncHandler, log: (line: Readonly<Record<string, unknown>>) => void) {
    this.#clock = clock;
    this.#resync = resync;
    this.#log = log;
  }

  every(periodMs: number, request: ResyncRequest): void {
    if (this.#isStopped) return;
    const run = () => {
      this.#resync(request)
        .catch((error: unknown) => this.#log({ level: 'error', msg: 'resync', error: String(error) }))
        .finally(() => this.every(periodMs, request));
    };
    this.#cancels.set(request, this.#clock.setTimer(periodMs, run));
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#cancels.values()) cancel();
  }
}
