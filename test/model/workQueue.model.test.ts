import { type SQSClient, SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { decodeQueueMessage } from '../../lambdas/adapters/aws/queue/queueMessage.ts';
import { SqsWorkQueue } from '../../lambdas/adapters/aws/queue/SqsWorkQueue.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { workQueueContract } from '../contracts/workQueueContract.ts';
import { Random } from '../simulation/Random.ts';
import type { QueueFaults, QueueModel } from './sqs/QueueModel.ts';
import { SqsModel } from './sqs/SqsModel.ts';

const VISIBILITY_MS = 90_000;
const CALM = { duplicateMessage: 0, lateMessage: 0, redelivery: 0, lostWakeUp: 0, skewMs: 0 };

function openQueues(faults: QueueFaults = CALM) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const model = new SqsModel({ clock, random: new Random(1), faults: () => faults, onRequest: () => {} });
  const dead = model.createQueue({ url: 'dead', visibilityTimeoutMs: 30_000 });
  const work = model.createQueue({
    url: 'work',
    visibilityTimeoutMs: VISIBILITY_MS,
    redrive: { maxReceives: 3, to: dead },
  });
  const sqs = { send: async (command: object) => model.execute(command) } as unknown as SQSClient;
  const queue = new SqsWorkQueue({ sqs, queueUrl: 'work', deadLetterQueueUrl: 'dead', clock, ids: new SeededIds(1) });
  const receive = async (from: QueueModel) => {
    // Messages become visible by timers, also those without delay.
    clock.advanceBy(0);
    return from.receive(10).flatMap((record) => decodeQueueMessage(record) ?? []);
  };
  return { clock, dead, work, queue, receive };
}

workQueueContract('SqsWorkQueue on the model of SQS', async () => {
  const { clock, dead, work, queue, receive } = openQueues();
  return {
    queue,
    now: () => clock.now(),
    receive: () => receive(work),
    acknowledge: async ({ receipt }) => work.delete(receipt),
    pass: async (ms) => clock.advanceBy(ms),
    deadLetters: async () => (await receive(dead)).map(({ key }) => key.name),
    visibilityTimeoutMs: VISIBILITY_MS,
    close: async () => {},
  };
});

const WEB = { controller: 'deployment', namespace: 'default', name: 'web' } as const;

test('a message that was received too often goes to the dead letters', async () => {
  const { clock, dead, work, queue, receive } = openQueues();
  await queue.send([{ key: WEB }]);
  for (let received = 0; received < 3; received += 1) {
    expect(await receive(work)).toHaveLength(1);
    clock.advanceBy(VISIBILITY_MS);
  }
  expect(await receive(work)).toEqual([]);
  expect((await receive(dead)).map(({ key }) => key)).toEqual([WEB]);
});

test('the model hands out messages twice if it is to', async () => {
  const { work, queue, receive } = openQueues({ ...CALM, duplicateMessage: 1 });
  await queue.send([{ key: WEB }]);
  expect((await receive(work)).map(({ key }) => key)).toEqual([WEB, WEB]);
});

test('what the model refuses of a batch is sent again, and nothing else', async () => {
  const { clock, work, queue, receive } = openQueues({ ...CALM, refusedMessage: 0.3 });
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const progress = { isSent: false };
  const send = async () => {
    await queue.send(names.map((name) => ({ key: { ...WEB, name } })));
    progress.isSent = true;
  };
  const sending = send();
  const sizes = new Set<number>();
  while (!progress.isSent) {
    await new Promise(setImmediate);
    sizes.add(work.size);
    clock.advanceBy(100);
  }
  await sending;
  expect(sizes.size).toBeGreaterThan(1);
  expect((await receive(work)).map(({ key }) => key.name).toSorted()).toEqual(names);
});

test.each([
  ['lost once something stands in for them', true, 2],
  ['kept for good if nothing does', false, 3],
])('only delayed messages of a forgetful sender are %s', (_, isStoodInFor, left) => {
  const model = new SqsModel({
    clock: new VirtualClock(0),
    random: new Random(1),
    faults: () => ({ ...CALM, lostWakeUp: 1 }),
    onRequest: () => {},
  });
  const work = model.createQueue({ url: 'work', visibilityTimeoutMs: VISIBILITY_MS });
  const message = (DelaySeconds: number) =>
    new SendMessageCommand({ QueueUrl: 'work', MessageBody: 'key', DelaySeconds });
  model.forgetful.execute(message(1));
  model.forgetful.execute(message(0));
  model.execute(message(1));
  work.settle(work.messages(), isStoodInFor);
  work.settle(work.messages(), true);
  expect(work.size).toBe(left);
});
