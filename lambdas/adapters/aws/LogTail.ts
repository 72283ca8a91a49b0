import type { GroupResource } from '../../objects/ObjectKey.ts';
import { type Clock, sleep } from '../../ports/Clock.ts';
import type { LogSegment } from './LogSegment.ts';
import type { LogTable } from './LogTable.ts';
import type { LogState } from './logState.ts';

/** What a tail asks of the log's table. */
export type LogReads = Pick<LogTable, 'readHead' | 'readAfter' | 'readBack'>;

/** How often a log is looked at while someone waits for it. */
export interface Polling {
  /** After something happened. */
  readonly fastestMs: number;
  /** When nothing has happened for long: at most 60,000 / `slowestMs` reads a minute, of half a read unit each. */
  readonly slowestMs: number;
}

export const DEFAULT_POLLING: Polling = { fastestMs: 100, slowestMs: 1_000 };

/** Each poll that finds nothing makes the next one wait longer by this factor. */
const SLOWDOWN = 1.25;
/** So many segments are kept for readers to share. */
const RETAINED_SEGMENTS = 200;
/** A process that has not looked for so long asks the head again, as what it would read on from may be gone. */
const TRUSTED_MS = 60 * 60 * 1000;

/**
 * The newest stretch of one resource's log, read once for all its readers in this process. It is polled only while someone waits, less and less often
 * while nothing happens, and again at once when this process writes.
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

  /** As far as it is known here. `refresh` must have been called before. */
  get state(): LogState {
    if (!this.#state) throw new Error(`the log of ${this.resource} was not read yet`);
    return this.#state;
  }

  /** The earliest of the known states that fits; undefined if none does. */
  firstState(fits: (state: LogState) => boolean): LogState | undefined {
    for (const { state } of this.#segments.values()) if (fits(state)) return state;
    return this.#state && fits(this.#state) ? this.#state : undefined;
  }

  /** A strong read that begins after this call, shared with whoever else asks for one. One read unit, and what was appended. */
  refresh(): Promise<LogState> {
    if (!this.#reading) return this.#startReading();
    this.#nextRead ??= this.#reading.then(
      () => this.#startReading(),
      () => this.#startReading(),
    );
    return this.#nextRead;
  }

  /** The segments behind one, in order, as far as they are known here and still there: from memory, or else read. `gone`: the next one is not there any more. */
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

  /** The segments from the newest back to the first, or to the first that is gone. */
  async *back(): AsyncGenerator<LogSegment> {
    const { segment: newest } = this.state;
    let next = newest;
    for (let known = this.#segments.get(next); known; known = this.#segments.get(next)) {
      if (known.expiresAtMs <= this.#clock.now()) return;
      yield known;
      next -= 1;
    }
    // Mostly what is looked for is near; who looks far back reads in larger pages.
    if (next === 0) return;
    for await (const page of this.#table.readBack(this.resource, next, newest - next < 8 ? 8 : 50)) {
      for (const segment of page) {
        if (segment.state.segment !== next || segment.expiresAtMs <= this.#clock.now()) return;
        yield segment;
        next -= 1;
      }
    }
  }

  /** Resolves when the log has moved, `signal` is aborted, or `timeoutMs` are over. Polls meanwhile. */
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

  /** Something was written or appended here: look soon. */
  nudge(): void {
    this.#delayMs = this.#polling.fastestMs;
    this.#wakePoll();
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    let lookedAtMs = this.#clock.now();
    while (this.#waiting.size > 0) {
      const nudged = new AbortController();
      this.#wakePoll = () => nudged.abort();
      await sleep(this.#clock, lookedAtMs + this.#delayMs - this.#clock.now(), nudged.signal);
      // A nudge shortens the wait, but not below the fastest pace.
      const tooEarlyMs = lookedAtMs + this.#polling.fastestMs - this.#clock.now();
      if (tooEarlyMs > 0 && this.#waiting.size > 0) await sleep(this.#clock, tooEarlyMs);
      if (this.#waiting.size === 0) break;
      lookedAtMs = this.#clock.now();
      await this.#look();
    }
    this.#isPolling = false;
  }

  /** A poll that fails is made again; those who wait end by their signal. */
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

/** A read that is not strong may see a segment before the one in front of it; what is behind a gap is left for the next read. */
function contiguous(from: number, segments: readonly LogSegment[]): readonly LogSegment[] {
  const end = segments.findIndex(({ state }, at) => state.segment !== from + 1 + at);
  return end < 0 ? segments : segments.slice(0, end);
}
