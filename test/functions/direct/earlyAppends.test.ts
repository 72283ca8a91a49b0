import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { EarlyAppends, type WatchedLog } from '../../../lambdas/functions/direct/EarlyAppends.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';

let clock: VirtualClock;
/** The versions of each append. */
let appended: (readonly number[])[];
let lines: object[];

beforeEach(() => {
  clock = new VirtualClock(1_000_000);
  [appended, lines] = [[], []];
});

function added(version: number): Change {
  const metadata = { name: `web-${version}`, namespace: 'default', uid: 'u', resourceVersion: `${version}` };
  const after = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, creationTimestamp: '2026-01-01T00:00:00Z' } };
  return { type: 'ADDED', resource: 'pods', version, after };
}

function open(log: Partial<WatchedLog> = {}): EarlyAppends {
  const watched: WatchedLog = {
    isWatched: async () => true,
    append: async (_, changes) => {
      appended.push(changes.map(({ version }) => version));
      return true;
    },
    ...log,
  };
  return new EarlyAppends({ log: watched, clock, report: (line) => lines.push(line) });
}

/** Lets time pass until all is over. */
async function flush(early: EarlyAppends, forMs = 100): Promise<void> {
  const flushed = early.flush();
  for (let ms = 0; ms < forMs; ms += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advanceBy(1);
  }
  await flushed;
}

describe('what a process writes', () => {
  test('is appended together', async () => {
    const early = open();
    for (const version of [4, 5]) early.note('pods', () => added(version));
    await flush(early);
    expect(appended).toEqual([[4, 5]]);
  });

  test('is appended no more often than every 20 ms', async () => {
    const early = open();
    for (let ms = 0; ms < 40; ms += 2) {
      early.note('pods', () => added(ms));
      await new Promise((resolve) => setImmediate(resolve));
      clock.advanceBy(2);
    }
    await flush(early);
    expect(appended.length).toBeLessThanOrEqual(3);
    expect(appended.flat()).toHaveLength(20);
  });

  test.each<[string, Partial<WatchedLog>, string]>([
    ['that nobody watches', { isWatched: async () => false }, 'pods'],
    ['of events', {}, 'events'],
    ['of leases', {}, 'leases.coordination.k8s.io'],
  ])('is left to the stream, and not even decoded: what is %s', async (_, log, resource) => {
    const early = open(log);
    early.note(resource, () => {
      throw new Error('decoded');
    });
    await flush(early);
    expect([appended, lines]).toEqual([[], []]);
  });

  test('is left to the stream while many others work', async () => {
    const early = open();
    early.begin(true);
    early.note('pods', () => added(4));
    early.begin(false);
    early.note('pods', () => added(5));
    await flush(early);
    expect(appended).toEqual([[5]]);
  });

  test.each<[string, WatchedLog['append'], object[]]>([
    ['others append all the time', async () => false, []],
    [
      'the log cannot be written',
      () => Promise.reject(new Error('no way')),
      [{ level: 'info', msg: 'changes are left to the stream', resource: 'pods', error: 'Error: no way' }],
    ],
  ])('is left to the stream for a second after %s', async (_, refuse, expected) => {
    let attempts = 0;
    const early = open({
      append: (...asked) => {
        attempts += 1;
        return refuse(...asked);
      },
    });
    early.note('pods', () => added(4));
    await flush(early);
    early.note('pods', () => added(5));
    await flush(early);
    expect(attempts).toBe(1);
    clock.advanceBy(1_000);
    early.note('pods', () => added(6));
    await flush(early);
    expect(attempts).toBe(2);
    expect(lines.slice(0, 1)).toEqual(expected);
  });

  test('holds up the end of an invocation for a second at most', async () => {
    const early = open({ append: () => new Promise(() => {}) });
    early.note('pods', () => added(4));
    await flush(early, 1_100);
  });
});
