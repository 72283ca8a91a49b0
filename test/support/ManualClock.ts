import type { Clock } from '../../lambdas/ports/Clock.ts';

/** A clock that stands until a test moves it. `advance` fires what falls due, in order, letting promises settle between. */
export class ManualClock implements Clock {
  #nowMs: number;
  readonly #timers = new Set<{ readonly atMs: number; readonly wake: () => void }>();

  constructor(nowMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  setTimer(delayMs: number, wake: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, wake };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
      if (!next) break;
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#nowMs = untilMs;
  }
}
