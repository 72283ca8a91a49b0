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
    ['is done if no record is named as failed', returned(failures()), 'done'],
    ['is done if the answer is empty', returned(null), 'done'],
    ['is retried from the first record that is named as failed', returned(failures('12', '11')), 1],
    ['fails as a whole if an unknown record is named', returned(failures('12', '99')), 0],
    ['fails as a whole if a record is named by an empty string', returned(failures('')), 0],
    ['fails as a whole if the answer is invalid', returned({ batchItemFailures: 'all' }), 0],
    ['fails as a whole if the function fails', FAILED, 0],
    ['fails as a whole if the function is throttled', { status: 'throttled' } as const, 0],
  ])('%s', (_, outcome, expected) => {
    const decided = streamBatchOutcome(outcome, records, true);
    expect(decided.status === 'done' ? 'done' : decided.failedAt).toBe(expected);
  });

  it('is done with any answer if the mapping does not report failures', () => {
    expect(streamBatchOutcome(returned(failures('10')), records, false).status).toBe('done');
  });
});

describe('a batch of a queue', () => {
  const messages = ['a', 'b', 'c'].map((MessageId) => ({ MessageId, ReceiptHandle: '', Body: '', MD5OfBody: '' }));

  it.each([
    ['has the messages deleted that are not named as failed', returned(failures('b')), 'ac'],
    ['is deleted if no message is named as failed', returned(null), 'abc'],
    ['stays if an unknown message is named', returned(failures('z')), ''],
    ['stays if the function fails', FAILED, ''],
  ])('%s', (_, outcome, done) => {
    const left = doneMessages(outcome, messages, true);
    expect(left.map(({ MessageId }) => MessageId).join('')).toBe(done);
  });

  it('has the format of Lambda`s SQS events', () => {
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
  const patterns = [
    '{"eventName":["INSERT","MODIFY"]}',
    '{"dynamodb":{"StreamViewType":["KEYS_ONLY"]}}',
    '{"dynamodb":{"OldImage":{"uid":{"S":[{"exists":true}]}}}}',
  ];
  it.each([
    ['passes a record that matches one pattern', { eventName: 'MODIFY' }, true],
    [
      'passes a record that matches a nested pattern',
      { eventName: 'REMOVE', dynamodb: { StreamViewType: 'KEYS_ONLY' } },
      true,
    ],
    ['drops all other records', { eventName: 'REMOVE' }, false],
    ['passes a record that has what must exist', { dynamodb: { OldImage: { uid: { S: 'u' } } } }, true],
    ['drops a record that has it not', { dynamodb: { OldImage: { dead: { M: {} } } } }, false],
  ])('%s', (_, record, expected) => expect(matchesFilters(record, patterns)).toBe(expected));

  it('passes every record if there are no patterns', () => expect(matchesFilters({}, [])).toBe(true));

  it('fails for an unsupported operator', () => {
    expect(() => matchesFilters({ eventName: 'X' }, ['{"eventName":[{"prefix":"I"}]}'])).toThrow('prefix');
  });
});
