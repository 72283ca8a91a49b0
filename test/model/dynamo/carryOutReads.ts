import type {
  BatchGetItemCommandInput,
  GetItemCommandInput,
  KeysAndAttributes,
  QueryCommandInput,
  ScanCommandInput,
} from '@aws-sdk/client-dynamodb';
import { DYNAMODB } from '../publishedLimits.ts';
import { assertCondition } from './assertCondition.ts';
import type { Item } from './attributeValues.ts';
import type { DynamoTable } from './DynamoTable.ts';
import { evaluateCondition, nameOf } from './evaluateCondition.ts';
import { compileCondition, compileProjection, scopeOf } from './expressions.ts';
import type { Path, Scope } from './ExpressionReader.ts';
import { keyRange } from './keyRange.ts';
import { queryTable } from './queryTable.ts';
import { scanTable } from './scanTable.ts';
import { isThrottled, validationError } from './serviceErrors.ts';
import type { Shape } from './TableShape.ts';
import type { TableWorld } from './TableWorld.ts';

const NOTHING: Item = Object.freeze({});

export function carryOutGet(table: DynamoTable, input: GetItemCommandInput): object {
  const projection = compileProjection(input.ProjectionExpression);
  const scope = scopeOf(input, projection);
  const { item, readUnits } = table.get(input.Key ?? NOTHING, input.ConsistentRead === true, 'get');
  return {
    $metadata: {},
    ...(item && { Item: projected(item, projection?.expression, scope) }),
    ...consumed(input, readUnits),
  };
}

export function carryOutQuery(table: DynamoTable, world: TableWorld, input: QueryCommandInput): object {
  const [keys, filter] = [compileCondition(input.KeyConditionExpression), compileCondition(input.FilterExpression)];
  const projection = compileProjection(input.ProjectionExpression);
  const scope = scopeOf(input, keys, filter, projection);
  if (!keys)
    throw validationError(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    );
  if (input.Limit !== undefined && input.Limit < 1) throw validationError('Limit must be greater than or equal to 1');
  const shape = shapeOf(table, input.IndexName);
  if (filter) {
    assertCondition(filter.expression, scope);
    assertFilter(filter.roots, shape, scope);
  }
  const { items, lastKey, readUnits } = queryTable(table, world, {
    shape,
    range: keyRange(keys.expression, shape, scope),
    isForward: input.ScanIndexForward !== false,
    isStrong: input.ConsistentRead === true,
    limit: input.Limit ?? Number.POSITIVE_INFINITY,
    startAfter: input.ExclusiveStartKey,
  });
  const kept = filter ? items.filter((item) => evaluateCondition(filter.expression, item, scope)) : items;
  return {
    $metadata: {},
    ...(input.Select !== 'COUNT' && { Items: kept.map((item) => projected(item, projection?.expression, scope)) }),
    Count: kept.length,
    ScannedCount: items.length,
    ...(lastKey && { LastEvaluatedKey: lastKey }),
    ...consumed(input, readUnits),
  };
}

/** Reads the table partition by partition. An index, or a segment of several, is not modelled. */
export function carryOutScan(table: DynamoTable, input: ScanCommandInput): object {
  if (input.IndexName !== undefined || input.TotalSegments !== undefined)
    throw new Error('the model scans whole tables');
  const filter = compileCondition(input.FilterExpression);
  const projection = compileProjection(input.ProjectionExpression);
  const scope = scopeOf(input, filter, projection);
  if (filter) assertCondition(filter.expression, scope);
  const page = scanTable(table, input);
  const kept = filter ? page.items.filter((item) => evaluateCondition(filter.expression, item, scope)) : page.items;
  return {
    $metadata: {},
    Items: kept.map((item) => projected(item, projection?.expression, scope)),
    Count: kept.length,
    ScannedCount: page.items.length,
    ...(page.lastKey && { LastEvaluatedKey: page.lastKey }),
    ...consumed(input, page.readUnits),
  };
}

/** Keys whose partition is throttled, and those behind the largest answer, are returned unprocessed. */
export function carryOutBatchGet(tableOf: (name: string) => DynamoTable, input: BatchGetItemCommandInput): object {
  const requests = Object.entries(input.RequestItems ?? {});
  const count = requests.reduce((sum, [, { Keys = [] }]) => sum + Keys.length, 0);
  if (count === 0 || count > DYNAMODB.batchGetKeys)
    throw validationError('Too many items requested for the BatchGetItem call');
  const budget = { bytes: 0, throttled: undefined as Error | undefined, processed: 0 };
  const parts = requests.map(([name, request]) => {
    const read = readKeys(tableOf(name), request, budget);
    return { name, request, ...read };
  });
  if (budget.processed === 0 && budget.throttled) throw budget.throttled;
  const left = parts.filter(({ unprocessed }) => unprocessed.length > 0);
  return {
    $metadata: {},
    Responses: Object.fromEntries(parts.map(({ name, items }) => [name, items])),
    UnprocessedKeys: Object.fromEntries(
      left.map(({ name, request, unprocessed }) => [name, { ...request, Keys: unprocessed }]),
    ),
  };
}

function readKeys(
  table: DynamoTable,
  { Keys = [], ConsistentRead, ProjectionExpression, ExpressionAttributeNames }: KeysAndAttributes,
  budget: { bytes: number; throttled: Error | undefined; processed: number },
): { readonly items: readonly Item[]; readonly unprocessed: readonly Item[] } {
  const projection = compileProjection(ProjectionExpression);
  const scope = scopeOf({ ExpressionAttributeNames }, projection);
  if (new Set(Keys.map((key) => JSON.stringify(table.shape.placeOf(key)))).size < Keys.length) {
    throw validationError('Provided list of item keys contains duplicates');
  }
  const items: Item[] = [];
  const unprocessed: Item[] = [];
  for (const key of Keys) {
    try {
      if (budget.bytes >= DYNAMODB.batchGetBytes) throw budget.throttled ?? new RangeError('the answer is full');
      const { item, bytes } = table.get(key, ConsistentRead === true, 'batchGet');
      budget.bytes += bytes;
      budget.processed += 1;
      if (item) items.push(projected(item, projection?.expression, scope));
    } catch (error) {
      if (!isThrottled(error) && !(error instanceof RangeError)) throw error;
      if (isThrottled(error)) budget.throttled = error;
      unprocessed.push(key);
    }
  }
  // The service promises no order.
  return { items: items.reverse(), unprocessed };
}

function shapeOf({ shape }: DynamoTable, index: string | undefined): Shape {
  if (index === undefined) return shape.table;
  const found = [...shape.local, ...shape.global].find((one) => one.index === index);
  if (!found) throw validationError(`The table does not have the specified index: ${index}`);
  return found;
}

/** A filter reads attributes that the index carries, and neither of the keys by which it is read. */
function assertFilter(
  roots: ReadonlySet<string>,
  { index, partitionKey, sortKey, carried }: Shape,
  scope: Scope,
): void {
  for (const root of roots) {
    const name = nameOf(root, scope);
    if (name === partitionKey.name || name === sortKey?.name) {
      throw validationError(
        `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`,
      );
    }
    if (carried && !carried.includes(name)) {
      throw validationError(`Secondary index ${index} does not project one or more filter attributes: [${name}]`);
    }
  }
}

/** Returns the attributes that a projection names, or the whole item. */
function projected(item: Item, paths: readonly Path[] | undefined, scope: Scope): Item {
  if (!paths) return item;
  const names = paths.map((path) => {
    if (path.length > 1) throw new Error('the model projects whole attributes only');
    return nameOf(path[0] ?? '', scope);
  });
  return Object.fromEntries(names.flatMap((name) => (item[name] ? [[name, item[name]]] : [])));
}

function consumed(
  { TableName, ReturnConsumedCapacity }: Pick<QueryCommandInput, 'TableName' | 'ReturnConsumedCapacity'>,
  readUnits: number,
) {
  const isCounted = ReturnConsumedCapacity !== undefined && ReturnConsumedCapacity !== 'NONE';
  return isCounted ? { ConsumedCapacity: { TableName, CapacityUnits: readUnits } } : {};
}
