import { describe, expect, it } from 'vitest';
import type { InvokeOutcome } from '../../../infra/emulation/functions/EmulatedFunction.ts';
import { queueRecord } from '../../../infra/emulation/triggers/QueueMapping.ts';
import { matchesFilters } from '../../../infra/emulation/triggers/StreamMapping.ts';
import { doneMessages, streamBatchOutcome } from '../../../infra/emulation/triggers/batchOutcome.ts';

const returned = (result: unknown): InvokeOutcome => ({ status: 'returned', result: JSON.stringify(result) });
const FAILED: InvokeOutcome = { status: 'failed', failure: { errorType: 'Error', errorMessage: 'no' } };
const failures = (...items: unknown[]) => ({ batchItemFailures: items.map((itemIdentifier) => ({ itemIdentifier })) });

describe('a batch of a stream', () => {
  const records = ['10', '11', '12'].map((SequenceNumber) => ({ dynamodb: { SequenceNumber } }));

  it.each([
    ['is done when nothing is named', returned(failures()), 'done'],
    ['is done when nothing is answered', returned(null), 'done'],
    ['begins anew at the first record that is named', returned(failures('12', '11')), 1],
    ['fails whole when a record is named that it does not have', returned(failures('12', '99')), 0],
    ['fails whole when a record is named by nothing', returned(failures('')), 0],
    ['fails whole when the answer is none', returned({ batchItemFailures: 'all' }), 0],
    ['fails whole when the function fails', FAILED, 0],
    ['fails whole when the function is throttled', { status: 'throttled' } as const, 0],
  ])('%s', (_, outcome, expected) => {
    const decided = streamBatchOutcome(outcome, records, true);
    expect(decided.status === 'done' ? 'done' : decided.failedAt).toBe(expected);
  });

  it('is done, whatever is answered, if the mapping does not ask', () => {
    expect(streamBatchOutcome(returned(failures('10')), records, false).status).toBe('done');
  });
});

describe('a batch of a queue', () => {
  const messages = ['a', 'b', 'c'].map((MessageId) => ({ MessageId, ReceiptHandle: '', Body: '', MD5OfBody: '' }));

  it.each([
    ['loses what is not named', returned(failures('b')), 'ac'],
    ['loses everything when nothing is named', returned(null), 'abc'],
    ['stays when a message is named that it does not have', returned(failures('z')), ''],
    ['stays when the function fails', FAILED, ''],
  ])('%s', (_, outcome, done) => {
    const left = doneMessages(outcome, messages, true);
    expect(left.map(({ MessageId }) => MessageId).join('')).toBe(done);
  });

  it('comes in the shape that Lambda gives it', () => {
    const message = {
      MessageId: 'm',
      ReceiptHandle: 'r',
      Body: 'text',
      MD5OfBody: 'md5',
      Attributes: { ApproximateReceiveCount: '2', SentTimestamp: '5' },
      MessageAttributes: { delaySeconds: { StringValue: '1', DataType: 'Number' } },
    };
    expect(queueRecord(message, 'arn:aws:sqs:us-east-1:000000000000:work')).toEqual({
      messageId: 'm',
      receiptHandle: 'r',
      body: 'text',
      attributes: { ApproximateReceiveCount: '2', SentTimestamp: '5' },
      messageAttributes: {
        delaySeconds: { stringValue: '1', stringListValues: [], binaryListValues: [], dataType: 'Number' },
      },
      md5OfBody: 'md5',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:work',
      awsRegion: 'us-east-1',
    });
  });
});

describe('a filter', () => {
  const patterns = ['{"eventName":["INSERT","MODIFY"]}', '{"dynamodb":{"StreamViewType":["KEYS_ONLY"]}}'];
  it.each([
    ['passes what matches one pattern', { eventName: 'MODIFY' }, true],
    ['passes what matches inside', { eventName: 'REMOVE', dynamodb: { StreamViewType: 'KEYS_ONLY' } }, true],
    ['holds back the rest', { eventName: 'REMOVE' }, false],
  ])('%s', (_, record, expected) => expect(matchesFilters(record, patterns)).toBe(expected));

  it('passes everything when there is none', () => expect(matchesFilters({}, [])).toBe(true));

  it('says so when it is of a kind that is not known', () => {
    expect(() => matchesFilters({ eventName: 'X' }, ['{"eventName":[{"prefix":"I"}]}'])).toThrow('prefix');
  });
});
