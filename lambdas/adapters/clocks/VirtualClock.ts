import type { Clock } from '../../ports/Clock.ts';

interface Timer {
  /** In steady time, as all of the clock's bookkeeping. */
  readonly dueMs: number;
  readonly wake: () => void;
}

/** A clock that stands still until it is advanced. Timers fire in the order of their due times; timers due at the same time fire in the order in which they were set. */
export class VirtualClock implements Clock {
  #steadyMs: number;
  /** By how much the time of day was stepped. */
  #steppedMs = 0;
  /** Sorted by due time, then by the order in which they were set. */
  readonly #timers: Timer[] = [];

  constructor(startMs: number) {
    this.#steadyMs = startMs;
  }

  now(): number {
    return this.#steadyMs + this.#steppedMs;
  }

  steadyMs(): number {
    return this.#steadyMs;
  }

  /** Sets the time of day forward or, if `ms` is negative, back. No time passes, and no timer fires. */
  step(ms: number): void {
    this.#steppedMs += ms;
  }

  setTimer(delayMs: number, wake: () => void): () => void {
    const timer = { dueMs: this.#steadyMs + Math.max(0, delayMs), wake };
    this.#timers.splice(this.#indexAfter(timer.dueMs), 0, timer);
    return () => {
      const place = this.#timers.indexOf(timer);
      if (place >= 0) this.#timers.splice(place, 1);
    };
  }

  /** Returns when the next timer fires; `undefined` if none is set. */
  nextDueMs(): number | undefined {
    const first = this.#timers[0];
    return first && first.dueMs + this.#steppedMs;
  }

  /** Advances to `epochMs` and fires the timers due by then, each at its own time, including timers that are set meanwhile. Does nothing if that time has passed. */
  advanceTo(epochMs: number): void {
    const steadyMs = epochMs - this.#steppedMs;
    for (let timer = this.#timers[0]; timer && timer.dueMs <= steadyMs; timer = this.#timers[0]) {
      this.#timers.shift();
      this.#steadyMs = Math.max(this.#steadyMs, timer.dueMs);
      timer.wake();
    }
    this.#steadyMs = Math.max(this.#steadyMs, steadyMs);
  }

  advanceBy(ms: number): void {
    this.advanceTo(this.now() + ms);
  }

  #indexAfter(dueMs: number): number {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#timers[middle]?.dueMs ?? 0) <= dueMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
