import {
  type AttributeValue,
  BatchGetItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type ReturnValue,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { KEY_ITEMS_TABLE, LOG_TABLE, OBJECTS_TABLE } from '../../lambdas/adapters/aws/tables.ts';
import { SystemClock } from '../../lambdas/adapters/clocks/SystemClock.ts';
import { Random } from '../simulation/Random.ts';
import { DynamoDbLocal, dynamoDbLocalMissing } from '../support/DynamoDbLocal.ts';
import { UNLIMITED } from './dynamo/DynamoPhysics.ts';
import { DynamoModel } from './DynamoModel.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 90_000 });

type Values = Record<string, AttributeValue>;

/** Some requests on one table: the same ones for both, but for the table's name. */
type Request = (
  tableName: string,
) =>
  | GetItemCommand
  | PutItemCommand
  | UpdateItemCommand
  | DeleteItemCommand
  | QueryCommand
  | ScanCommand
  | BatchGetItemCommand;

const text = fc.constantFrom('', 'a', 'ab', 'b', 'ä', '\u{1f600}', '\uffee', 'z'.repeat(1500));
/** Without superfluous zeros, which the service trims and the emulator keeps. */
const number = fc.constantFrom('0', '1', '-1', '2', '10', '-0.5', '12345678901234567890', '0.1');
const keyText = fc.constantFrom('a', 'ab', 'b', 'ä', '\u{1f600}', '\uffee');

const scalar: fc.Arbitrary<AttributeValue> = fc.oneof(
  text.map((S) => ({ S })),
  number.map((N) => ({ N })),
  fc.boolean().map((BOOL) => ({ BOOL })),
  fc.constant({ NULL: true as const }),
  fc.uint8Array({ maxLength: 3 }).map((B) => ({ B })),
);
const set: fc.Arbitrary<AttributeValue> = fc.oneof(
  fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }).map((SS) => ({ SS })),
  fc.uniqueArray(fc.constantFrom('1', '2', '3'), { minLength: 1 }).map((NS) => ({ NS })),
);
const value: fc.Arbitrary<AttributeValue> = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 2, arbitrary: set },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }).map((L) => ({ L })) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('x', 'y'), scalar, { maxKeys: 2 }).map((M) => ({ M })) },
);

const ATTRIBUTES = ['one', 'two', 'three'] as const;
const path = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...ATTRIBUTES) },
  { weight: 1, arbitrary: fc.constantFrom('one.x', 'two.y', 'one[0]', 'three[1]') },
);

/** An expression with its values, which are numbered when expressions are put together. */
interface Part {
  readonly text: string;
  readonly values: readonly AttributeValue[];
}

const operand: fc.Arbitrary<Part> = fc.oneof(
  path.map((text) => ({ text, values: [] })),
  value.map((one) => ({ text: '?', values: [one] })),
);

function joined(texts: TemplateStringsArray, ...parts: readonly Part[]): Part {
  return {
    text: texts.reduce((whole, text, at) => `${whole}${parts[at - 1]?.text ?? ''}${text}`),
    values: parts.flatMap(({ values }) => values),
  };
}

const attributePath: fc.Arbitrary<Part> = path.map((text) => ({ text, values: [] }));
const comparator: fc.Arbitrary<Part> = fc
  .constantFrom('=', '<>', '<', '<=', '>', '>=')
  .map((text) => ({ text, values: [] }));
const given: fc.Arbitrary<Part> = value.map((one) => ({ text: '?', values: [one] }));

const { condition } = fc.letrec<{ condition: Part; test: Part }>((tie) => ({
  test: fc.oneof(
    fc.tuple(attributePath, comparator, operand).map(([a, by, b]) => joined`${a} ${by} ${b}`),
    attributePath.map((a) => joined`attribute_exists(${a})`),
    attributePath.map((a) => joined`attribute_not_exists(${a})`),
    fc
      .tuple(attributePath, fc.constantFrom('a', 'z'))
      .map(([a, S]) => joined`begins_with(${a}, ${{ text: '?', values: [{ S }] }})`),
    fc.tuple(attributePath, scalar).map(([a, one]) => joined`contains(${a}, ${{ text: '?', values: [one] }})`),
    fc
      .tuple(attributePath, fc.constantFrom('S', 'N', 'L', 'SS'))
      .map(([a, S]) => joined`attribute_type(${a}, ${{ text: '?', values: [{ S }] }})`),
    fc
      .tuple(attributePath, comparator, number)
      .map(([a, by, N]) => joined`size(${a}) ${by} ${{ text: '?', values: [{ N }] }}`),
    fc.tuple(attributePath, number, number).map(([a, low, high]) => {
      const [from, to] = [low, high].sort((x, y) => Number(x) - Number(y));
      return joined`${a} BETWEEN ${{ text: '?', values: [{ N: from ?? '' }] }} AND ${{ text: '?', values: [{ N: to ?? '' }] }}`;
    }),
    fc
      .tuple(attributePath, scalar, scalar)
      .map(([a, b, c]) => joined`${a} IN (${{ text: '?', values: [b] }}, ${{ text: '?', values: [c] }})`),
  ),
  condition: fc.oneof(
    { maxDepth: 3 },
    tie('test'),
    fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => joined`(${a} AND ${b})`),
    fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => joined`(${a} OR ${b})`),
    tie('condition').map((a) => joined`NOT ${a}`),
  ),
}));

const setAction: fc.Arbitrary<Part> = fc.oneof(
  given,
  fc.tuple(attributePath, number, fc.constantFrom('+', '-')).map(([a, N, sign]) => {
    return joined`${a} ${{ text: sign, values: [] }} ${{ text: '?', values: [{ N }] }}`;
  }),
  fc.tuple(attributePath, given).map(([a, b]) => joined`if_not_exists(${a}, ${b})`),
  fc.tuple(attributePath, number, number).map(([a, first, more]) => {
    return joined`if_not_exists(${a}, ${{ text: '?', values: [{ N: first }] }}) + ${{ text: '?', values: [{ N: more }] }}`;
  }),
  fc
    .tuple(attributePath, scalar)
    .map(([a, one]) => joined`list_append(${a}, ${{ text: '?', values: [{ L: [one] }] }})`),
  attributePath,
);

const update: fc.Arbitrary<Part> = fc
  .uniqueArray(fc.constantFrom('one', 'two', 'three', 'controller', 'coOwned'), { minLength: 1, maxLength: 3 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) => {
        const target: Part = { text: name, values: [] };
        if (name === 'controller' || name === 'coOwned') {
          return fc.oneof(
            keyText.map((S) => ({ kind: 'SET', part: joined`${target} = ${{ text: '?', values: [{ S }] }}` })),
            fc.constant({ kind: 'REMOVE', part: target }),
          );
        }
        return fc.oneof(
          setAction.map((action) => ({ kind: 'SET', part: joined`${target} = ${action}` })),
          fc.constant({ kind: 'REMOVE', part: target }),
          fc.constantFrom('one.x', 'two[0]').map((text) => ({ kind: 'REMOVE', part: { text, values: [] } })),
          fc
            .oneof(
              set,
              number.map((N) => ({ N })),
            )
            .map((one) => ({ kind: 'ADD', part: joined`${target} ${{ text: '?', values: [one] }}` })),
          set.map((one) => ({ kind: 'DELETE', part: joined`${target} ${{ text: '?', values: [one] }}` })),
        );
      }),
    ),
  )
  .map((actions) => {
    const kinds = ['SET', 'REMOVE', 'ADD', 'DELETE'].flatMap((kind) => {
      const parts = actions.filter((action) => action.kind === kind).map(({ part }) => part);
      return parts.length === 0
        ? []
        : [
            {
              text: `${kind} ${parts.map(({ text }) => text).join(', ')}`,
              values: parts.flatMap(({ values }) => values),
            },
          ];
    });
    return { text: kinds.map(({ text }) => text).join(' '), values: kinds.flatMap(({ values }) => values) };
  });

/** Numbers the values of several expressions of one request. */
function numbered(...parts: readonly Part[]): {
  readonly texts: readonly string[];
  readonly values: Values | undefined;
} {
  const values: Values = {};
  const texts = parts.map(({ text, values: given }) => {
    let at = 0;
    return text.replaceAll('?', () => {
      const name = `:v${Object.keys(values).length}`;
      values[name] = given[at] ?? { S: '' };
      at += 1;
      return name;
    });
  });
  return { texts, values: Object.keys(values).length > 0 ? values : undefined };
}

interface Keys {
  /** A whole key. */
  readonly key: fc.Arbitrary<Values>;
  /** The attributes by which indexes are sorted. */
  readonly indexed: fc.Arbitrary<Values>;
  readonly query: fc.Arbitrary<{ readonly keys: Part; readonly IndexName?: string; readonly ConsistentRead: boolean }>;
}

const counted = { ReturnConsumedCapacity: 'TOTAL' } as const;

function requests({ key, indexed, query }: Keys): fc.Arbitrary<Request> {
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

const OBJECTS: Keys = {
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
const LOG: Keys = {
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

const KEYS: Keys = {
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

interface Outcome {
  LastEvaluatedKey?: Values;
  ConsumedCapacity?: object;
}

/** The emulator keeps the zeros of a sum: 0.5 and -1.5 are -1.0. The service trims them. */
function withoutTrailingZeros(number: string): string {
  return /^-?\d+\.\d+$/.test(number) ? number.replace(/\.?0+$/, '') : number;
}

/** Sets and the items of a batch have no order. The emulator counts nothing for a query that finds nothing, the service its least unit. */
function comparable(answer: unknown, isScan = false): unknown {
  if (Array.isArray(answer)) return answer.map((one) => comparable(one));
  if (answer instanceof Uint8Array) return Buffer.from(answer).toString('hex');
  if (typeof answer !== 'object' || answer === null) return answer;
  const isEmpty = 'ScannedCount' in answer && answer.ScannedCount === 0;
  const left = isEmpty ? ['$metadata', 'ConsumedCapacity'] : ['$metadata'];
  const entries = Object.entries(answer).filter(([name, one]) => !left.includes(name) && one !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    entries.map(([name, one]) => {
      if (name === 'Items' && isScan) return [name, comparableItems(one as object[])];
      if (name === 'Responses') return [name, Object.values(one as Record<string, object[]>).map(comparableItems)];
      if (name === 'N' && typeof one === 'string') return [name, withoutTrailingZeros(one)];
      const isSet = (name === 'SS' || name === 'NS') && Array.isArray(one);
      return [name, isSet ? (one as string[]).toSorted() : comparable(one)];
    }),
  );
}

function comparableItems(items: readonly object[]): readonly string[] {
  return items.map((item) => JSON.stringify(comparable(item))).toSorted();
}

async function outcomeOf(command: object, send: () => Promise<object>): Promise<Outcome> {
  try {
    return comparable(await send(), command instanceof ScanCommand) as Outcome;
  } catch (error) {
    const { name, Item } = error as { name: string; Item?: object };
    return comparable({ error: name, Item }) as Outcome;
  }
}

/** Whether a page that ends at its limit is the last one is known only by another query, unless the emulator sees it earlier. */
async function endsThere(
  model: DynamoModel,
  command: ReturnType<Request>,
  expected: Outcome,
  given: Outcome,
): Promise<boolean> {
  if (!(command instanceof QueryCommand) || expected.LastEvaluatedKey || !given.LastEvaluatedKey) return false;
  const { Items } = await model.client.send(
    new QueryCommand({ ...command.input, ExclusiveStartKey: given.LastEvaluatedKey }),
  );
  return Items?.length === 0;
}

describe.skipIf(dynamoDbLocalMissing)(
  `the model and DynamoDB Local${dynamoDbLocalMissing ? `: ${dynamoDbLocalMissing}` : ''}`,
  () => {
    let local: DynamoDbLocal;
    beforeAll(async () => {
      local = await DynamoDbLocal.start();
    });
    afterAll(() => local?.stop());

    test.each([
      { table: 'objects, with local indexes', definition: OBJECTS_TABLE, keys: OBJECTS },
      { table: 'the log, sorted by numbers', definition: LOG_TABLE, keys: LOG },
      { table: 'keys, with a global index', definition: KEY_ITEMS_TABLE, keys: KEYS },
    ])('give the same answers to any requests: $table', async ({ definition, keys }) => {
      await fc.assert(
        fc.asyncProperty(fc.array(requests(keys), { minLength: 1, maxLength: 40 }), async (asked) => {
          const { tableName } = await local.createTable(definition);
          const model = new DynamoModel({ clock: new SystemClock(), random: new Random(1), physics: UNLIMITED });
          model.createTable(tableName, definition);
          for (const request of asked) {
            const command = request(tableName);
            const expected = await outcomeOf(command, () => local.client.send(command as GetItemCommand));
            const given = await outcomeOf(command, () => model.client.send(request(tableName) as GetItemCommand));
            if (await endsThere(model, command, expected, given)) delete given.LastEvaluatedKey;
            // The emulator counts an entry of a global index when one of its two keys gives way to the other, although the item has no entry before or after.
            if (keys === KEYS) for (const outcome of [expected, given]) delete outcome.ConsumedCapacity;
            expect(given, JSON.stringify(command.input)).toEqual(expected);
          }
        }),
        { numRuns: 30 },
      );
    });
  },
);
