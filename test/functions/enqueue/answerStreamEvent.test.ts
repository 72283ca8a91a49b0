import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { answerStreamEvent } from '../../../lambdas/functions/enqueue/answerStreamEvent.ts';
import { MAX_PIECE_LENGTH, type Recorded } from '../../../lambdas/functions/record/createRecordHandler.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('a batch of the stream', () => {
  const changeOf = (version: number) => ({ type: 'ADDED', resource: 'pods', version }) as unknown as Change;
  const recorded: Readonly<Record<string, Recorded>> = {
    s1: { status: 'change', change: changeOf(1), jsonLength: 100 },
    s2: { status: 'none' },
    s3: { status: 'unreadable', resource: 'pods', why: 'garbage' },
    s4: { status: 'change', change: changeOf(2), jsonLength: 100 },
  };
  const event = {
    Records: Object.keys(recorded).map((SequenceNumber) => ({ dynamodb: { SequenceNumber } })),
  } as DynamoDBStreamEvent;
  const decode = ({ dynamodb }: DynamoDBRecord) =>
    recorded[dynamodb?.SequenceNumber ?? ''] ?? { status: 'none' as const };

  it('passes on its changes, and skips other and unreadable records, which `record` handles', async () => {
    const enqueue = vi.fn(async () => []);
    expect(await answerStreamEvent({ enqueue, decode }, event)).toEqual({ batchItemFailures: [] });
    expect(enqueue).toHaveBeenCalledWith([changeOf(1), changeOf(2)]);
  });

  it('passes on changes of large objects in pieces', async () => {
    const enqueue = vi.fn(async (changes: readonly Change[]) => changes.slice(1));
    const large = ({ dynamodb }: DynamoDBRecord): Recorded => {
      const says = recorded[dynamodb?.SequenceNumber ?? ''];
      return says?.status === 'change' ? { ...says, jsonLength: MAX_PIECE_LENGTH } : { status: 'none' };
    };
    expect(await answerStreamEvent({ enqueue, decode: large }, event)).toEqual({ batchItemFailures: [] });
    expect(enqueue.mock.calls).toEqual([[[changeOf(1)]], [[changeOf(2)]]]);
  });

  it('names the records whose keys could not be queued by their sequence numbers', async () => {
    const enqueue = async (changes: readonly Change[]) => changes.slice(1);
    expect(await answerStreamEvent({ enqueue, decode }, event)).toEqual({
      batchItemFailures: [{ itemIdentifier: 's4' }],
    });
  });
});
