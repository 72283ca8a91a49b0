import { QUEUE_TRIGGER } from '../publishedLimits.ts';

const MINUTE_MS = 60_000;
/** After so long without waiting messages the trigger begins with few batches again. AWS does not say how soon it does. */
const CALM_MS = 30_000;

/** How many batches of a standard queue Lambda hands to a function at the same time: five at first, and more with each second in which messages wait. */
export class TriggerScaling {
  readonly #most: number;
  #concurrency: number;
  #seenAtMs: number | undefined;
  #waitedAtMs = Number.NEGATIVE_INFINITY;

  /** `maxConcurrency`: the trigger's own limit. */
  constructor(maxConcurrency: number) {
    this.#most = Math.min(maxConcurrency, QUEUE_TRIGGER.mostConcurrency);
    this.#concurrency = QUEUE_TRIGGER.firstConcurrency;
  }

  /** How many batches may be under way at this time. */
  concurrency(nowMs: number): number {
    this.#advance(nowMs);
    return Math.min(this.#most, Math.floor(this.#concurrency));
  }

  /** True while more batches could be under way than now, some time later. */
  get canGrow(): boolean {
    return Math.floor(this.#concurrency) < this.#most;
  }

  /** Says whether messages wait that no batch could take. */
  note(isWaiting: boolean, nowMs: number): void {
    this.#advance(nowMs);
    this.#seenAtMs = isWaiting ? nowMs : undefined;
    if (isWaiting) this.#waitedAtMs = nowMs;
  }

  #advance(nowMs: number): void {
    if (this.#seenAtMs !== undefined) {
      const grown = ((nowMs - this.#seenAtMs) * QUEUE_TRIGGER.concurrencyPerMinute) / MINUTE_MS;
      this.#concurrency = Math.min(this.#most, this.#concurrency + grown);
      this.#seenAtMs = nowMs;
      this.#waitedAtMs = nowMs;
    } else if (nowMs - this.#waitedAtMs > CALM_MS) this.#concurrency = QUEUE_TRIGGER.firstConcurrency;
  }
}
