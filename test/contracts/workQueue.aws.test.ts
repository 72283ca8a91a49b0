import type { SQSClient, SendMessageBatchCommandInput } from '@aws-sdk/client-sqs';
import * as fc from '../support/seededFastCheck.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decodeQueueMessage, encodeQueueMessage } from '../../lambdas/adapters/aws/queue/queueMessage.ts';
import { WORK_QUEUE } from '../../infra/topology.ts';
import { SqsWorkQueue } from '../../lambdas/adapters/aws/queue/SqsWorkQueue.ts';
import { SystemClock } from '../../lambdas/adapters/clocks/SystemClock.ts';
import { SystemIds } from '../../lambdas/adapters/ids/SystemIds.ts';
import type { WorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { ReceivedMessage } from '../../lambdas/ports/WorkQueue.ts';
import { FauxqsQueue } from '../support/FauxqsQueue.ts';
import { workQueueContract } from './workQueueContract.ts';

const VISIBILITY_MS = WORK_QUEUE.visibilityTimeoutMs;
const WEB: WorkKey = { controller: 'deployment', namespace: 'default', name: 'web' };

// The emulator runs in this process, so a fake Date moves the queue's time. Timers stay real, because sockets need them.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

function queueOver(fauxqs: Pick<FauxqsQueue, 'sqs' | 'queueUrl' | 'deadLetterQueueUrl'>): SqsWorkQueue {
  const { sqs, queueUrl, deadLetterQueueUrl } = fauxqs;
  return new SqsWorkQueue({ sqs, queueUrl, deadLetterQueueUrl, clock: new SystemClock(), ids: new SystemIds() });
}

workQueueContract('SqsWorkQueue', async () => {
  const fauxqs = await FauxqsQueue.open(VISIBILITY_MS);
  return {
    queue: queueOver(fauxqs),
    now: () => Date.now(),
    receive: async () => (await fauxqs.receive()).map((record) => decodeQueueMessage(record) as ReceivedMessage),
    acknowledge: ({ receipt }) => fauxqs.delete(receipt),
    pass: async (ms) => void vi.setSystemTime(Date.now() + ms),
    deadLetters: async () =>
      (await fauxqs.receive(fauxqs.deadLetterQueueUrl)).map((record) => decodeQueueMessage(record)?.key.name ?? ''),
    visibilityTimeoutMs: VISIBILITY_MS,
    close: () => fauxqs.close(),
  };
});

/** A queue whose service is a function that answers requests. */
function queueAnswering(answer: (input: SendMessageBatchCommandInput, name: string) => unknown): SqsWorkQueue {
  const sqs = {
    send: async (command: { input: SendMessageBatchCommandInput }) => answer(command.input, command.constructor.name),
  };
  return queueOver({ sqs: sqs as unknown as SQSClient, queueUrl: 'https://work', deadLetterQueueUrl: 'https://dead' });
}

test('each namespace has a fair-queue group of its own, and so have cluster-scoped keys', async () => {
  const groups: unknown[] = [];
  const queue = queueAnswering(({ Entries = [] }) => {
    groups.push(...Entries.map(({ MessageGroupId }) => MessageGroupId));
    return {};
  });
  const keys = ['a', 'b', ''].map((namespace) => ({ key: { ...WEB, namespace } }));
  await queue.send(keys);
  expect(groups).toEqual(['a', 'b', '_cluster']);
});

test('keys are sent in batches of ten, or fewer if they are long', async () => {
  const sizes: number[] = [];
  const queue = queueAnswering(({ Entries = [] }) => {
    sizes.push(Entries.length);
    return {};
  });
  await queue.send(Array.from({ length: 25 }, (_, at) => ({ key: { ...WEB, name: `web-${at}` } })));
  expect(sizes).toEqual([10, 10, 5]);
  sizes.length = 0;
  await queue.send(Array.from({ length: 5 }, () => ({ key: { ...WEB, name: 'x'.repeat(100_000) } })));
  expect(sizes).toEqual([2, 2, 1]);
});

test('only the messages that the service refused are sent again', async () => {
  const sent: string[][] = [];
  const queue = queueAnswering(({ Entries = [] }) => {
    sent.push(Entries.map(({ MessageBody = '' }) => (JSON.parse(MessageBody) as WorkKey).name));
    return sent.length === 1 ? { Failed: [{ Id: Entries[1]?.Id, SenderFault: false, Code: 'InternalError' }] } : {};
  });
  await queue.send(['a', 'b', 'c'].map((name) => ({ key: { ...WEB, name } })));
  expect(sent).toEqual([['a', 'b', 'c'], ['b']]);
});

test.each([
  { fault: 'a message that SQS blames on the sender', SenderFault: true, attempts: 1 },
  { fault: 'a message that SQS refuses six times', SenderFault: false, attempts: 6 },
])('$fault is an error', async ({ SenderFault, attempts }) => {
  let asked = 0;
  const queue = queueAnswering(({ Entries = [] }) => {
    asked += 1;
    return { Failed: Entries.map(({ Id }) => ({ Id, SenderFault, Code: 'Refused', Message: 'no room' })) };
  });
  await expect(queue.send([{ key: WEB }])).rejects.toThrow('SQS accepted 0 of 1 keys: no room');
  expect(asked).toBe(attempts);
});

test.each([
  { delayMs: 0, seconds: undefined },
  { delayMs: 1, seconds: 1 },
  { delayMs: 1_000, seconds: 1 },
  { delayMs: 1_001, seconds: 2 },
  { delayMs: 900_000, seconds: 900 },
  { delayMs: 5_000_000, seconds: 900 },
])('a delay of $delayMs ms is requested as $seconds s', ({ delayMs, seconds }) => {
  expect(encodeQueueMessage({ key: WEB, delayMs }).DelaySeconds).toBe(seconds);
});

test.each([
  { delayMs: 0, seconds: 0 },
  { delayMs: 999, seconds: 0 },
  { delayMs: 1_000, seconds: 1 },
  { delayMs: 1_280, seconds: 2 },
  { delayMs: 1_000_000, seconds: 1_000 },
  { delayMs: 1e9, seconds: 42_300 },
])('a message hidden for $delayMs ms is hidden for $seconds s', async ({ delayMs, seconds }) => {
  const asked: unknown[] = [];
  const queue = queueAnswering((input) => {
    asked.push(input);
    return {};
  });
  await queue.hide({ key: WEB, receipt: 'r1', dueAtMs: 0, receivedAtMs: 0, receiveCount: 1 }, delayMs);
  expect(asked).toEqual([{ QueueUrl: 'https://work', ReceiptHandle: 'r1', VisibilityTimeout: seconds }]);
});

test('hiding a message whose receipt means nothing any more is no error: the message is gone', async () => {
  const fauxqs = await FauxqsQueue.open();
  try {
    const gone = { key: WEB, receipt: 'gone', dueAtMs: 0, receivedAtMs: 0, receiveCount: 1 };
    await expect(queueOver(fauxqs).hide(gone, 5_000)).resolves.toBe('gone');
  } finally {
    await fauxqs.close();
  }
});

test('a dead letter says why the key was given up', async () => {
  const fauxqs = await FauxqsQueue.open();
  try {
    const message = { key: WEB, receipt: 'r1', dueAtMs: 0, receivedAtMs: 0, receiveCount: 16 };
    await queueOver(fauxqs).bury(message, 'failed 16 times in a row');
    const [letter] = await fauxqs.receive(fauxqs.deadLetterQueueUrl);
    expect(letter?.messageAttributes).toEqual({
      why: { stringValue: 'failed 16 times in a row' },
      receiveCount: { stringValue: '16' },
    });
  } finally {
    await fauxqs.close();
  }
});

test('any name survives the queue, even with characters that SQS refuses', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.integer({ min: 0, max: 900_000 }), (name, delayMs) => {
      const key = { controller: 'garbagecollector', namespace: '', name } as const;
      const { MessageBody = '', MessageAttributes = {} } = encodeQueueMessage({ key, delayMs });
      expect(MessageBody).toMatch(/^[\x20-\x7e]+$/);
      const decoded = decodeQueueMessage({
        receiptHandle: 'r1',
        body: MessageBody,
        attributes: { SentTimestamp: '1000', ApproximateFirstReceiveTimestamp: '5000', ApproximateReceiveCount: '1' },
        messageAttributes: Object.fromEntries(
          Object.entries(MessageAttributes).map(([name, { StringValue }]) => [name, { stringValue: StringValue }]),
        ),
      });
      expect(decoded).toEqual({
        key,
        receipt: 'r1',
        dueAtMs: 1000 + Math.ceil(delayMs / 1000) * 1000,
        receivedAtMs: Math.max(5000, 1000 + Math.ceil(delayMs / 1000) * 1000),
        receiveCount: 1,
      });
    }),
  );
});

test.each([
  '',
  'null',
  '[]',
  '"deployment:default/web"',
  '{"controller":7,"namespace":"default","name":"web"}',
  '{"controller":"deployment","namespace":"default"}',
])('a body that is not a key is recognised: %s', (body) => {
  const attributes = {
    SentTimestamp: '1000',
    ApproximateFirstReceiveTimestamp: '5000',
    ApproximateReceiveCount: '1',
  };
  expect(decodeQueueMessage({ receiptHandle: 'r1', body, attributes, messageAttributes: {} })).toBeUndefined();
});
