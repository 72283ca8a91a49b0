import type { SQSRecord } from 'aws-lambda';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { decodeQueueMessage } from '../../../lambdas/adapters/aws/queueMessage.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { answerQueueEvent, type QueueEventDependencies } from '../../../lambdas/functions/sync/answerQueueEvent.ts';
import type { ReceivedMessage } from '../../../lambdas/ports/WorkQueue.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function queueRecord(messageId: string, name: string, receives = 2): SQSRecord {
  return {
    messageId,
    receiptHandle: `receipt-${messageId}`,
    body: JSON.stringify({ controller: 'deployment', namespace: 'default', name }),
    attributes: {
      SentTimestamp: '1000',
      ApproximateFirstReceiveTimestamp: '1500',
      ApproximateReceiveCount: `${receives}`,
    },
    messageAttributes: {},
  } as unknown as SQSRecord;
}

describe('a batch of the work queue', () => {
  /** What is done with a batch, in order. Syncs of one call are shown together. */
  function answering(outcomeOf: (name: string) => 'keep' | 'acknowledge' = () => 'acknowledge') {
    const done: string[] = [];
    const clock = new VirtualClock(0);
    const names = (messages: readonly ReceivedMessage[]) => messages.map(({ key }) => key.name).join('+');
    const dependencies: QueueEventDependencies = {
      sync: async (messages) => {
        if (messages.length > 0) done.push(`sync ${names(messages)}`);
        if (names(messages).includes('slow')) clock.advanceBy(9_000);
        return messages.map((message) => ({ message, outcome: outcomeOf(message.key.name) }));
      },
      decode: decodeQueueMessage,
      workQueue: { hide: async (message, ms) => void done.push(`hide ${names([message])} ${ms}`) },
      remove: async (messages) => void done.push(`remove ${names(messages)}`),
      clock,
      log: () => {},
    };
    return { done, answer: (...Records: SQSRecord[]) => answerQueueEvent(dependencies, { Records }) };
  }

  it('tries keys one by one from their third receive, after the others are done and deleted', async () => {
    const { done, answer } = answering((name) => (name === 'b' ? 'keep' : 'acknowledge'));
    const received = [queueRecord('m0', 'a'), queueRecord('m1', 'x', 3), queueRecord('m2', 'b')];
    const response = await answer(...received, queueRecord('m3', 'y', 7), queueRecord('m4', 'x'));
    expect(done).toEqual(['sync a+b', 'hide y 10000', 'remove a', 'sync x+x', 'remove x+x', 'sync y']);
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'm2' }] });
  });

  it('leaves keys whose turn comes late to the queue, which has them again already', async () => {
    const { done, answer } = answering();
    const response = await answer(queueRecord('m0', 'slow', 3), queueRecord('m1', 'y', 3));
    expect(done).toEqual(['hide y 10000', 'sync slow', 'remove slow']);
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
  });

  it('that holds a single key needs no precautions', async () => {
    const { done, answer } = answering();
    await answer(queueRecord('m0', 'x', 5), queueRecord('m1', 'x', 4));
    expect(done).toEqual(['sync x+x']);
  });

  it('keeps only the messages whose keys are not done', async () => {
    const { answer } = answering((name) => (name === 'b' ? 'keep' : 'acknowledge'));
    const response = await answer(...['a', 'b', 'c'].map((name, at) => queueRecord(`m${at}`, name)));
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
  });

  it('passes on when each message was due and how often it was received', async () => {
    const sync = vi.fn(async () => []);
    const unused = { workQueue: { hide: async () => {} }, remove: async () => {}, clock: new VirtualClock(0) };
    await answerQueueEvent(
      { sync, decode: decodeQueueMessage, ...unused, log: () => {} },
      { Records: [queueRecord('m0', 'web')] },
    );
    const key = { controller: 'deployment', namespace: 'default', name: 'web' };
    expect(sync).toHaveBeenCalledWith([
      { key, receipt: 'receipt-m0', dueAtMs: 1000, receivedAtMs: 1500, receiveCount: 2 },
    ]);
  });
});
