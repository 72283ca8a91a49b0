import { GetItemCommand, PutItemCommand, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import * as fc from '../support/seededFastCheck.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { KEY_ITEMS_TABLE, LOG_TABLE, OBJECTS_TABLE } from '../../lambdas/adapters/aws/tables.ts';
import { SystemClock } from '../../lambdas/adapters/clocks/SystemClock.ts';
import { Random } from '../simulation/Random.ts';
import { DynamoDbLocal, dynamoDbLocalMissing } from '../support/DynamoDbLocal.ts';
import { UNLIMITED } from './dynamo/DynamoPhysics.ts';
import { DynamoModel } from './DynamoModel.ts';
import { KEYS, LOG, OBJECTS, type Request, requests } from './dynamo/dynamoRequests.ts';
import type { Values } from './dynamo/dynamoExpressions.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 90_000 });

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
      { text: '', size: '0' },
      { text: 'a', size: '1' },
      { text: '\u00e4', size: '1' },
      { text: '\uffee', size: '1' },
      { text: '\u{1f600}', size: '2' },
      { text: '\u00e9\u{1d11e}', size: '3' },
    ])('count the UTF-16 units of a text as its size: $text has $size', async ({ text, size }) => {
      const definition = { partitionKey: { name: 'key', type: 'S' } } as const;
      const { tableName: TableName } = await local.createTable(definition);
      const model = new DynamoModel({ clock: new SystemClock(), random: new Random(1), physics: UNLIMITED });
      model.createTable(TableName, definition);
      for (const { client } of [local, model]) {
        await client.send(new PutItemCommand({ TableName, Item: { key: { S: 'a' }, words: { S: text } } }));
        const { Count } = await client.send(
          new ScanCommand({
            TableName,
            FilterExpression: 'size(words) = :size',
            ExpressionAttributeValues: { ':size': { N: size } },
          }),
        );
        expect(Count).toBe(1);
      }
    });

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
