import { expect, test } from 'vitest';
import { WORK_QUEUE } from '../../../infra/topology.ts';
import { EmbeddedKeyLocks } from '../../../lambdas/adapters/embedded/EmbeddedKeyLocks.ts';
import { EmbeddedWorkQueue } from '../../../lambdas/adapters/embedded/EmbeddedWorkQueue.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { createSyncHandler } from '../../../lambdas/functions/sync/createSyncHandler.ts';
import { CLOUD_SYNC_CONFIG } from '../../../lambdas/functions/sync/SyncConfig.ts';
import type { Clock } from '../../../lambdas/ports/Clock.ts';
import { MAX_LOCK_MS } from '../../../lambdas/ports/KeyLocks.ts';
import type { WorkKey } from '../../../lambdas/ports/WorkKey.ts';
import { advance } from '../../support/advance.ts';
import { FakeController } from '../../support/FakeController.ts';

const START_MS = Date.UTC(2026, 0, 1);
const WEB: WorkKey = { controller: 'deployment', namespace: 'default', name: 'web' };
const HOURS_MS = 2 * 3_600_000;
const OFFSETS_MS = [0, -20_000, 20_000, -HOURS_MS, HOURS_MS];
const PAIRS = OFFSETS_MS.flatMap((firstMs) => OFFSETS_MS.map((secondMs) => [firstMs, secondMs] as const));

/** Workers in processes of their own, whose clocks are off by whatever a test says. The queue's clock is right. */
function setUp() {
  const clock = new VirtualClock(START_MS);
  const queue = new EmbeddedWorkQueue({ ...WORK_QUEUE, clock });
  const locks = new EmbeddedKeyLocks();
  const controller = new FakeController();
  let holders = 0;

  function worker(offsetMs: number) {
    const own: Clock = {
      now: () => clock.now() + offsetMs,
      steadyMs: () => clock.steadyMs(),
      setTimer: (delayMs, wake) => clock.setTimer(delayMs, wake),
    };
    const handler = createSyncHandler({
      ports: {
        clock: own,
        workClock: own,
        workQueue: queue,
        keyLocks: locks,
        ids: { uid: () => `holder-${(holders += 1)}`, nameSuffix: () => 'bcdfg', random: () => 0 },
      },
      controllers: [controller],
      config: CLOUD_SYNC_CONFIG,
      metrics: { began: () => () => {}, retried: () => {}, alarmed: () => {} },
      log: () => {},
    });
    return async () => {
      const stop = new AbortController();
      const asked = queue.receive('deployment', stop.signal);
      stop.abort();
      const message = await asked;
      if (!message) return;
      for (const { outcome } of await handler([message])) if (outcome === 'acknowledge') queue.acknowledge(message);
    };
  }

  /** Lets the worker work every 100 ms. */
  async function run(work: () => Promise<void>, ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 100) {
      await work();
      await advance(clock, 100);
    }
  }

  return { clock, queue, locks, controller, worker, run };
}

test.each(PAIRS)(
  'a change after a sync by a clock that is off by %d ms is synced at once by one that is off by %d ms',
  async (firstMs, secondMs) => {
    const { clock, queue, controller, worker, run } = setUp();
    await queue.send([{ key: WEB }]);
    await worker(firstMs)();
    await advance(clock, 10_000);
    await queue.send([{ key: WEB }]);
    await run(worker(secondMs), 100);
    expect(controller.syncs).toHaveLength(2);
  },
);

test.each(PAIRS)(
  'a change during a sync by a clock that is off by %d ms is synced, though its message waits, by one that is off by %d ms',
  async (firstMs, secondMs) => {
    const { clock, queue, controller, worker, run } = setUp();
    controller.onSync = async () => {
      controller.onSync = async () => ({ status: 'done' });
      await advance(clock, 3_000);
      await queue.send([{ key: WEB, delayMs: 30_000 }]);
      return { status: 'done' };
    };
    await queue.send([{ key: WEB }]);
    await worker(firstMs)();
    await run(worker(secondMs), 31_000);
    expect(controller.syncs).toHaveLength(2);
  },
);

test.each(PAIRS)(
  'a wake-up that a clock off by %d ms asked for leads to the next in time by one that is off by %d ms',
  async (firstMs, secondMs) => {
    const { clock, queue, controller, worker, run } = setUp();
    const syncedAtMs: number[] = [];
    controller.onSync = async () => {
      syncedAtMs.push(clock.now() - START_MS);
      const leftMs = [5_000, 3_000][syncedAtMs.length - 1];
      return leftMs === undefined ? { status: 'done' } : { status: 'requeueAfter', delayMs: leftMs };
    };
    await queue.send([{ key: WEB }]);
    await worker(firstMs)();
    await run(worker(secondMs), 10_000);
    expect(syncedAtMs.slice(0, 3)).toEqual([0, 5_000, 8_000]);
  },
);

test.each(OFFSETS_MS)(
  'the lock of a dead worker whose clock was off by %d ms holds a key no longer than the longest lock',
  async (offsetMs) => {
    const { clock, queue, locks, controller, worker, run } = setUp();
    const theirMs = clock.now() + offsetMs;
    await locks.acquire(WEB, 'dead', theirMs, theirMs + 45_000);
    await queue.send([{ key: WEB }]);
    await run(worker(0), MAX_LOCK_MS);
    expect(controller.syncs).toHaveLength(1);
  },
);
