import { describe, expect, test } from 'vitest';
import { FUNCTIONS } from '../../infra/topology.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { LateHeartbeats } from '../../lambdas/functions/LateHeartbeats.ts';
import { HEARTBEAT_PERIOD_MS, LONGEST_UNREAD_MS } from '../../lambdas/functions/limits.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 0, 2);

/** Records are the times of heartbeats, and `undefined` for all others. */
function watching(request: () => Promise<void> = async () => {}) {
  const clock = new VirtualClock(NOW);
  let requests = 0;
  const heartbeats = new LateHeartbeats<number | undefined>({
    clock,
    timeOf: (record) => record,
    requestGivenUp: async () => {
      await request();
      requests += 1;
    },
    log: () => {},
  });
  return { clock, heartbeats, requests: () => requests };
}

describe('a batch of the stream', () => {
  test.each<[string, readonly (number | undefined)[], number]>([
    ['without heartbeats', [undefined, undefined], 0],
    ['with the heartbeat of a moment ago', [NOW - 1_000, undefined], 0],
    ['with a heartbeat of 21 hours ago', [NOW - 21 * HOUR_MS], 0],
    ['with a heartbeat of 22 hours ago', [undefined, NOW - 22 * HOUR_MS, NOW], 1],
    ['with the heartbeats of an hour, all of them late', [NOW - 23 * HOUR_MS, NOW - 22.5 * HOUR_MS], 1],
  ])('%s', async (_, records, count) => {
    const { heartbeats, requests } = watching();
    await heartbeats.check(records);
    expect(requests()).toBe(count);
  });

  test('asks once for all late heartbeats of an hour', async () => {
    const { clock, heartbeats, requests } = watching();
    for (let minute = 0; minute < 60; minute += 5) {
      await heartbeats.check([clock.now() - 22.5 * HOUR_MS]);
      clock.advanceBy(5 * 60_000);
    }
    expect(requests()).toBe(1);
    await heartbeats.check([clock.now() - 22.5 * HOUR_MS]);
    expect(requests()).toBe(2);
  });

  test('fails if it cannot ask, and asks when it comes again', async () => {
    let isAway = true;
    const { heartbeats, requests } = watching(async () => {
      if (isAway) throw new Error('the queue is away');
    });
    await expect(heartbeats.check([NOW - 23 * HOUR_MS])).rejects.toThrow('the queue is away');
    isAway = false;
    await heartbeats.check([NOW - 23 * HOUR_MS]);
    expect(requests()).toBe(1);
  });
});

test('a late heartbeat reaches a function before Lambda gives it up for its age', () => {
  for (const { trigger } of [FUNCTIONS.record, FUNCTIONS.enqueue])
    expect(LONGEST_UNREAD_MS).toBeLessThan(trigger.maxAgeMs - HEARTBEAT_PERIOD_MS);
});
