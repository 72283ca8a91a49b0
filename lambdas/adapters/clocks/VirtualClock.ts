import type { Clock } from '../../ports/Clock.ts';

interface Timer {
  readonly dueMs: number;
  readonly wake: () => void;
}

/** A clock that stands still until it is advanced. Timers fire in the order of their due times; timers due at the same time fire in the order in which they were set. */
export class VirtualClock implements Clock {
  #nowMs: number;
  /** Sorted by due time, then by the order in which they were set. */
  readonly #timers: Timer[] = [];

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  setTimer(delayMs: number, wake: () => void): () => void {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), wake };
    this.#timers.splice(this.#indexAfter(timer.dueMs), 0, timer);
    return () => {
      const place = this.#timers.indexOf(timer);
      if (place >= 0) this.#timers.splice(place, 1);
    };
  }

  /** Returns when the next timer fires; `undefined` if none is set. */
  nextDueMs(): number | undefined {
    return this.#timers[0]?.dueMs;
  }

  /** Advances to `epochMs` and fires the timers due by then, each at its own time, including timers that are set meanwhile. Never goes back. */
  advanceTo(epochMs: number): void {
    for (let timer = this.#timers[0]; timer && timer.dueMs <= epochMs; timer = this.#timers[0]) {
      this.#timers.shift();
      this.#nowMs = Math.max(this.#nowMs, timer.dueMs);
      timer.wake();
    }
    this.#nowMs = Math.max(this.#nowMs, epochMs);
  }

  advanceBy(ms: number): void {
    this.advanceTo(this.#nowMs + ms);
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
