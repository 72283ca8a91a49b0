import { expect, test } from 'vitest';
import { WORK_QUEUE } from '../../infra/topology.ts';
import { EmbeddedWorkQueue } from '../../lambdas/adapters/embedded/EmbeddedWorkQueue.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import type { WorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { ReceivedMessage } from '../../lambdas/ports/WorkQueue.ts';
import { advance } from '../support/advance.ts';
import { workQueueContract } from './workQueueContract.ts';

const WEB: WorkKey = { controller: 'deployment', namespace: 'default', name: 'web' };

function openQueue(maxReceives: number = WORK_QUEUE.maxReceives) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const queue = new EmbeddedWorkQueue({ ...WORK_QUEUE, clock, maxReceives });
  return { clock, queue };
}

async function receiveAll(queue: EmbeddedWorkQueue): Promise<readonly ReceivedMessage[]> {
  const stop = new AbortController();
  const asked = Array.from({ length: 10 }, () => queue.receive('deployment', stop.signal));
  stop.abort();
  return (await Promise.all(asked)).filter((message) => message !== undefined);
}

workQueueContract('EmbeddedWorkQueue', async () => {
  const { clock, queue } = openQueue();
  return {
    queue,
    now: () => clock.now(),
    receive: () => receiveAll(queue),
    acknowledge: async (message) => queue.acknowledge(message),
    pass: (ms) => advance(clock, ms),
    deadLetters: async () => queue.deadLetters().map(({ key }) => key.name),
    visibilityTimeoutMs: WORK_QUEUE.visibilityTimeoutMs,
    close: async () => queue.close(),
  };
});

test('messages of one key are delivered one at a time, and merge while they wait', async () => {
  const { clock, queue } = openQueue();
  await queue.send([{ key: WEB }]);
  const [first] = (await receiveAll(queue)) as [ReceivedMessage];
  await queue.send([{ key: WEB }]);
  await advance(clock, 10);
  await queue.send([{ key: WEB }]);
  expect(await receiveAll(queue)).toEqual([]);
  expect(queue.depth('deployment')).toBe(1);
  queue.acknowledge(first);
  const again = await receiveAll(queue);
  expect(again.map(({ dueAtMs }) => dueAtMs)).toEqual([clock.now()]);
});

test('a waiting worker receives a delayed message when it is due', async () => {
  const { clock, queue } = openQueue();
  const received = queue.receive('deployment', new AbortController().signal);
  await queue.send([{ key: WEB, delayMs: 750 }]);
  await advance(clock, 749);
  expect(queue.isIdle()).toBe(true);
  await advance(clock, 1);
  expect(await received).toMatchObject({ key: WEB, dueAtMs: clock.now() });
});

test('a worker that stops waiting receives nothing, and no message is lost', async () => {
  const { queue } = openQueue();
  const stop = new AbortController();
  const received = queue.receive('deployment', stop.signal);
  stop.abort();
  await queue.send([{ key: WEB }]);
  expect(await received).toBeUndefined();
  expect(await receiveAll(queue)).toHaveLength(1);
});

test('an acknowledgement after the visibility timeout deletes nothing', async () => {
  const { clock, queue } = openQueue();
  await queue.send([{ key: WEB }]);
  const [late] = (await receiveAll(queue)) as [ReceivedMessage];
  await advance(clock, 90_000);
  queue.acknowledge(late);
  expect(await receiveAll(queue)).toHaveLength(1);
});

test('a message that kills its worker every time becomes a dead letter, and can be redriven', async () => {
  const { clock, queue } = openQueue(3);
  await queue.send([{ key: WEB }]);
  for (let died = 0; died < 3; died += 1) {
    expect(await receiveAll(queue)).toHaveLength(1);
    await advance(clock, 90_000);
  }
  expect(await receiveAll(queue)).toEqual([]);
  expect(queue.deadLetters()).toMatchObject([{ key: WEB, why: 'received 3 times' }]);
  expect(await queue.redrive()).toBe(1);
  expect(await receiveAll(queue)).toMatchObject([{ key: WEB, receiveCount: 1 }]);
});

test('two hidden messages of one key are merged, and the earlier time holds', async () => {
  const { clock, queue } = openQueue();
  await queue.send([{ key: WEB }]);
  const [first] = (await receiveAll(queue)) as [ReceivedMessage];
  await queue.hide(first, 10_000);
  await queue.send([{ key: WEB }]);
  const [second] = (await receiveAll(queue)) as [ReceivedMessage];
  await queue.hide(second, 2_000);
  await advance(clock, 2_000);
  expect(await receiveAll(queue)).toHaveLength(1);
  await advance(clock, 8_000);
  expect(await receiveAll(queue)).toEqual([]);
});

test('the queue is idle when no message is visible and none is being processed', async () => {
  const { queue } = openQueue();
  await queue.send([{ key: WEB }]);
  let isIdle = false;
  const idle = queue.whenIdle().then(() => (isIdle = true));
  const [message] = (await receiveAll(queue)) as [ReceivedMessage];
  await Promise.resolve();
  expect(isIdle).toBe(false);
  queue.acknowledge(message);
  await idle;
  expect(queue.isIdle()).toBe(true);
});

test('a hundred thousand keys take linearithmic time', async () => {
  const { queue } = openQueue();
  const names = Array.from({ length: 100_000 }, (_, at) => `web-${at}`);
  const startedAt = performance.now();
  await queue.send(names.map((name) => ({ key: { ...WEB, name } })));
  const { signal } = new AbortController();
  for (const _ of names) queue.acknowledge((await queue.receive('deployment', signal)) as ReceivedMessage);
  expect(queue.isIdle()).toBe(true);
  // A quadratic queue takes minutes.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
