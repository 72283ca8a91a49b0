import { setMaxListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { LogSegment } from '../../../lambdas/adapters/aws/LogSegment.ts';
import { type LogReads, LogTail } from '../../../lambdas/adapters/aws/LogTail.ts';
import { EMPTY_LOG, withSegment } from '../../../lambdas/adapters/aws/logState.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';

const MINUTE_MS = 60_000;

/** A log in memory that counts how often it is asked. */
class CountedLog implements LogReads {
  readCount = 0;
  readonly #segments: LogSegment[] = [];

  append(version: number): void {
    const state = this.#segments.at(-1)?.state ?? EMPTY_LOG;
    this.#segments.push({
      state: withSegment(state, [version], version, 0),
      previousPosition: state.position,
      expiresAtMs: Number.POSITIVE_INFINITY,
      changes: [],
    });
  }

  async readHead() {
    this.readCount += 1;
    return EMPTY_LOG;
  }

  async readAfter(_: string, segment: number) {
    this.readCount += 1;
    return this.#segments.slice(segment);
  }

  async *readBack() {
    yield [...this.#segments].reverse();
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
  const polling = { fastestMs: 100, slowestMs: 1_000 };
  const tail = new LogTail('pods', log, { clock, polling, onAdvance: () => {} });
  const stop = new AbortController();
  setMaxListeners(100, stop.signal);
  return { clock, log, tail, stop };
}

describe('following a log', () => {
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
});
