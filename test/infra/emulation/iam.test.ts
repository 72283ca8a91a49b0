import { describe, expect, it } from 'vitest';
import { isAllowed } from '../../../infra/emulation/iam/isAllowed.ts';
import { dynamoDbActions, sqsActions } from '../../../infra/emulation/iam/requestedActions.ts';

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/T';

describe('a role', () => {
  const allow = (Action: string | string[], Resource: string | string[]) => ({
    Effect: 'Allow' as const,
    Action,
    Resource,
  });

  it.each([
    ['allows what it names', [allow('dynamodb:Query', TABLE)], true],
    ['allows what a wildcard names', [allow('dynamodb:*', `${TABLE}*`)], true],
    ['refuses another action', [allow('dynamodb:GetItem', TABLE)], false],
    ['refuses another resource', [allow('dynamodb:Query', `${TABLE}/index/i`)], false],
    ['refuses what it denies', [allow('*', '*'), { Effect: 'Deny' as const, Action: '*', Resource: TABLE }], false],
    ['refuses if it has no statements', [], false],
  ])('%s', (_, statements, expected) => expect(isAllowed(statements, 'dynamodb:Query', TABLE)).toBe(expected));
});

describe('a request', () => {
  it.each([
    ['a table', 'PutItem', { TableName: 'T' }, [['dynamodb:PutItem', TABLE]]],
    ['an index', 'Query', { TableName: 'T', IndexName: 'i' }, [['dynamodb:Query', `${TABLE}/index/i`]]],
    [
      'each part of a transaction',
      'TransactWriteItems',
      { TransactItems: [{ Put: { TableName: 'T' } }, { ConditionCheck: { TableName: 'T' } }] },
      [
        ['dynamodb:PutItem', TABLE],
        ['dynamodb:ConditionCheckItem', TABLE],
      ],
    ],
    [
      'a stream',
      'GetShardIterator',
      { StreamArn: `${TABLE}/stream/1` },
      [['dynamodb:GetShardIterator', `${TABLE}/stream/1`]],
    ],
    [
      'the stream of an iterator',
      'GetRecords',
      { ShardIterator: `${TABLE}/stream/1|1|AAAA` },
      [['dynamodb:GetRecords', `${TABLE}/stream/1`]],
    ],
    ['each table of a batch', 'BatchGetItem', { RequestItems: { T: {} } }, [['dynamodb:BatchGetItem', TABLE]]],
  ])('needs permission for %s', (_, operation, body, expected) => {
    const actions = dynamoDbActions(operation, JSON.stringify(body));
    expect(actions.map(({ action, resource }) => [action, resource])).toEqual(expected);
  });

  it('needs the same permission for a batch of messages as for one', () => {
    const body = JSON.stringify({ QueueUrl: 'http://127.0.0.1:1/000000000000/work' });
    expect(sqsActions('SendMessageBatch', body)).toEqual([
      { action: 'sqs:SendMessage', resource: 'arn:aws:sqs:us-east-1:000000000000:work' },
    ]);
  });
});
