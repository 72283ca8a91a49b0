import type { Clock } from '../../ports/Clock.ts';

/**
 * Gives signals that abort at a moment, or when the watch ends. A signal serves again for the same moment, since most waits of a watch end with changes. When the
 * watch ends, the timer is freed.
 */
export class Alarm {
  readonly #clock: Clock;
  readonly #end: AbortSignal;
  #controller = new AbortController();
  #atMs: number | undefined;
  #cancel = () => {};

  constructor(clock: Clock, end: AbortSignal) {
    this.#clock = clock;
    this.#end = end;
    end.addEventListener('abort', () => this.#ring(), { once: true });
  }

  /** Returns a signal that aborts at `atMs`, in the clock's time of day. It takes the place of the last one, which is not aborted any more. */
  setFor(atMs: number): AbortSignal {
    if (this.#atMs === atMs && !this.#controller.signal.aborted) return this.#controller.signal;
    this.#cancel();
    this.#controller = new AbortController();
    this.#atMs = atMs;
    if (this.#end.aborted) this.#controller.abort();
    else this.#cancel = this.#clock.setTimer(Math.max(0, atMs - this.#clock.now()), () => this.#ring());
    return this.#controller.signal;
  }

  #ring(): void {
    this.#cancel();
    this.#controller.abort();
  }
}
