import { MinHeap } from '../../lambdas/adapters/embedded/MinHeap.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';
import type { Random } from './Random.ts';

interface Event {
  readonly atMs: number;
  /** Drawn: decides between events of one millisecond. */
  readonly order: number;
  /** Absent once it was cancelled, so that nothing which it refers to is kept until then. */
  act: (() => void) | undefined;
  /** Work that must be over before the world is quiet; a timer is none. */
  readonly isWork: boolean;
}

/**
 * Owns time and the order of everything. One event happens at a time, and all that follows from it without waiting (promises, no real input or output) is over
 * before the next one, so that a run follows from its seed alone.
 */
export class Scheduler implements Clock {
  readonly #events = new MinHeap<Event>((a, b) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order));
  readonly #random: Random;
  #nowMs: number;
  #work = 0;
  eventCount = 0;

  constructor(startMs: number, random: Random) {
    this.#nowMs = startMs;
    this.#random = random;
  }

  now(): number {
    return this.#nowMs;
  }

  steadyMs(): number {
    return this.#nowMs;
  }

  /** How many events of work are still to come. */
  get pendingWork(): number {
    return this.#work;
  }

  /** A timer: it keeps nothing awake. */
  setTimer(delayMs: number, wake: () => void): () => void {
    const event = this.#add(delayMs, wake, false);
    return () => {
      event.act = undefined;
    };
  }

  /** Work to do after a delay. */
  after(delayMs: number, act: () => void): void {
    this.#add(delayMs, act, true);
  }

  /** Resolves after a delay; work. */
  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, resolve));
  }

  /** Lets time pass in which nothing happens: what was due meanwhile happens at its end. */
  leap(durationMs: number): void {
    this.#nowMs += durationMs;
  }

  /** Lets the next event happen, and all that follows from it at once. False if there is none before `limitMs`. */
  async step(limitMs: number): Promise<boolean> {
    const next = this.#events.peek();
    if (!next || next.atMs > limitMs) return false;
    this.#events.pop();
    if (next.isWork) this.#work -= 1;
    const { act } = next;
    if (!act) return true;
    this.#nowMs = Math.max(this.#nowMs, next.atMs);
    this.eventCount += 1;
    act();
    await settled();
    return true;
  }

  #add(delayMs: number, act: () => void, isWork: boolean): Event {
    const atMs = this.#nowMs + Math.max(0, Math.round(delayMs));
    const event: Event = { atMs, order: this.#random.fraction(), act, isWork };
    this.#events.push(event);
    if (isWork) this.#work += 1;
    return event;
  }
}

/** Resolves once no promise has anything left to do: Node runs immediates after all of them. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
