import { describe, expect, test } from 'vitest';
import type { WorkKey } from '../../../lambdas/ports/WorkKey.ts';
import type { ReceivedMessage } from '../../../lambdas/ports/WorkQueue.ts';
import { advance } from '../../support/advance.ts';
import { openSyncBench, WEB } from '../../support/openSyncBench.ts';

const INTENT = { id: 'i1', ownerUid: 'u1', count: 3, deletes: [] };

describe('the sync function', () => {
  test('syncs the key of a message, acknowledges the message, and logs one line', async () => {
    const { queue, controller, lines, work } = openSyncBench();
    await queue.send([{ key: WEB }]);
    expect(await work()).toEqual({ web: 'acknowledge' });
    expect(controller.syncs.map(({ key }) => key)).toEqual([WEB]);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'info',
        msg: 'sync',
        key: 'deployment:default/web',
        outcome: 'done',
        writes: [],
      }),
    ]);
  });

  test("the message of a worker that died waits for the end of the dead worker's lock, and its key is synced then", async () => {
    const { clock, queue, locks, controller, work } = openSyncBench();
    await locks.acquire(WEB, 'dead', clock.now(), clock.now() + 45_000);
    await queue.send([{ key: WEB }]);
    expect(await work()).toEqual({ web: 'keep' });
    await advance(clock, 44_999);
    expect(await work()).toEqual({});
    await advance(clock, 1);
    expect(await work()).toEqual({ web: 'acknowledge' });
    expect(controller.syncs).toHaveLength(1);
  });

  test('a redelivered message whose key is being synced leads to one more sync afterwards', async () => {
    const { queue, controller, handler, receive } = openSyncBench();
    await queue.send([{ key: WEB }]);
    const [message] = (await receive()) as [ReceivedMessage];
    let running = 0;
    controller.onSync = async () => {
      running += 1;
      expect(running).toBe(1);
      if (controller.syncs.length === 1) {
        expect(await handler([{ ...message, receiveCount: 2 }])).toMatchObject([{ outcome: 'keep' }]);
      }
      running -= 1;
      return { status: 'done' };
    };
    expect(await handler([message])).toMatchObject([{ outcome: 'acknowledge' }]);
    // The lock was dirty, so the key was sent again before the release.
    const again = await receive();
    expect(again.map(({ key }) => key)).toEqual([WEB]);
    await handler(again);
    expect(controller.syncs).toHaveLength(2);
  });

  test('a message that comes again and is satisfied is acknowledged without taking or marking the lock, even if another worker holds it', async () => {
    const { clock, queue, locks, controller, handler, receive } = openSyncBench();
    await queue.send([{ key: WEB }]);
    const [waiting] = (await receive()) as [ReceivedMessage];
    await advance(clock, 10);
    await handler([{ ...waiting, receipt: 'later', dueAtMs: clock.now(), receivedAtMs: clock.now() }]);
    await locks.acquire(WEB, 'next', clock.now(), clock.now() + 45_000);
    expect(await handler([{ ...waiting, receiveCount: 2 }])).toMatchObject([{ outcome: 'acknowledge' }]);
    expect(await locks.release(WEB, 'next', { failures: 0 })).toEqual({ status: 'released' });
    expect(controller.syncs).toHaveLength(1);
    const fresh = { ...waiting, dueAtMs: clock.now(), receivedAtMs: clock.now(), receiveCount: 2 };
    expect(await handler([fresh])).toMatchObject([{ outcome: 'acknowledge' }]);
    expect(controller.syncs).toHaveLength(2);
  });

  test('a dirty mark set during the release sends the key again before the lock is free', async () => {
    const { clock, queue, locks, controller, work } = openSyncBench();
    controller.onSync = async () => {
      await locks.acquire(WEB, 'other', clock.now(), clock.now() + 1);
      return { status: 'done' };
    };
    await queue.send([{ key: WEB }]);
    await work();
    controller.onSync = async () => ({ status: 'done' });
    expect(await work()).toEqual({ web: 'acknowledge' });
    expect(await work()).toEqual({});
    expect(controller.syncs).toHaveLength(2);
  });

  test('a message sent again that another worker receives before the release is sent once more', async () => {
    const { clock, queue, locks, controller, handler, receive } = openSyncBench();
    await queue.send([{ key: WEB }]);
    const [message] = (await receive()) as [ReceivedMessage];
    const met = async (receipt: string) =>
      await handler([{ ...message, receipt, dueAtMs: clock.now(), receivedAtMs: clock.now() }]);
    controller.onSync = async () => {
      controller.onSync = async () => ({ status: 'done' });
      await advance(clock, 200);
      expect(await met('event')).toMatchObject([{ outcome: 'keep' }]);
      return { status: 'done' };
    };
    const send = queue.send.bind(queue);
    const sentAgain: string[] = [];
    queue.send = async (keys) => {
      sentAgain.push(...keys.map(({ key }) => key.name));
      // Another worker is so fast that it meets the lock before it is released.
      if (sentAgain.length === 1) expect(await met('early')).toMatchObject([{ outcome: 'keep' }]);
      else await send(keys);
    };
    expect(await handler([message])).toMatchObject([{ outcome: 'acknowledge' }]);
    queue.acknowledge(message);
    expect(sentAgain).toEqual(['web', 'web']);
    expect((await locks.peek(WEB))?.heldUntilMs).toBeUndefined();
    await handler(await receive());
    expect(controller.syncs).toHaveLength(2);
  });

  test('a message due before the last good sync began is acknowledged without a sync', async () => {
    const { clock, queue, controller, handler, receive, work } = openSyncBench();
    await queue.send([{ key: WEB }]);
    const [late] = (await receive()) as [ReceivedMessage];
    await queue.hide(late, 5_000);
    await advance(clock, 1_000);
    await queue.send([{ key: WEB }]);
    await work();
    await advance(clock, 4_000);
    expect(await handler(await receive())).toMatchObject([{ outcome: 'acknowledge' }]);
    expect(controller.syncs).toHaveLength(1);
  });

  test('a key with two delayed wake-ups is synced once, at the earlier time', async () => {
    const { clock, queue, controller, work } = openSyncBench();
    const delays = [60_000, 20_000, 50_000];
    controller.onSync = async () => {
      const delayMs = delays.shift();
      return delayMs === undefined ? { status: 'done' } : { status: 'requeueAfter', delayMs };
    };
    for (const _ of [0, 1, 2]) {
      await queue.send([{ key: WEB }]);
      await work();
    }
    await advance(clock, 19_999);
    expect(await work()).toEqual({});
    await advance(clock, 1);
    expect(await work()).toEqual({ web: 'acknowledge' });
    expect(controller.syncs).toHaveLength(4);
  });

  test('a wake-up beyond the longest delay comes on time', async () => {
    const { clock, queue, controller, work } = openSyncBench();
    const startedAtMs = clock.now();
    controller.onSync = async ({ nowMs }) =>
      nowMs === startedAtMs ? { status: 'requeueAfter', delayMs: 3_000_000 } : { status: 'done' };
    await queue.send([{ key: WEB }]);
    for (let second = 0; second < 3_100; second += 1) {
      await work();
      await advance(clock, 1_000);
    }
    expect(controller.syncs.map(({ start }) => (start.nowMs - startedAtMs) / 1_000)).toEqual([
      0, 300, 1_200, 2_100, 3_000,
    ]);
  });

  test('a sync that still runs at its deadline keeps its lock until the lock ends, and its message comes again then', async () => {
    const { clock, queue, controller, history, work } = openSyncBench();
    controller.onSync = () => new Promise(() => {});
    await queue.send([{ key: WEB }]);
    const outcome = work();
    await new Promise((resolve) => setImmediate(resolve));
    await advance(clock, 30_000);
    expect(await outcome).toEqual({ web: 'keep' });
    expect(history.of(WEB)).toMatchObject([{ outcome: 'stalled' }]);
    controller.onSync = async () => ({ status: 'done' });
    await advance(clock, 14_999);
    expect(await work()).toEqual({});
    await advance(clock, 1);
    expect(await work()).toEqual({ web: 'acknowledge' });
  });

  test('an intent stays with the key until a sync clears it', async () => {
    const { queue, locks, controller, work } = openSyncBench();
    controller.onSync = async (start) => {
      await start.recordIntent(INTENT);
      throw new Error('died in the middle');
    };
    await queue.send([{ key: WEB }]);
    await work();
    expect(await locks.peek(WEB)).toMatchObject({ failures: 1, intent: INTENT });
    controller.onSync = async (start) => {
      expect(start.item.intent).toEqual(INTENT);
      await start.recordIntent(undefined);
      return { status: 'done' };
    };
    await queue.send([{ key: WEB }]);
    await work();
    expect((await locks.peek(WEB))?.intent).toBeUndefined();
  });

  test('clearing an intent costs no write of its own, and is undone if the worker dies before the release', async () => {
    const { queue, locks, controller, work } = openSyncBench();
    controller.onSync = async (start) => {
      await start.recordIntent(INTENT);
      await start.recordIntent(undefined);
      expect(await locks.peek(WEB)).toMatchObject({ intent: INTENT });
      return { status: 'done' };
    };
    await queue.send([{ key: WEB }]);
    await work();
    expect((await locks.peek(WEB))?.intent).toBeUndefined();
  });

  test('a worker that lost its lock cannot record an intent, and keeps its message', async () => {
    const { clock, queue, locks, controller, history, work } = openSyncBench();
    controller.onSync = async (start) => {
      await locks.acquire(WEB, 'other', clock.now() + 45_000, clock.now() + 90_000);
      await start.recordIntent(INTENT);
      return { status: 'done' };
    };
    await queue.send([{ key: WEB }]);
    expect(await work()).toEqual({ web: 'keep' });
    expect(history.of(WEB)).toMatchObject([{ outcome: 'lost' }]);
    expect((await locks.peek(WEB))?.intent).toBeUndefined();
  });

  test('messages of one key in one batch lead to one sync', async () => {
    const { clock, controller, handler } = openSyncBench();
    const message = { key: WEB, receipt: 'a', dueAtMs: clock.now(), receivedAtMs: clock.now(), receiveCount: 1 };
    const outcomes = await handler([message, { ...message, receipt: 'b' }]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['acknowledge', 'acknowledge']);
    expect(controller.syncs).toHaveLength(1);
  });

  test('a message of a controller that is switched off is acknowledged', async () => {
    const { clock, handler } = openSyncBench();
    const key: WorkKey = { controller: 'pod', namespace: 'default', name: 'web-1' };
    expect(
      await handler([{ key, receipt: 'a', dueAtMs: clock.now(), receivedAtMs: clock.now(), receiveCount: 1 }]),
    ).toMatchObject([{ outcome: 'acknowledge' }]);
  });

  test('a failing port keeps the message and is logged', async () => {
    const { queue, locks, lines, work } = openSyncBench();
    locks.acquire = async () => {
      throw new Error('throttled');
    };
    await queue.send([{ key: WEB }]);
    expect(await work()).toEqual({ web: 'keep' });
    expect(lines).toMatchObject([{ level: 'error', error: 'Error: throttled' }]);
  });
});
