import { describe, expect, test } from 'vitest';
import type { RequestRate } from '../../../../lambdas/objects/tokenBucket.ts';
import type { RequestLimits } from '../../../../lambdas/ports/RequestLimits.ts';
import { Random } from '../../../simulation/Random.ts';
import * as fc from '../../../support/seededFastCheck.ts';
import { CLOCKS_DIFFER_MS, LimitsBench } from './LimitsBench.ts';

const RATE = { perSecond: 20, burst: 40 };

const isAdmitted = async (limits: RequestLimits, bucket: string, rate: RequestRate = RATE) =>
  (await limits.admit(bucket, rate)).status === 'admitted';

describe('what request limits cost', () => {
  test('a request now and then costs one write, in whichever process', async () => {
    const bench = new LimitsBench();
    const processes = [bench.openProcess(), bench.openProcess(), bench.openProcess()];
    for (let at = 0; at < 300; at += 1) {
      bench.clock.advanceBy(1_500);
      expect(await isAdmitted(processes[at % 3] as RequestLimits, 'ann')).toBe(true);
    }
    expect(bench.writes).toBe(300);
  });

  test('a process that is busy pays a write for several requests', async () => {
    const bench = new LimitsBench();
    const limits = bench.openProcess();
    let admitted = 0;
    for (let at = 0; at < 1_000; at += 1) {
      if (await isAdmitted(limits, 'ann')) admitted += 1;
      bench.clock.advanceBy(50);
    }
    expect(admitted).toBe(1_000);
    // Five at a time: a quarter of what comes in a second.
    expect(bench.writes).toBeLessThanOrEqual(205);
  });

  test('refusals cost each process at most three writes a second, however many there are', async () => {
    const bench = new LimitsBench();
    const processes = Array.from({ length: 10 }, () => bench.openProcess());
    for (let at = 0; at < 10_000; at += 1) {
      await isAdmitted(processes[at % 10] as RequestLimits, 'flood');
      bench.clock.advanceBy(1);
    }
    expect(bench.writes).toBeLessThanOrEqual(10 * 10 * 3);
  });
});

describe('a bucket that cannot be asked', () => {
  const noAnswer = () => Promise.reject(Object.assign(new Error('no'), { name: 'AccessDeniedException' }));

  test('is admitted by each process for its part of a second, and no more, and the log says so once', async () => {
    const bench = new LimitsBench();
    const processes = Array.from({ length: 10 }, () => bench.openProcess());
    bench.fails = noAnswer;
    for (const limits of processes) {
      const answers = [];
      for (let at = 0; at < 100; at += 1) answers.push(await limits.admit('ann', RATE));
      expect(answers.filter(({ status }) => status === 'admitted')).toHaveLength(RATE.perSecond / 4);
      expect(answers.at(-1)).toEqual({ status: 'limited', retryAfterMs: 1_000 });
    }
    expect(bench.writes).toBe(10);
    expect(bench.reported).toHaveLength(10);
    expect(bench.reported[0]).toMatchObject({ level: 'warn', msg: 'a request limit cannot be read' });
  });

  test('refuses no request now and then, however low the rate is', async () => {
    const bench = new LimitsBench();
    const limits = bench.openProcess();
    bench.fails = noAnswer;
    for (let at = 0; at < 10; at += 1) {
      expect(await isAdmitted(limits, 'ann', { perSecond: 0.5, burst: 1 })).toBe(true);
      bench.clock.advanceBy(1_000);
    }
  });

  test('admits no more than that of requests that come at the same moment', async () => {
    const bench = new LimitsBench();
    const limits = bench.openProcess();
    bench.fails = noAnswer;
    const answers = await Promise.all(Array.from({ length: 100 }, () => isAdmitted(limits, 'ann')));
    expect(answers.filter(Boolean)).toHaveLength(RATE.perSecond / 4);
    expect(bench.writes).toBe(1);
  });

  test('that a flood makes hot admits a part of the rate in each process and second', async () => {
    const bench = new LimitsBench();
    const processes = Array.from({ length: 20 }, () => bench.openProcess());
    const throttled = Object.assign(new Error('hot'), { name: 'ThrottlingException' });
    bench.fails = () => Promise.reject(throttled);
    let admitted = 0;
    for (let at = 0; at < 10_000; at += 5) {
      for (const limits of processes) if (await isAdmitted(limits, 'flood')) admitted += 1;
      bench.clock.advanceBy(5);
    }
    expect(admitted).toBeLessThanOrEqual((20 * 10 * RATE.perSecond) / 4 + 100);
    expect(admitted).toBeGreaterThan(0);
  });

  test('limits again when it answers', async () => {
    const bench = new LimitsBench();
    const limits = bench.openProcess();
    bench.fails = noAnswer;
    await isAdmitted(limits, 'ann');
    bench.fails = undefined;
    bench.clock.advanceBy(1_000);
    let admitted = 0;
    for (let at = 0; at < 100; at += 1) if (await isAdmitted(limits, 'ann')) admitted += 1;
    expect(admitted).toBe(40);
  });

  test('holds no request up for longer than half a second', async () => {
    const bench = new LimitsBench();
    const limits = bench.openProcess();
    bench.fails = () => new Promise(() => {});
    const admission = isAdmitted(limits, 'ann');
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    bench.clock.advanceBy(500);
    expect(await admission).toBe(true);
  });
});

describe('tokens that a process holds', () => {
  /** Forty processes that serve a flow for ten seconds, one after the other, and then stand still. */
  async function withLeases(): Promise<{ readonly bench: LimitsBench; readonly processes: readonly RequestLimits[] }> {
    const bench = new LimitsBench();
    const processes = Array.from({ length: 40 }, () => bench.openProcess(0, 0));
    for (let at = 0; at < 200; at += 1) {
      const limits = processes[Math.floor(at / 5)] as RequestLimits;
      await isAdmitted(limits, 'ann', FAST);
      bench.clock.advanceBy(1);
    }
    return { bench, processes };
  }
  const FAST = { perSecond: 100, burst: 400 };

  test('are lost after a second, and not spent on top of later ones', async () => {
    const { bench, processes } = await withLeases();
    bench.clock.advanceBy(5_000);
    let admitted = 0;
    for (let round = 0; round < 40; round += 1)
      for (const limits of processes) if (await isAdmitted(limits, 'ann', FAST)) admitted += 1;
    expect(admitted).toBeLessThanOrEqual(FAST.burst);
  });
});

/** A process of a run, whose clock is off. Between its arrivals it stands still, as a function's process does. */
const processOf = fc.record({ aheadMs: fc.integer({ min: -CLOCKS_DIFFER_MS / 2, max: CLOCKS_DIFFER_MS / 2 }) });

interface Arrival {
  /** Since the arrival before. */
  readonly afterMs: number;
  readonly process: number;
  /** How many requests come at this moment. */
  readonly count: number;
}

const arrivalOf: fc.Arbitrary<Arrival> = fc.record({
  afterMs: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 3_000 })),
  process: fc.nat(7),
  count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 60 })),
});

const rateOf: fc.Arbitrary<RequestRate> = fc.record({
  perSecond: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(0.5, 3.3, 400)),
  burst: fc.integer({ min: 1, max: 100 }),
});

describe('whatever comes to whatever process', () => {
  test('no time of any length admits more than its rate, the burst and the slack', async () => {
    const property = fc.asyncProperty(
      rateOf,
      fc.array(processOf, { minLength: 1, maxLength: 8 }),
      fc.array(arrivalOf, { minLength: 1, maxLength: 120 }),
      async (rate, clocks, arrivals) => {
        const bench = new LimitsBench();
        const processes = clocks.map(({ aheadMs }) => bench.openProcess(aheadMs));
        const admittedAt: number[] = [];
        for (const { afterMs, process, count } of arrivals) {
          bench.clock.advanceBy(afterMs);
          const limits = processes[process % processes.length] as RequestLimits;
          const answers = await Promise.all(Array.from({ length: count }, () => isAdmitted(limits, 'ann', rate)));
          admittedAt.push(...answers.filter(Boolean).map(() => bench.clock.steadyMs()));
        }
        const { slackMs } = processes[0] as RequestLimits;
        expectBounded(admittedAt, rate, slackMs);
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });

  test('a user who stays below a third of the rate is never refused, while another floods all processes', async () => {
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 1, max: 8 }),
      async (seed, count) => {
        const bench = new LimitsBench();
        const random = new Random(seed);
        const processes = Array.from({ length: count }, () => bench.openProcess());
        const any = () => processes[random.integer(0, count - 1)] as RequestLimits;
        let budget = RATE.burst / 3;
        for (let at = 0; at < 400; at += 1) {
          await isAdmitted(any(), 'flood');
          if (budget >= 1 && random.chance(1 / 3)) {
            budget -= 1;
            expect(await isAdmitted(any(), 'light')).toBe(true);
          }
          const ms = random.integer(0, 39);
          bench.clock.advanceBy(ms);
          budget = Math.min(RATE.burst / 3, budget + (ms * RATE.perSecond) / 3_000);
        }
      },
    );
    await fc.assert(property, { numRuns: 100 });
  });
});

/** For each window from one admitted request to another. */
function expectBounded(admittedAt: readonly number[], { perSecond, burst }: RequestRate, slackMs: number): void {
  for (let first = 0; first < admittedAt.length; first += 1) {
    for (let last = first; last < admittedAt.length; last += 1) {
      const seconds = ((admittedAt[last] ?? 0) - (admittedAt[first] ?? 0) + slackMs) / 1_000;
      const admitted = last - first + 1;
      if (admitted > perSecond * seconds + burst + 0.05)
        expect.fail(`${admitted} requests within ${seconds} s, slack included`);
    }
  }
}
