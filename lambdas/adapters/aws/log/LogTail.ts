import type { GroupResource } from '../../../objects/ObjectKey.ts';
import type { Change, LogScope } from '../../../ports/ChangeLog.ts';
import { type Clock, sleep } from '../../../ports/Clock.ts';
import { KnownLog, type LogReads } from './KnownLog.ts';
import type { LogSegment } from './LogSegment.ts';
import type { LogState } from './logState.ts';
import { SegmentCache } from './SegmentCache.ts';

/** How often a log is polled while a reader waits for it. */
export interface Polling {
  /** The interval after a change, and for `livelyMs` after it. */
  readonly fastestMs: number;
  /** For how long after a change more of them are likely: a rollout's changes come less than two seconds apart. */
  readonly livelyMs: number;
  /** The interval when nothing has happened for long. It bounds the cost to 60,000 / `slowestMs` reads a minute, of half a read unit each: with 200 ms $0.82 a month for a log that somebody watches all the time, and at most $3.24 for one that changes all the time. */
  readonly slowestMs: number;
}

export const DEFAULT_POLLING: Polling = { fastestMs: 50, livelyMs: 3_000, slowestMs: 200 };

/** Each poll that finds nothing lengthens the interval by this factor, once nothing has happened for a while. */
const SLOWDOWN = 1.25;
/** A tail that has not read for this long reads the head first: the segments since then may be many, and no reader waits for them. */
const IDLE_MS = 10_000;

export interface LogTailOptions {
  readonly clock: Clock;
  readonly polling: Polling;
  /** Called again and again while a watch waits. */
  readonly onWatched?: () => void;
}

/**
 * The newest part of one resource's log, read once for all its readers in this process. The log is polled only while a reader waits: less and less
 * often while nothing happens, and at once when this process writes.
 */
export class LogTail {
  readonly resource: GroupResource;
  readonly #reads: LogReads;
  readonly #clock: Clock;
  readonly #polling: Polling;
  readonly #cache: SegmentCache;
  readonly #waiting = new Set<() => void>();
  readonly #onWatched: () => void;
  /** How many of those who wait are watches. */
  #watches = 0;
  #known: KnownLog | undefined;
  #readAtMs = 0;
  #reading: Promise<LogState> | undefined;
  #nextRead: Promise<LogState> | undefined;
  #delayMs: number;
  /** By the steady clock, when the log grew or this process wrote something. */
  #livelyFromMs = Number.NEGATIVE_INFINITY;
  #isPolling = false;
  #wakePoll: () => void = () => {};

  constructor(resource: GroupResource, reads: LogReads, options: LogTailOptions) {
    this.resource = resource;
    this.#reads = reads;
    this.#clock = options.clock;
    this.#polling = options.polling;
    this.#onWatched = options.onWatched ?? (() => {});
    this.#cache = new SegmentCache(resource, reads.parts);
    this.#delayMs = options.polling.fastestMs;
  }

  get isKnown(): boolean {
    return this.#known !== undefined;
  }

  /** The newest known state. Throws if no read has succeeded yet. */
  get state(): LogState {
    return this.#knownLog().state;
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

  /** Returns the log with what it takes to say whether it holds these versions, and what barriers name. */
  async knowing(versions: readonly number[]): Promise<KnownLog> {
    for (;;) {
      if (!this.#known) await this.refresh();
      const known = this.#knownLog();
      const through = await known.load(versions);
      await known.loadBarriers();
      while (this.#known === known && known.state.segment < through) await this.refresh();
      if (this.#known === known) return known;
    }
  }

  /** Returns the known segments after the given one, in order, from memory if possible. `gone` if the first of them does not exist any more. */
  async after(segment: number): Promise<readonly LogSegment[] | 'gone'> {
    const { segment: newest, epochSegment } = this.state;
    if (segment < epochSegment) return 'gone';
    if (segment >= newest) return [];
    const found = this.#cache.get(segment + 1) ? this.#fromMemory(segment) : await this.#firstPage(segment);
    const [next] = found;
    if (next?.segment !== segment + 1 || this.#isExpired(next)) return 'gone';
    return found.filter((one) => one.segment <= this.state.segment);
  }

  /** Returns the segment with which the log passed that position; `gone` if it does not exist any more. The log must be beyond the position. */
  async passing(position: number): Promise<LogSegment | 'gone'> {
    const newest = this.state.segment;
    // Most readers begin near the end, so the first steps back are small.
    let [above, below] = [newest + 1, newest];
    for (let step = 1; below > 0; step *= 2) {
      const at = await this.#segment(below);
      if (!at || at.previousPosition <= position) break;
      above = below;
      below = Math.max(0, below - step);
    }
    // The wanted segment is in [below, above). Segments that are deleted are the oldest, and so count as below.
    while (above - below > 1) {
      const middle = Math.floor((below + above) / 2);
      const at = await this.#segment(middle);
      if (at && at.previousPosition > position) above = middle;
      else below = middle;
    }
    const found = await this.#segment(below);
    return found && found.previousPosition <= position && position < found.position && !this.#isExpired(found)
      ? found
      : 'gone';
  }

  /** Returns the segment's changes, at least those in the scope. `gone` if its contents are not there any more. */
  changesOf(segment: LogSegment, scope: LogScope): Promise<readonly Change[] | 'gone'> {
    return this.#cache.changesOf(segment, scope);
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

  /** Waits for a watch, which may wait for long. */
  async watch(signal: AbortSignal): Promise<void> {
    this.#watches += 1;
    this.#onWatched();
    await this.wait(signal).finally(() => {
      this.#watches -= 1;
    });
  }

  /** Called after a write or an append in this process: polls soon. */
  nudge(): void {
    this.#quicken();
    this.#wakePoll();
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    let polledAtMs = this.#clock.steadyMs();
    while (this.#waiting.size > 0) {
      const nudged = new AbortController();
      this.#wakePoll = () => nudged.abort();
      await sleep(this.#clock, polledAtMs + this.#delayMs - this.#clock.steadyMs(), nudged.signal);
      // A nudge shortens the wait, but not below the fastest interval.
      const tooEarlyMs = polledAtMs + this.#polling.fastestMs - this.#clock.steadyMs();
      if (tooEarlyMs > 0 && this.#waiting.size > 0) await sleep(this.#clock, tooEarlyMs);
      if (this.#waiting.size === 0) break;
      if (this.#watches > 0) this.#onWatched();
      polledAtMs = this.#clock.steadyMs();
      await this.#look();
    }
    this.#isPolling = false;
  }

  /** Polls once. A failed poll is repeated later; waiting readers end by their own signals. */
  async #look(): Promise<void> {
    const before = this.#known?.state.segment;
    try {
      await (this.#reading ?? this.#startReading({ strong: false }));
    } catch {
      this.#delayMs = this.#polling.slowestMs;
      return;
    }
    if (this.#known?.state.segment !== before) this.#quicken();
    else if (this.#clock.steadyMs() - this.#livelyFromMs >= this.#polling.livelyMs)
      this.#delayMs = Math.min(this.#polling.slowestMs, this.#delayMs * SLOWDOWN);
  }

  #quicken(): void {
    this.#delayMs = this.#polling.fastestMs;
    this.#livelyFromMs = this.#clock.steadyMs();
  }

  #startReading(options = { strong: true }): Promise<LogState> {
    this.#nextRead = undefined;
    const reading = this.#read(options).finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    this.#reading = reading;
    return reading;
  }

  async #read({ strong }: { readonly strong: boolean }): Promise<LogState> {
    const beganAtMs = this.#clock.steadyMs();
    const known = await this.#trusted(beganAtMs);
    const before = known === this.#known ? known.state.segment : undefined;
    for await (const page of this.#reads.table.readAfter(this.resource, known.state.segment, { strong })) {
      for (const segment of page) {
        // A read that is not strong may miss a segment and find a later one; the next read returns both.
        if (!strong && segment.segment !== known.state.segment + 1) break;
        known.advance(segment);
        this.#cache.add(segment);
      }
    }
    this.#known = known;
    this.#readAtMs = beganAtMs;
    if (known.state.segment !== before) for (const wake of this.#waiting) wake();
    return known.state;
  }

  /** Returns the known log, or what the head says if that is newer and the known log was not read for long. */
  async #trusted(nowMs: number): Promise<KnownLog> {
    if (this.#known && nowMs - this.#readAtMs < IDLE_MS) return this.#known;
    const head = await KnownLog.atHead(this.resource, this.#reads);
    if (this.#known && head.state.segment <= this.#known.state.segment) return this.#known;
    this.#cache.clear();
    return head;
  }

  async #segment(segment: number): Promise<LogSegment | undefined> {
    if (segment === 0) return undefined;
    return this.#cache.get(segment) ?? (await this.#reads.table.readSegment(this.resource, segment));
  }

  async #firstPage(segment: number): Promise<readonly LogSegment[]> {
    for await (const page of this.#reads.table.readAfter(this.resource, segment, { strong: true })) {
      if (page.length > 0) return page;
    }
    return [];
  }

  #fromMemory(segment: number): readonly LogSegment[] {
    const found: LogSegment[] = [];
    for (let next = this.#cache.get(segment + 1); next; next = this.#cache.get(next.segment + 1)) found.push(next);
    return found;
  }

  #isExpired({ expiresAtMs }: LogSegment): boolean {
    return expiresAtMs <= this.#clock.now();
  }

  #knownLog(): KnownLog {
    if (!this.#known) throw new Error(`the log of ${this.resource} was not read yet`);
    return this.#known;
  }
}
