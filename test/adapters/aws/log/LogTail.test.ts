import { setMaxListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { encodeChanges } from '../../../../lambdas/adapters/aws/log/logContents.ts';
import type { LogPart, LogSegment } from '../../../../lambdas/adapters/aws/log/LogSegment.ts';
import { LogTail } from '../../../../lambdas/adapters/aws/log/LogTail.ts';
import { EMPTY_LOG, type LogState, withSegment } from '../../../../lambdas/adapters/aws/log/logState.ts';
import { VirtualClock } from '../../../../lambdas/adapters/clocks/VirtualClock.ts';
import type { Change } from '../../../../lambdas/ports/ChangeLog.ts';
import { sample } from '../../../contracts/objectStoreSamples.ts';

const MINUTE_MS = 60_000;

/** A log in memory that counts how often it is asked, and how many segments it returned. */
class CountedLog {
  readCount = 0;
  headCount = 0;
  segmentCount = 0;
  partCount = 0;
  head: LogState = EMPTY_LOG;
  /** A segment that reads which are not strong do not find yet. */
  lagging = 0;
  readonly #segments: LogSegment[] = [];

  append(version: number, parts: readonly LogPart[] = [], versions: readonly number[] = [version]): void {
    this.#segments.push({
      segment: this.#segments.length + 1,
      kind: 'changes',
      position: version,
      previousPosition: this.#segments.at(-1)?.position ?? 0,
      atMs: 0,
      versions,
      parts,
      expiresAtMs: Number.POSITIVE_INFINITY,
    });
  }

  /** Moves the head to the newest segment. */
  moveHead(): void {
    this.head = this.#segments.reduce((state, segment) => withSegment(state, segment), EMPTY_LOG);
  }

  readonly reads = {
    table: {
      readHead: async () => {
        this.headCount += 1;
        return this.head;
      },
      readAfter: (_: string, segment: number, { strong }: { strong: boolean }) => this.#readAfter(segment, strong),
      readSegment: async (_: string, segment: number) => {
        this.readCount += 1;
        return this.#segments[segment - 1];
      },
      readBitmaps: async () => new Map(),
    },
    parts: {
      read: async (_: string, { bytes }: LogPart) => {
        this.partCount += 1;
        return bytes ?? ('gone' as const);
      },
    },
  };

  async *#readAfter(segment: number, strong: boolean) {
    this.readCount += 1;
    for (let at = segment; at < this.#segments.length; at += 100) {
      const all = this.#segments.slice(at, at + 100);
      const page = strong ? all : all.filter((one) => one.segment !== this.lagging);
      this.segmentCount += page.length;
      yield page;
    }
  }
}

/** A clock that lets promises settle between the timers it fires. */
class SettlingClock extends VirtualClock {
  async advance(ms: number): Promise<void> {
    const untilMs = this.now() + ms;
    await new Promise((resolve) => setImmediate(resolve));
    for (let due = this.nextDueMs(); due !== undefined && due <= untilMs; due = this.nextDueMs()) {
      this.advanceTo(due);
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.advanceTo(untilMs);
  }
}

function bench() {
  const clock = new SettlingClock(0);
  const log = new CountedLog();
  const polling = { fastestMs: 100, livelyMs: 2_000, slowestMs: 1_000 };
  let watchedCount = 0;
  const onWatched = () => {
    watchedCount += 1;
  };
  const tail = new LogTail('pods', log.reads, { clock, polling, onWatched });
  const stop = new AbortController();
  setMaxListeners(100, stop.signal);
  return { clock, log, tail, stop, watched: () => watchedCount };
}

function added(version: number, namespace: string, text = 'first'): Change {
  const object = sample(`object-${version}`, { text });
  const after = { ...object, metadata: { ...object.metadata, namespace, resourceVersion: String(version) } };
  return { type: 'ADDED', resource: 'pods', version, after };
}

describe('following a log', () => {
  test('a poll that finds a later segment without the one before it takes neither', async () => {
    const { clock, log, tail, stop } = bench();
    await tail.refresh();
    const grown = tail.wait(stop.signal);
    log.append(5);
    log.append(6);
    log.lagging = 1;
    await clock.advance(MINUTE_MS);
    expect(tail.state.segment).toBe(0);
    log.lagging = 0;
    await clock.advance(MINUTE_MS);
    await grown;
    const segments = await tail.after(0);
    expect(segments === 'gone' ? segments : segments.map(({ segment }) => segment)).toEqual([1, 2]);
    stop.abort();
  });

  test('idle watches poll once a second together, whatever their number', async () => {
    const { clock, log, tail, stop } = bench();
    await tail.refresh();
    const watchers = Array.from({ length: 50 }, () => tail.wait(stop.signal));
    await clock.advance(MINUTE_MS);
    log.readCount = 0;
    await clock.advance(MINUTE_MS);
    expect(log.readCount).toBeGreaterThan(55);
    expect(log.readCount).toBeLessThanOrEqual(60);
    stop.abort();
    await Promise.all(watchers);
  });

  test('a log counts as watched as long as a watch waits, whether it changes or not', async () => {
    const { clock, tail, stop, watched } = bench();
    await tail.refresh();
    const watching = tail.watch(stop.signal);
    await clock.advance(MINUTE_MS);
    const before = watched();
    await clock.advance(MINUTE_MS);
    expect(watched() - before).toBeGreaterThan(55);
    stop.abort();
    await watching;
    const after = watched();
    await clock.advance(MINUTE_MS);
    expect(watched()).toBe(after);
  });

  test('a list that waits for the log does not count as a watch', async () => {
    const { clock, tail, watched } = bench();
    await tail.refresh();
    const waiting = tail.wait(new AbortController().signal, 3_000);
    await clock.advance(MINUTE_MS);
    await waiting;
    expect(watched()).toBe(0);
  });

  test('the log is not polled while no reader waits', async () => {
    const { clock, log, tail, stop } = bench();
    await tail.refresh();
    const waiting = tail.wait(stop.signal);
    await clock.advance(MINUTE_MS);
    stop.abort();
    await waiting;
    await clock.advance(1_000);
    log.readCount = 0;
    await clock.advance(MINUTE_MS);
    expect(log.readCount).toBe(0);
  });

  test('a change wakes all waiting readers, and a write of this process makes the next poll come sooner', async () => {
    const { clock, log, tail, stop } = bench();
    await tail.refresh();
    let woken = 0;
    const waiting = [1, 2, 3].map(async () => {
      await tail.wait(stop.signal);
      woken += 1;
    });
    await clock.advance(MINUTE_MS);
    log.append(7);
    tail.nudge();
    await clock.advance(100);
    expect(woken).toBe(3);
    expect(tail.state.position).toBe(7);
    await Promise.all(waiting);
  });

  test('for a while after a change the log is polled as often as it may be, and then less and less', async () => {
    const { clock, log, tail, stop } = bench();
    await tail.refresh();
    const first = tail.wait(stop.signal);
    await clock.advance(MINUTE_MS);
    log.append(7);
    await clock.advance(1_000);
    await first;
    const second = tail.wait(stop.signal);
    await clock.advance(100);
    log.readCount = 0;
    await clock.advance(1_000);
    expect(log.readCount).toBeGreaterThanOrEqual(9);
    await clock.advance(MINUTE_MS);
    log.readCount = 0;
    await clock.advance(10_000);
    expect(log.readCount).toBeLessThanOrEqual(10);
    stop.abort();
    await second;
  });

  test('many writes do not make the log be polled more often than the fastest interval', async () => {
    const { clock, log, tail, stop } = bench();
    await tail.refresh();
    const waiting = tail.wait(stop.signal);
    log.readCount = 0;
    for (let n = 0; n < 100; n += 1) {
      tail.nudge();
      await clock.advance(10);
    }
    expect(log.readCount).toBeLessThanOrEqual(10);
    stop.abort();
    await waiting;
  });

  test('concurrent callers share one read that begins after their calls', async () => {
    const { log, tail } = bench();
    await tail.refresh();
    log.readCount = 0;
    const first = tail.refresh();
    log.append(3);
    const others = [tail.refresh(), tail.refresh(), tail.refresh()];
    await Promise.all([first, ...others]);
    expect((await tail.refresh()).position).toBe(3);
    for (const state of await Promise.all(others)) expect(state.position).toBe(3);
    expect(log.readCount).toBe(3);
  });

  test('a tail that was idle reads the head, not all segments since', async () => {
    const { clock, log, tail } = bench();
    for (let version = 1; version <= 10; version += 1) log.append(version);
    await tail.refresh();
    expect(log.segmentCount).toBe(10);
    for (let version = 11; version <= 1_210; version += 1) log.append(version);
    log.moveHead();
    log.append(1_211);
    await clock.advance(10 * MINUTE_MS);
    log.segmentCount = 0;
    expect((await tail.refresh()).position).toBe(1_211);
    expect(log.segmentCount).toBe(1);
  });
});

describe('the segments that a tail keeps', () => {
  test('are limited by their size, and older ones are read again', async () => {
    const { log, tail } = bench();
    const text = 'x'.repeat(100_000);
    for (let version = 1; version <= 600; version += 1) log.append(version, encodeChanges([added(version, 'a', text)]));
    await tail.refresh();
    for (let segment = 0; segment < 600; segment += 1) {
      const [next] = (await tail.after(segment)) as readonly LogSegment[];
      if (next) await tail.changesOf(next, {});
    }
    log.readCount = 0;
    expect(await tail.after(595)).toHaveLength(5);
    expect(log.readCount).toBe(0);
    expect(await tail.after(0)).toHaveLength(100);
    expect(log.readCount).toBe(1);
  });

  test('are decoded once for all readers, and only where the scope may match', async () => {
    const { log, tail } = bench();
    const changes = Array.from({ length: 200 }, (_, n) => added(n + 1, n < 100 ? 'a' : 'b', `${n} `.repeat(3_000)));
    log.append(
      200,
      encodeChanges(changes),
      changes.map(({ version }) => version),
    );
    await tail.refresh();
    const [segment] = (await tail.after(0)) as readonly LogSegment[];
    if (!segment) throw new Error('the segment is missing');
    expect(segment.parts.length).toBeGreaterThan(3);
    expect(await tail.changesOf(segment, { namespace: 'c' })).toEqual([]);
    expect(log.partCount).toBe(0);
    const [one, other] = await Promise.all([
      tail.changesOf(segment, { namespace: 'a' }),
      tail.changesOf(segment, { namespace: 'a' }),
    ]);
    expect(log.partCount).toBeLessThan(segment.parts.length);
    expect(other).toEqual(one);
    expect(one).toEqual(expect.arrayContaining(changes.slice(0, 100)));
    expect(await tail.changesOf(segment, {})).toEqual(changes);
    expect(log.partCount).toBe(segment.parts.length);
  });

  test('a part may hold changes that another segment logged: the versions of the segment decide', async () => {
    const { log, tail } = bench();
    log.append(3, encodeChanges([added(1, 'a'), added(2, 'a'), added(3, 'a')]), [1, 3]);
    await tail.refresh();
    const [segment] = (await tail.after(0)) as readonly LogSegment[];
    expect(segment && (await tail.changesOf(segment, {}))).toEqual([added(1, 'a'), added(3, 'a')]);
  });
});

test('the segment with which the log passed a position is found from anywhere, with few reads', async () => {
  const { log, tail } = bench();
  for (let segment = 1; segment <= 5_000; segment += 1) log.append(segment * 10);
  log.moveHead();
  await tail.refresh();
  for (const position of [0, 1, 9, 10, 11, 25_000, 49_989, 49_990, 49_999]) {
    log.readCount = 0;
    const passing = await tail.passing(position);
    expect(passing).toMatchObject({ segment: Math.floor(position / 10) + 1 });
    expect(log.readCount).toBeLessThan(40);
  }
});
