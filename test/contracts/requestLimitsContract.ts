import { describe, expect, test } from 'vitest';
import type { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import type { RequestLimits } from '../../lambdas/ports/RequestLimits.ts';

const RATE = { perSecond: 10, burst: 5 };

/** Declares the tests that every RequestLimits passes. `openProcess` opens the same buckets in one more process, or the only one. */
export function requestLimitsContract(
  name: string,
  open: () => { readonly openProcess: () => RequestLimits; readonly clock: VirtualClock },
): void {
  describe(name, () => {
    /** Sends so many requests, one after the other, and returns how many are admitted. */
    const admitted = async (limits: RequestLimits, bucket: string, count: number, rate = RATE) => {
      let sum = 0;
      for (let sent = 0; sent < count; sent += 1)
        if ((await limits.admit(bucket, rate)).status === 'admitted') sum += 1;
      return sum;
    };

    test('admits a burst, and no more', async () => {
      expect(await admitted(open().openProcess(), 'ann', 20)).toBe(5);
    });

    test('admits the burst of requests that come at the same moment', async () => {
      const limits = open().openProcess();
      const answers = await Promise.all(Array.from({ length: 20 }, () => limits.admit('ann', RATE)));
      expect(answers.filter(({ status }) => status === 'admitted')).toHaveLength(5);
    });

    test('admits the burst once in all processes', async () => {
      const { openProcess } = open();
      const counts = [];
      for (let process = 0; process < 4; process += 1) counts.push(await admitted(openProcess(), 'ann', 3));
      expect(counts.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(5);
    });

    test('says when there is a token again, and admits one then', async () => {
      const { openProcess, clock } = open();
      const limits = openProcess();
      await admitted(limits, 'ann', 20);
      const refused = await limits.admit('ann', RATE);
      expect(refused).toEqual({ status: 'limited', retryAfterMs: expect.closeTo(100, 0) });
      clock.advanceBy(1_000);
      expect((await limits.admit('ann', RATE)).status).toBe('admitted');
    });

    test('is full again after a pause, and holds no more than its burst', async () => {
      const { openProcess, clock } = open();
      const limits = openProcess();
      await admitted(limits, 'ann', 20);
      clock.advanceBy(3_600_000);
      expect(await admitted(limits, 'ann', 20)).toBe(5);
    });

    test('keeps the average of a flow that never rests', async () => {
      const { openProcess, clock } = open();
      const limits = openProcess();
      let sum = 0;
      for (let at = 0; at < 2_000; at += 1) {
        sum += await admitted(limits, 'ann', 2);
        clock.advanceBy(50);
      }
      const bound = RATE.perSecond * (100 + limits.slackMs / 1_000) + RATE.burst;
      expect(sum).toBeLessThanOrEqual(bound);
      // What a process takes and cannot spend in time is lost, but no more than a tenth.
      expect(sum).toBeGreaterThan(900);
    });

    test('counts a raised rate at once, also in an empty bucket', async () => {
      const { openProcess, clock } = open();
      const limits = openProcess();
      await admitted(limits, 'ann', 50, { perSecond: 0.1, burst: 40 });
      const raised = { perSecond: 20, burst: 40 };
      clock.advanceBy(limits.slackMs);
      const atOnce = await admitted(limits, 'ann', 100, raised);
      expect(atOnce).toBeLessThanOrEqual(raised.burst);
      clock.advanceBy(2_000);
      expect(atOnce + (await admitted(limits, 'ann', 100, raised))).toBeGreaterThanOrEqual(40);
    });

    test('lets a lowered rate count at once, too', async () => {
      const { openProcess, clock } = open();
      const limits = openProcess();
      await admitted(limits, 'ann', 50, { perSecond: 20, burst: 40 });
      clock.advanceBy(limits.slackMs + 60_000);
      expect(await admitted(limits, 'ann', 50, { perSecond: 1, burst: 5 })).toBe(5);
    });

    test('knows nothing of other buckets', async () => {
      const limits = open().openProcess();
      await admitted(limits, 'flood', 100);
      expect(await admitted(limits, 'ann', 5)).toBe(5);
    });

    test('admits nothing at a rate of none', async () => {
      expect(await open().openProcess().admit('ann', { perSecond: 0, burst: 1 })).toEqual({
        status: 'limited',
        retryAfterMs: Number.POSITIVE_INFINITY,
      });
    });

    test('is exact at high rates, too', async () => {
      const limits = open().openProcess();
      expect(await admitted(limits, 'ann', 3_000, { perSecond: 40_000, burst: 2_000 })).toBe(2_000);
    });

    test('keeps what is missing in a bucket when it has met thousands of others', async () => {
      const limits = open().openProcess();
      await admitted(limits, 'ann', 5);
      for (let other = 0; other < 2_500; other += 1) await limits.admit(`other ${other}`, RATE);
      expect(await admitted(limits, 'ann', 1)).toBe(0);
    });
  });
}
