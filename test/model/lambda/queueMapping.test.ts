import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { Random } from '../../simulation/Random.ts';
import { Scheduler } from '../../simulation/Scheduler.ts';
import { SqsModel } from '../sqs/SqsModel.ts';
import type { InvokeOutcome } from './FunctionModel.ts';
import { QueueMapping } from './QueueMapping.ts';

const CALM = { duplicateMessage: 0, lateMessage: 0, redelivery: 0, lostWakeUp: 0, skewMs: 0 };
const DONE: InvokeOutcome = { status: 'returned', result: { batchItemFailures: [] } };

/** A queue, and a function that notes when it is given how many messages. */
function openWorld(maxConcurrency: number) {
  const scheduler = new Scheduler(0, new Random(1));
  const parts = { clock: scheduler, random: new Random(2), faults: () => CALM, onRequest: () => {} };
  const sqs = new SqsModel(parts);
  const queue = sqs.createQueue({ url: 'work', visibilityTimeoutMs: 90_000 });
  const invocations: { readonly atMs: number; readonly messages: number }[] = [];
  const invoke = async (event: unknown): Promise<InvokeOutcome> => {
    invocations.push({ atMs: scheduler.now(), messages: (event as SQSEvent).Records.length });
    await scheduler.wait(1_000);
    return DONE;
  };
  const mapping = new QueueMapping({
    ...parts,
    queue,
    target: { invoke },
    batchSize: 10,
    maxConcurrency,
    scheduler,
    onRequest: () => {},
  });
  const send = () => sqs.execute(new SendMessageCommand({ QueueUrl: 'work', MessageBody: 'key' }));
  const rest = async () => {
    while (await scheduler.step(Number.POSITIVE_INFINITY));
  };
  return { invocations, mapping, send, rest, queue };
}

test('a message reaches the function ten to forty milliseconds after it can be received', async () => {
  const { invocations, send, rest } = openWorld(5);
  send();
  await rest();
  const [{ atMs, messages } = { atMs: 0, messages: 0 }] = invocations;
  expect(messages).toBe(1);
  expect(atMs).toBeGreaterThanOrEqual(10);
  expect(atMs).toBeLessThanOrEqual(40);
});

test('no more batches are under way than the greatest concurrency, and all messages are handled', async () => {
  const { invocations, mapping, send, rest, queue } = openWorld(2);
  for (let sent = 0; sent < 50; sent += 1) send();
  await rest();
  expect(invocations.reduce((sum, { messages }) => sum + messages, 0)).toBe(50);
  const underWay = invocations.map(({ atMs }) => invocations.filter((one) => Math.abs(one.atMs - atMs) < 1_000).length);
  expect(Math.max(...underWay)).toBe(2);
  expect([queue.size, mapping.running]).toEqual([0, 0]);
});

test('a trigger begins with five batches at a time, and adds five a second while messages wait', async () => {
  const { invocations, send, rest } = openWorld(1_000);
  for (let sent = 0; sent < 2_000; sent += 1) send();
  await rest();
  const beganMs = invocations[0]?.atMs ?? 0;
  const underWay = (ms: number) =>
    invocations.filter(({ atMs }) => atMs - beganMs <= ms && atMs - beganMs > ms - 1_000).length;
  expect(underWay(150)).toBe(5);
  expect(underWay(2_000)).toBeGreaterThanOrEqual(10);
  expect(underWay(2_000)).toBeLessThanOrEqual(15);
  expect(underWay(4_000)).toBeGreaterThanOrEqual(20);
  expect(underWay(4_000)).toBeLessThanOrEqual(25);
});
