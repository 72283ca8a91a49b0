import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Causes } from '../../../lambdas/ports/Causes.ts';
import type { KeyToSend } from '../../../lambdas/ports/WorkQueue.ts';
import { advance } from '../../support/advance.ts';
import { openSyncBench, WEB } from '../../support/openSyncBench.ts';

const OTHER = { ...WEB, name: 'other' };

function causedBy(version: number): Causes {
  return new Set([`pods ${version}`]);
}

/** A bench in the middle of an invocation that has received the key `web`, whose sync makes changes. */
async function openInvocation({ maxRetries }: { maxRetries?: number } = {}) {
  const bench = openSyncBench(maxRetries);
  const { queue, followUps, controller, handler } = bench;
  const names = () => controller.syncs.map(({ key }) => key.name);
  /** Syncs `web`, which asks for these follow-ups while its lock is held, and then everything that follows. */
  const invoke = async (...keys: readonly KeyToSend[]) => {
    await queue.send([{ key: WEB }]);
    const { onSync } = controller;
    controller.onSync = async () => {
      controller.onSync = onSync;
      await followUps.send(keys);
      return { status: 'done' };
    };
    followUps.begin();
    const messages = await bench.receive();
    const outcomes = await handler(messages);
    for (const { message, outcome } of outcomes) if (outcome === 'acknowledge') queue.acknowledge(message);
    await followUps.ended();
    return outcomes;
  };
  const queued = async () => (await bench.receive()).map(({ key }) => key.name);
  return { ...bench, names, invoke, queued };
}

describe("a key that an invocation's own change concerns", () => {
  test('is synced by the same invocation, without a message, and has seen the change then', async () => {
    const { locks, names, invoke, queued } = await openInvocation();
    await invoke({ key: OTHER, causes: causedBy(4) });
    expect(names()).toEqual(['web', 'other']);
    expect(await locks.peek(OTHER)).toMatchObject({ failures: 0, seen: causedBy(4) });
    expect(await queued()).toEqual([]);
  });

  test('is synced once after the sync that the process has under way, for all changes since', async () => {
    const { controller, locks, names, invoke, queued } = await openInvocation();
    await invoke({ key: WEB, causes: causedBy(4) }, { key: WEB, causes: causedBy(5) });
    expect(names()).toEqual(['web', 'web']);
    expect((await locks.peek(WEB))?.seen).toEqual(new Set([...causedBy(4), ...causedBy(5)]));
    expect(controller.syncs).toHaveLength(2);
    expect(await queued()).toEqual([]);
  });

  test('goes to the queue if ten are under way already', async () => {
    const { names, invoke, queued } = await openInvocation();
    await invoke(...Array.from({ length: 12 }, (_, at) => ({ key: { ...WEB, name: `pod-${at}` } })));
    expect(names()).toHaveLength(11);
    expect(await queued()).toEqual(['pod-10', 'pod-11']);
  });

  test('goes to the queue if its sync might not end before the function must', async () => {
    const { clock, followUps, names, queued } = await openInvocation();
    followUps.begin();
    await advance(clock, 5_001);
    await followUps.send([{ key: OTHER }]);
    await followUps.ended();
    expect(names()).toEqual([]);
    expect(await queued()).toEqual(['other']);
  });

  test('goes to the queue if this process does not let go of its lock', async () => {
    const { clock, controller, followUps, handler, queue, receive, queued } = await openInvocation();
    const asked = new AbortController();
    controller.onSync = async () => {
      await followUps.send([{ key: WEB }]);
      asked.abort();
      return await new Promise(() => {});
    };
    followUps.begin();
    await queue.send([{ key: WEB }]);
    const handled = handler(await receive());
    await once(asked.signal, 'abort');
    await advance(clock, 30_000);
    await handled;
    await followUps.ended();
    await advance(clock, 15_000);
    expect(await queued()).toEqual(['web']);
  });

  test('is queued anew with its back-off if its sync fails', async () => {
    const { clock, controller, locks, invoke, queued } = await openInvocation();
    controller.onSync = async () => {
      throw new Error('no');
    };
    await invoke({ key: OTHER, causes: causedBy(4) });
    expect(await locks.peek(OTHER)).toMatchObject({ failures: 1 });
    expect((await locks.peek(OTHER))?.seen).toBeUndefined();
    await advance(clock, 5);
    expect(await queued()).toEqual(['other']);
  });

  test('is given up after as many failures as a key of the queue', async () => {
    const { clock, controller, queue, locks, invoke } = await openInvocation({ maxRetries: 0 });
    controller.onSync = async () => {
      throw new Error('no');
    };
    await invoke({ key: OTHER });
    expect([...queue.deadLetters()].map(({ key }) => key)).toEqual([OTHER]);
    expect(await locks.peek(OTHER)).toMatchObject({ failures: 0 });
    expect(clock.nextDueMs()).toBeUndefined();
  });

  test("leaves its mark on another worker's lock, so that this one queues it", async () => {
    const { clock, locks, names, invoke, queued } = await openInvocation();
    await locks.acquire(OTHER, 'another', clock.now(), clock.now() + 45_000);
    await invoke({ key: OTHER, causes: causedBy(4) });
    expect(names()).toEqual(['web']);
    expect(await queued()).toEqual([]);
    expect(await locks.release(OTHER, 'another', { failures: 0 })).toMatchObject({ status: 'dirty' });
  });

  test('is satisfied by no earlier sync because of its time', async () => {
    const { clock, handler, queue, receive, names, invoke } = await openInvocation();
    await queue.send([{ key: OTHER }]);
    await handler(await receive());
    await advance(clock, 1);
    await invoke({ key: OTHER, causes: causedBy(4) });
    expect(names()).toEqual(['other', 'web', 'other']);
  });
});
