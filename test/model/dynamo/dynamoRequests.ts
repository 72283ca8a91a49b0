import {
  BatchGetItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type ReturnValue,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as fc from '../../support/seededFastCheck.ts';
import {
  ATTRIBUTES,
  comparator,
  condition,
  joined,
  keyText,
  numbered,
  type Part,
  update,
  value,
  type Values,
} from './dynamoExpressions.ts';

/** Some requests on one table: the same ones for both, but for the table's name. */
export type Request = (
  tableName: string,
) =>
  | GetItemCommand
  | PutItemCommand
  | UpdateItemCommand
  | DeleteItemCommand
  | QueryCommand
  | ScanCommand
  | BatchGetItemCommand;

interface Keys {
  /** A whole key. */
  readonly key: fc.Arbitrary<Values>;
  /** The attributes by which indexes are sorted. */
  readonly indexed: fc.Arbitrary<Values>;
  readonly query: fc.Arbitrary<{ readonly keys: Part; readonly IndexName?: string; readonly ConsistentRead: boolean }>;
}

const counted = { ReturnConsumedCapacity: 'TOTAL' } as const;

export function requests({ key, indexed, query }: Keys): fc.Arbitrary<Request> {
  const item = fc
    .tuple(key, indexed, fc.dictionary(fc.constantFrom(...ATTRIBUTES), value))
    .map(([keys, places, others]): Values => ({ ...keys, ...places, ...others }));
  const maybe = fc.option(condition, { nil: undefined });
  const returns = fc.constantFrom<ReturnValue[]>('NONE', 'ALL_OLD', 'ALL_NEW');
  const failed = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(item, maybe).map(([Item, when]): Request => {
        const {
          texts: [ConditionExpression],
          values: ExpressionAttributeValues,
        } = numbered(...(when ? [when] : []));
        return (TableName) =>
          new PutItemCommand({
            TableName,
            Item,
            ConditionExpression,
            ExpressionAttributeValues,
            ReturnValues: 'ALL_OLD',
            ...failed,
            ...counted,
          });
      }),
    },
    {
      weight: 5,
      arbitrary: fc.tuple(key, update, maybe, returns).map(([Key, change, when, ReturnValues]): Request => {
        const {
          texts: [UpdateExpression, ConditionExpression],
          values: ExpressionAttributeValues,
        } = numbered(change, ...(when ? [when] : []));
        return (TableName) =>
          new UpdateItemCommand({
            TableName,
            Key,
            UpdateExpression,
            ConditionExpression,
            ExpressionAttributeValues,
            ReturnValues,
            ...failed,
            ...counted,
          });
      }),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(key, maybe).map(([Key, when]): Request => {
        const {
          texts: [ConditionExpression],
          values: ExpressionAttributeValues,
        } = numbered(...(when ? [when] : []));
        return (TableName) =>
          new DeleteItemCommand({
            TableName,
            Key,
            ConditionExpression,
            ExpressionAttributeValues,
            ReturnValues: 'ALL_OLD',
            ...failed,
            ...counted,
          });
      }),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(key, fc.boolean()).map(
        ([Key, ConsistentRead]): Request =>
          (TableName) =>
            new GetItemCommand({ TableName, Key, ConsistentRead, ...counted }),
      ),
    },
    {
      weight: 1,
      arbitrary: fc
        .uniqueArray(key, { minLength: 1, maxLength: 4, selector: (one) => JSON.stringify(one) })
        .map((Keys): Request => {
          return (TableName) =>
            new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } });
        }),
    },
    {
      weight: 1,
      arbitrary: fc.boolean().map(
        (ConsistentRead): Request =>
          (TableName) =>
            new ScanCommand({ TableName, ConsistentRead, ...counted }),
      ),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(query, maybe, fc.boolean(), fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }))
        .map(([asked, filter, ScanIndexForward, Limit]): Request => {
          const { keys, ...others } = asked;
          const {
            texts: [KeyConditionExpression, FilterExpression],
            values: ExpressionAttributeValues,
          } = numbered(keys, ...(filter ? [filter] : []));
          return (TableName) =>
            new QueryCommand({
              TableName,
              KeyConditionExpression,
              FilterExpression,
              ExpressionAttributeValues,
              ExpressionAttributeNames: namesIn(KeyConditionExpression ?? ''),
              ScanIndexForward,
              Limit,
              ...others,
              ...counted,
            });
        }),
    },
  );
}

function namesIn(expression: string): Record<string, string> | undefined {
  const names = [...expression.matchAll(/#(\w+)/g)].map(([placeholder, name = '']) => [placeholder, name] as const);
  return names.length > 0 ? Object.fromEntries(names) : undefined;
}

const hash = fc.constantFrom('p', 'q');

function textRange(name: string): fc.Arbitrary<Part> {
  const one = (S: string): Part => ({ text: '?', values: [{ S }] });
  const on: Part = { text: `#${name}`, values: [] };
  return fc.oneof(
    fc
      .tuple(
        comparator.filter(({ text }) => text !== '<>'),
        keyText,
      )
      .map(([by, S]) => joined`${on} ${by} ${one(S)}`),
    keyText.map((S) => joined`begins_with(${on}, ${one(S)})`),
    fc.tuple(keyText, keyText).map(([low, high]) => joined`${on} BETWEEN ${one(low)} AND ${one(high)}`),
  );
}

function queryOf(hashName: string, range: fc.Arbitrary<Part>, IndexName?: string): Keys['query'] {
  return fc.tuple(hash, fc.option(range, { nil: undefined }), fc.boolean()).map(([S, part, ConsistentRead]) => {
    const first: Part = { text: `${hashName} = ?`, values: [{ S }] };
    return { keys: part ? joined`${first} AND ${part}` : first, ...(IndexName && { IndexName }), ConsistentRead };
  });
}

export const OBJECTS: Keys = {
  key: fc.tuple(hash, keyText).map(([place, name]) => ({ place: { S: place }, name: { S: name } })),
  indexed: fc.record(
    { controller: keyText.map((S) => ({ S })), coOwned: keyText.map((S) => ({ S })) },
    { requiredKeys: [] },
  ),
  query: fc.oneof(
    queryOf('place', textRange('name')),
    queryOf('place', textRange('controller'), 'byController'),
    queryOf('place', textRange('coOwned'), 'byCoOwned'),
  ),
};

const NUMBERS = fc.integer({ min: -2, max: 12 }).map(String);
export const LOG: Keys = {
  key: fc.tuple(hash, NUMBERS).map(([S, N]) => ({ resource: { S }, segment: { N } })),
  indexed: fc.constant({}),
  query: queryOf(
    '#resource',
    fc
      .tuple(
        comparator.filter(({ text }) => text !== '<>'),
        NUMBERS,
      )
      .map(([by, N]) => joined`#segment ${by} ${{ text: '?', values: [{ N }] }}`),
  ),
};

export const KEYS: Keys = {
  key: keyText.map((S) => ({ key: { S } })),
  indexed: fc.record(
    { overdueShard: hash.map((S) => ({ S })), wakeAt: NUMBERS.map((N) => ({ N })) },
    { requiredKeys: [] },
  ),
  // Entries with one key are in no order, so one limit may give different ones.
  query: queryOf('overdueShard', fc.constant({ text: 'wakeAt < ?', values: [{ N: '5' }] }), 'overdue').map((asked) => ({
    ...asked,
    ConsistentRead: false,
  })),
};
