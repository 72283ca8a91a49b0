import { describe, expect, test } from 'vitest';
import type { SyncOutcome } from '../../../lambdas/controllers/Controller.ts';
import type { WorkKey } from '../../../lambdas/ports/WorkKey.ts';
import type { ReceivedMessage } from '../../../lambdas/ports/WorkQueue.ts';
import { advance } from '../../support/advance.ts';
import { openSyncBench, WEB } from '../../support/openSyncBench.ts';

const API: WorkKey = { controller: 'deployment', namespace: 'default', name: 'api' };

describe('a sync that fails', () => {
  test('a sync that throws is retried with client-go`s backoff, and a success resets its failures', async () => {
    const { clock, queue, locks, controller, history, work } = openSyncBench();
    controller.onSync = async () => {
      throw new Error('no pods today');
    };
    await queue.send([{ key: WEB }]);
    const triedAtMs: number[] = [];
    for (let ms = 0; ms < 100; ms += 1) {
      if ('web' in (await work())) triedAtMs.push(ms);
      await advance(clock, 1);
    }
    expect(triedAtMs).toEqual([0, 5, 15, 35, 75]);
    expect(history.of(WEB).at(-1)).toMatchObject({ outcome: 'failed', failures: 5, error: 'no pods today' });
    controller.onSync = async () => ({ status: 'done' });
    await advance(clock, 100);
    expect(await work()).toEqual({ web: 'acknowledge' });
    expect(await locks.peek(WEB)).toMatchObject({ failures: 0 });
  });

  describe('whose message another worker has deleted meanwhile', () => {
    /** Syncs the key of a message that somebody else deletes during the sync; returns how often it is synced in all. */
    async function syncsOf(bench: ReturnType<typeof openSyncBench>, end: () => Promise<SyncOutcome>): Promise<number> {
      const { clock, queue, controller, handler, receive, work } = bench;
      await queue.send([{ key: WEB }]);
      const [message] = (await receive()) as [ReceivedMessage];
      controller.onSync = async () => {
        controller.onSync = async () => ({ status: 'done' });
        queue.acknowledge(message);
        return await end();
      };
      expect(await handler([message])).toMatchObject([{ outcome: 'keep' }]);
      await advance(clock, 60_000);
      await work();
      return controller.syncs.length;
    }

    test('is retried', async () => {
      const failing = () => Promise.reject(new Error('no pods today'));
      expect(await syncsOf(openSyncBench(), failing)).toBe(2);
    });

    test('is retried when its time is over', async () => {
      const bench = openSyncBench();
      const stalling = async () => {
        await advance(bench.clock, 40_000);
        return { status: 'done' } as const;
      };
      expect(await syncsOf(bench, stalling)).toBe(2);
    });

    test('is retried when its lock may not have been released', async () => {
      const bench = openSyncBench();
      const { locks } = bench;
      const release = locks.release.bind(locks);
      locks.release = async (...given) => {
        locks.release = release;
        await release(...given);
        throw new Error('timed out');
      };
      expect(await syncsOf(bench, () => Promise.reject(new Error('no pods today')))).toBe(2);
    });
  });

  test('a poisoned key delays no other key', async () => {
    const { queue, controller, work } = openSyncBench();
    controller.onSync = async (_, key) => {
      if (key.name === 'web') throw new Error('poisoned');
      return { status: 'done' };
    };
    await queue.send([{ key: WEB }, { key: API }]);
    expect(await work()).toEqual({ web: 'keep', api: 'acknowledge' });
  });

  test('a Deployment is given up after 15 retries, as a dead letter with an alarm', async () => {
    const { clock, queue, locks, controller, alarms, work } = openSyncBench(15);
    controller.onSync = async () => {
      throw new Error('never');
    };
    await queue.send([{ key: WEB }]);
    for (let retry = 0; retry < 40; retry += 1) {
      await work();
      await advance(clock, 100_000);
    }
    expect(controller.syncs).toHaveLength(16);
    expect(queue.deadLetters()).toMatchObject([{ key: WEB, why: 'failed 16 times in a row' }]);
    expect(alarms).toEqual(['web']);
    expect(await locks.peek(WEB)).toEqual({ failures: 0 });
  });

  test('a key without a limit is retried for ever, even beyond the queue`s own limit, with one alarm', async () => {
    const { clock, queue, controller, alarms, work } = openSyncBench();
    controller.onSync = async () => {
      throw new Error('never');
    };
    await queue.send([{ key: WEB }]);
    for (let retry = 0; retry < 150; retry += 1) {
      await work();
      await advance(clock, 1_000_000);
    }
    expect(controller.syncs).toHaveLength(150);
    expect(queue.deadLetters()).toEqual([]);
    expect(alarms).toEqual(['web']);
  });

  test('after a conflict a sync observes again at once, three times, before the conflict counts as a failure', async () => {
    const { queue, locks, controller, work } = openSyncBench();
    controller.onSync = async () => ({ status: controller.syncs.length <= 3 ? 'conflict' : 'done' });
    await queue.send([{ key: WEB }]);
    expect(await work()).toEqual({ web: 'acknowledge' });
    expect(controller.syncs).toHaveLength(4);

    controller.onSync = async () => ({ status: 'conflict' });
    await queue.send([{ key: API }]);
    expect(await work()).toEqual({ api: 'keep' });
    expect(controller.syncs).toHaveLength(8);
    expect(await locks.peek(API)).toMatchObject({ failures: 1 });
  });

  test('after a conflict a sync knows what it has recorded itself, and nothing once it has cleared that', async () => {
    const { queue, controller, work } = openSyncBench();
    const intent = { id: 'i', ownerUid: 'u', count: 1, deletes: [] };
    const known: unknown[] = [];
    controller.onSync = async (context) => {
      known.push(context.item.intent);
      await context.recordIntent(known.length === 1 ? intent : undefined);
      return { status: known.length <= 2 ? 'conflict' : 'done' };
    };
    await queue.send([{ key: WEB }]);
    await work();
    expect(known).toEqual([undefined, intent, undefined]);
  });

  test('a row of conflicts is logged as what it is, not as a failure, and is retried', async () => {
    const { queue, history, controller, lines, work } = openSyncBench();
    controller.onSync = async () => ({ status: 'conflict' });
    await queue.send([{ key: WEB }]);
    expect(await work()).toEqual({ web: 'keep' });
    expect(lines).toMatchObject([{ level: 'info', outcome: 'conflict', conflicts: 3, failures: 1 }]);
    expect(lines[0]).not.toHaveProperty('error');
    expect(history.of(WEB)).toMatchObject([{ outcome: 'conflict' }]);
  });
});

describe('how long a change waited for its sync', () => {
  const causes = new Set(['deployments.apps 7']);

  test.each([
    ['is from its message to the sync', {}, causes, 3_000, 3_000],
    ['does not count the delay that was asked for', { delayMs: 2_000 }, causes, 3_000, 1_000],
    ['is unknown of a key that was queued for another reason', {}, undefined, 3_000, undefined],
  ])('%s', async (_, how, known, waitMs, edgeMs) => {
    const { clock, queue, history, lines, handler, receive } = openSyncBench();
    await queue.send([{ key: WEB, ...how }]);
    await advance(clock, waitMs);
    await handler((await receive()).map((message) => ({ ...message, ...(known && { causes: known }) })));
    expect(history.of(WEB).at(-1)?.edgeMs).toBe(edgeMs);
    expect(lines.find(({ msg }) => msg === 'sync')?.['edgeMs']).toBe(edgeMs);
  });

  test('is not told of a key that waited for its backoff', async () => {
    const { clock, queue, controller, history, handler, receive } = openSyncBench();
    controller.onSync = async () => {
      controller.onSync = async () => ({ status: 'done' });
      throw new Error('once');
    };
    await queue.send([{ key: WEB }]);
    const work = async () => await handler((await receive()).map((message) => ({ ...message, causes })));
    await work();
    await advance(clock, 60_000);
    await work();
    expect(history.of(WEB).map(({ outcome, edgeMs }) => [outcome, edgeMs])).toEqual([
      ['failed', 0],
      ['done', undefined],
    ]);
  });
});
