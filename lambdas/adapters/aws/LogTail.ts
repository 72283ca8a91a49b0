import type { GroupResource } from '../../objects/ObjectKey.ts';
import { type Clock, sleep } from '../../ports/Clock.ts';
import type { LogSegment } from './LogSegment.ts';
import type { LogTable } from './LogTable.ts';
import type { LogState } from './logState.ts';

/** The reads of the log's table that a tail uses. */
export type LogReads = Pick<LogTable, 'readHead' | 'readAfter' | 'readBack'>;

/** How often a log is polled while a reader waits for it. */
export interface Polling {
  /** The interval after a change. */
  readonly fastestMs: number;
  /** The interval when nothing has happened for long. It bounds the cost to 60,000 / `slowestMs` reads a minute, of half a read unit each. */
  readonly slowestMs: number;
}

export const DEFAULT_POLLING: Polling = { fastestMs: 100, slowestMs: 1_000 };

/** Each poll that finds nothing lengthens the interval by this factor. */
const SLOWDOWN = 1.25;
/** How many segments are kept in memory for readers to share. */
const RETAINED_SEGMENTS = 200;
/** A tail that has not read for this long starts again from the head, since the segments after its own may be gone. */
const TRUSTED_MS = 60 * 60 * 1000;

/**
 * The newest segments of one resource's log, read once for all its readers in this process. The log is polled only while a reader waits: less and less
 * often while nothing happens, and at once when this process writes.
 */
export class LogTail {
  readonly resource: GroupResource;
  readonly #table: LogReads;
  readonly #clock: Clock;
  readonly #polling: Polling;
  readonly #onAdvance: (state: LogState) => void;
  readonly #segments = new Map<number, LogSegment>();
  readonly #waiting = new Set<() => void>();
  #state: LogState | undefined;
  #readAtMs = 0;
  #reading: Promise<LogState> | undefined;
  #nextRead: Promise<LogState> | undefined;
  #delayMs: number;
  #isPolling = false;
  #wakePoll: () => void = () => {};

  constructor(
    resource: GroupResource,
    table: LogReads,
    options: { readonly clock: Clock; readonly polling: Polling; readonly onAdvance: (state: LogState) => void },
  ) {
    this.resource = resource;
    this.#table = table;
    this.#clock = options.clock;
    this.#polling = options.polling;
    this.#onAdvance = options.onAdvance;
    this.#delayMs = options.polling.fastestMs;
  }

  get isKnown(): boolean {
    return this.#state !== undefined;
  }

  /** The newest known state. Throws if no read has succeeded yet. */
  get state(): LogState {
    if (!this.#state) throw new Error(`the log of ${this.resource} was not read yet`);
    return this.#state;
  }

  /** Returns the earliest known state that fits; undefined if none does. */
  firstState(fits: (state: LogState) => boolean): LogState | undefined {
    for (const { state } of this.#segments.values()) if (fits(state)) return state;
    return this.#state && fits(this.#state) ? this.#state : undefined;
  }

  /** Makes a strong read that begins after this call; concurrent callers share it. Costs one read unit, and the segments appended. */
  refresh(): Promise<LogState> {
    if (!this.#reading) return this.#startReading();
    this.#nextRead ??= this.#reading.then(
      () => this.#startReading(),
      () => this.#startReading(),
    );
    return this.#nextRead;
  }

  /** Returns the known segments after the given one, in order, from memory if possible. `gone` if the first of them does not exist any more. */
  async after(segment: number): Promise<readonly LogSegment[] | 'gone'> {
    const { segment: newest, epochSegment } = this.state;
    if (segment < epochSegment) return 'gone';
    if (segment >= newest) return [];
    const found = this.#segments.has(segment + 1)
      ? this.#fromMemory(segment)
      : await this.#table.readAfter(this.resource, segment, { strong: true });
    const [next] = found;
    if (next?.state.segment !== segment + 1 || next.expiresAtMs <= this.#clock.now()) return 'gone';
    return found;
  }

  /** Yields the segments from the newest back to the oldest that still exists. */
  async *back(): AsyncGenerator<LogSegment> {
    const { segment: newest } = this.state;
    let next = newest;
    for (let known = this.#segments.get(next); known; known = this.#segments.get(next)) {
      if (known.expiresAtMs <= this.#clock.now()) return;
      yield known;
      next -= 1;
    }
    // Most readers need only a few segments, so the first pages are small. Readers that need more get larger pages.
    if (next === 0) return;
    for await (const page of this.#table.readBack(this.resource, next, newest - next < 8 ? 8 : 50)) {
      for (const segment of page) {
        if (segment.state.segment !== next || segment.expiresAtMs <= this.#clock.now()) return;
        yield segment;
        next -= 1;
      }
    }
  }

  /** Resolves when the log has grown, `signal` is aborted, or `timeoutMs` have passed. Polls meanwhile. */
  async wait(signal: AbortSignal, timeoutMs?: number): Promise<void> {
    if (signal.aborted) return;
    const stop = new AbortController();
    const wake = () => stop.abort();
    this.#waiting.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    void this.#poll();
    try {
      if (timeoutMs !== undefined) await sleep(this.#clock, timeoutMs, stop.signal);
      else await new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve(), { once: true }));
    } finally {
      this.#waiting.delete(wake);
      signal.removeEventListener('abort', wake);
      if (this.#waiting.size === 0) this.#wakePoll();
    }
  }

  /** Called after a write or an append in this process: polls soon. */
  nudge(): void {
    this.#delayMs = this.#polling.fastestMs;
    this.#wakePoll();
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    let polledAtMs = this.#clock.now();
    while (this.#waiting.size > 0) {
      const nudged = new AbortController();
      this.#wakePoll = () => nudged.abort();
      await sleep(this.#clock, polledAtMs + this.#delayMs - this.#clock.now(), nudged.signal);
      // A nudge shortens the wait, but not below the fastest interval.
      const tooEarlyMs = polledAtMs + this.#polling.fastestMs - this.#clock.now();
      if (tooEarlyMs > 0 && this.#waiting.size > 0) await sleep(this.#clock, tooEarlyMs);
      if (this.#waiting.size === 0) break;
      polledAtMs = this.#clock.now();
      await this.#look();
    }
    this.#isPolling = false;
  }

  /** Polls once. A failed poll is repeated later; waiting readers end by their own signals. */
  async #look(): Promise<void> {
    const before = this.#state?.segment;
    try {
      await (this.#reading ?? this.#startReading({ strong: false }));
    } catch {
      this.#delayMs = this.#polling.slowestMs;
      return;
    }
    const moved = this.#state?.segment !== before;
    this.#delayMs = moved ? this.#polling.fastestMs : Math.min(this.#polling.slowestMs, this.#delayMs * SLOWDOWN);
  }

  #startReading(options = { strong: true }): Promise<LogState> {
    this.#nextRead = undefined;
    const reading = this.#read(options).finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    this.#reading = reading;
    return reading;
  }

  async #read(options: { readonly strong: boolean }): Promise<LogState> {
    const nowMs = this.#clock.now();
    const known = this.#state && nowMs - this.#readAtMs < TRUSTED_MS ? this.#state : undefined;
    const from = known ?? (await this.#table.readHead(this.resource));
    const segments = await this.#table.readAfter(this.resource, from.segment, options);
    this.#readAtMs = nowMs;
    this.#advance(from, contiguous(from.segment, segments));
    return this.state;
  }

  #advance(from: LogState, segments: readonly LogSegment[]): void {
    const newest = segments.at(-1)?.state ?? from;
    for (const segment of segments) this.#segments.set(segment.state.segment, segment);
    for (const number of this.#segments.keys()) {
      if (number <= newest.segment - RETAINED_SEGMENTS) this.#segments.delete(number);
    }
    const moved = newest.segment !== this.#state?.segment;
    if (this.#state && newest.segment < this.#state.segment) return;
    this.#state = newest;
    if (!moved) return;
    this.#onAdvance(newest);
    for (const wake of this.#waiting) wake();
  }

  #fromMemory(segment: number): readonly LogSegment[] {
    const found: LogSegment[] = [];
    for (let next = this.#segments.get(segment + 1); next; next = this.#segments.get(next.state.segment + 1)) {
      found.push(next);
    }
    return found;
  }
}

/** Returns the segments up to the first gap. A read that is not strong may miss a segment and see a later one; the next read returns both. */
function contiguous(from: number, segments: readonly LogSegment[]): readonly LogSegment[] {
  const end = segments.findIndex(({ state }, at) => state.segment !== from + 1 + at);
  return end < 0 ? segments : segments.slice(0, end);
}
