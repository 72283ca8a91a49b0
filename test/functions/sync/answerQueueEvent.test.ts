import type { SQSRecord } from 'aws-lambda';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { decodeQueueMessage } from '../../../lambdas/adapters/aws/queue/queueMessage.ts';
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
  function answering(
    outcomeOf: (name: string) => 'keep' | 'acknowledge' = () => 'acknowledge',
    waiting: SQSRecord[] = [],
  ) {
    const done: string[] = [];
    const clock = new VirtualClock(0);
    const names = (messages: readonly ReceivedMessage[]) => messages.map(({ key }) => key.name).join('+');
    const dependencies: QueueEventDependencies<SQSRecord> = {
      sync: async (messages) => {
        if (messages.length > 0) done.push(`sync ${names(messages)}`);
        if (names(messages).includes('slow')) clock.advanceBy(9_000);
        return messages.map((message) => ({ message, outcome: outcomeOf(message.key.name) }));
      },
      decode: decodeQueueMessage,
      receive: async () => waiting.splice(0, 10),
      fullBatch: 10,
      workQueue: { hide: async (message, ms) => (done.push(`hide ${names([message])} ${ms}`), 'hidden') },
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
    expect(done).toEqual(['sync a+b', 'hide y 10000', 'remove a', 'sync x+x', 'remove x+x', 'sync y', 'remove y']);
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

  describe('that is full', () => {
    const full = (prefix: string, receives = 1) =>
      Array.from({ length: 10 }, (_, at) => queueRecord(`${prefix}${at}`, `${prefix}${at}`, receives));
    const joined = (records: readonly SQSRecord[]) => records.map(({ messageId }) => messageId).join('+');

    it('receives further batches as long as they are full, and deletes what is done of them', async () => {
      const rest = full('c').slice(0, 4);
      const { done, answer } = answering(() => 'acknowledge', [...full('b'), ...rest]);
      expect(await answer(...full('a'))).toEqual({ batchItemFailures: [] });
      const expected = [`sync ${joined(full('a'))}`];
      for (const batch of [full('b'), rest]) expected.push(`sync ${joined(batch)}`, `remove ${joined(batch)}`);
      expect([...done].sort()).toEqual(expected.sort());
    });

    it('leaves the messages in the queue that it received and that are not done', async () => {
      const { done, answer } = answering((name) => (name === 'b3' ? 'keep' : 'acknowledge'), full('b'));
      expect(await answer(...full('a'))).toEqual({ batchItemFailures: [] });
      expect(done).toContain(`remove ${joined(full('b').filter(({ messageId }) => messageId !== 'b3'))}`);
    });

    it('tries suspects that it received alone, after all others, and receives nothing more', async () => {
      const waiting = [...full('b'), queueRecord('x', 'x', 3), ...full('c').slice(1), ...full('d')];
      const { done, answer } = answering(() => 'acknowledge', waiting);
      await answer(...full('a'));
      expect(done.slice(-2)).toEqual(['sync x', 'remove x']);
      expect(waiting.map(({ messageId }) => messageId)).toEqual(full('d').map(({ messageId }) => messageId));
    });

    it('with a suspect receives nothing more', async () => {
      const waiting = full('b');
      await answering(() => 'acknowledge', waiting).answer(...full('a').slice(1), queueRecord('x', 'x', 3));
      expect(waiting).toHaveLength(10);
    });

    it('receives nothing more when three seconds have passed since its start', async () => {
      const waiting = [...full('b'), queueRecord('slow', 'slow'), ...full('c').slice(1), ...full('d')];
      await answering(() => 'acknowledge', waiting).answer(...full('a'));
      expect(waiting).toHaveLength(10);
    });
  });

  it('that is not full receives nothing more', async () => {
    const waiting = [queueRecord('b0', 'b0')];
    await answering(() => 'acknowledge', waiting).answer(queueRecord('a0', 'a0'));
    expect(waiting).toHaveLength(1);
  });

  it('passes on when each message was due and how often it was received', async () => {
    const sync = vi.fn(async () => []);
    const unused = {
      receive: async () => [],
      fullBatch: 10,
      workQueue: { hide: async () => 'hidden' as const },
      remove: async () => {},
      clock: new VirtualClock(0),
    };
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
