import type { Clock } from '../../ports/Clock.ts';

interface Timer {
  readonly dueMs: number;
  readonly wake: () => void;
}

/** A clock that stands still until it is moved by hand. Timers fire in the order in which they are due, those due together in the order they were set. */
export class VirtualClock implements Clock {
  #nowMs: number;
  /** By due time, then by when they were set. */
  readonly #timers: Timer[] = [];

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  setTimer(delayMs: number, wake: () => void): () => void {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), wake };
    this.#timers.splice(this.#placeBehind(timer.dueMs), 0, timer);
    return () => {
      const place = this.#timers.indexOf(timer);
      if (place >= 0) this.#timers.splice(place, 1);
    };
  }

  /** When the next timer fires; `undefined` if none is set. */
  nextDueMs(): number | undefined {
    return this.#timers[0]?.dueMs;
  }

  /** Moves on to `epochMs` and fires what is due by then, each at its own time, those set meanwhile included. Never moves back. */
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

  #placeBehind(dueMs: number): number {
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
