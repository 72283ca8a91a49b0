import {
  type AttributeValue,
  BatchGetItemCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { type IndexName, indexValues } from '../../objects/indexes.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { DynamoDbCalls } from './DynamoDbCalls.ts';
import { decodeObject, indexPrefix, isLive, type ObjectItem, placeOf, versionOf } from './objectItem.ts';

/** BatchGetItem's limit. */
const BATCH = 100;

const INDEX_NAMES = { controller: 'byController', coOwned: 'byCoOwned', selects: 'bySelects' } as const;

export interface RangeQuery {
  readonly resource: GroupResource;
  readonly namespace: string;
  readonly index: { readonly name: IndexName; readonly value: string } | undefined;
  /** Only names after this one. */
  readonly after: string | undefined;
  /** How many objects are wanted at most. */
  readonly wanted: number;
}

export interface RangePage {
  readonly objects: readonly KubernetesObject[];
  /** The versions that were read, including those of tombstones. */
  readonly versions: readonly number[];
}

/** Strongly consistent range reads of one partition. */
export class ObjectQueries {
  readonly #calls: DynamoDbCalls;
  readonly #tableName: string;

  constructor(calls: DynamoDbCalls, tableName: string) {
    this.#calls = calls;
    this.#tableName = tableName;
  }

  /**
   * Yields the objects in pages, by name. Costs one read unit for every 4 KB read: the stored objects and, without an index, the tombstones between them
   * (about 200 bytes each). By `coOwned` and `selects` it costs the entries of the index, and then at least one read unit for each object.
   */
  async *pages(query: RangeQuery): AsyncGenerator<RangePage> {
    let from: Record<string, AttributeValue> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await this.#calls.send((client) =>
        client.send(new QueryCommand({ ...this.#input(query), ...(from && { ExclusiveStartKey: from }) })),
      );
      yield await this.#decode(query, Items);
      from = LastEvaluatedKey;
    } while (from);
  }

  #input(query: RangeQuery): QueryCommandInput {
    const { index, wanted } = query;
    return {
      TableName: this.#tableName,
      ConsistentRead: true,
      ...(index ? indexRange(query, index) : tableRange(query)),
      // The limit counts tombstones too, so a page may hold fewer objects than wanted. The one extra shows whether there are more.
      ...(Number.isFinite(wanted) && { Limit: Math.max(1, wanted + 1) }),
    };
  }

  async #decode({ resource, index }: RangeQuery, items: readonly ObjectItem[]): Promise<RangePage> {
    if (!index) {
      const objects = items.filter(isLive).map((item) => decodeObject(item));
      return { objects, versions: items.map(versionOf) };
    }
    const whole = await this.#withBodies(items);
    const objects = whole.map((item) => decodeObject(item));
    const standing = objects.filter((object) => indexValues(resource, object)[index.name] === index.value);
    return { objects: standing, versions: whole.map(versionOf) };
  }

  /** Returns the whole items of index entries, in the same order, without those that were deleted meanwhile. */
  async #withBodies(entries: readonly ObjectItem[]): Promise<readonly ObjectItem[]> {
    const bare = entries.filter((entry) => !entry['body']);
    if (bare.length === 0) return entries;
    const items = new Map<string | undefined, ObjectItem>();
    for (let at = 0; at < bare.length; at += BATCH) {
      for (const item of await this.#getAll(bare.slice(at, at + BATCH))) items.set(item['name']?.S, item);
    }
    return entries.flatMap((entry) => {
      const item = entry['body'] ? entry : items.get(entry['name']?.S);
      return item && (item['body'] || item['bulk']) ? [item] : [];
    });
  }

  async #getAll(entries: readonly ObjectItem[]): Promise<readonly ObjectItem[]> {
    const items: ObjectItem[] = [];
    let keys: Record<string, AttributeValue>[] = entries.map((entry) => ({
      place: { S: entry['place']?.S ?? '' },
      name: { S: entry['name']?.S ?? '' },
    }));
    for (let attempt = 0; keys.length > 0; attempt += 1) {
      if (attempt > 0) await this.#calls.pause(attempt);
      const request = { [this.#tableName]: { Keys: keys, ConsistentRead: true } };
      const { Responses, UnprocessedKeys } = await this.#calls.send((client) =>
        client.send(new BatchGetItemCommand({ RequestItems: request })),
      );
      items.push(...(Responses?.[this.#tableName] ?? []));
      keys = UnprocessedKeys?.[this.#tableName]?.Keys ?? [];
    }
    return items;
  }
}

function tableRange({ after, ...place }: RangeQuery): Partial<QueryCommandInput> {
  return {
    KeyConditionExpression: `place = :place${after === undefined ? '' : ' AND #name > :after'}`,
    ExpressionAttributeValues: {
      ':place': { S: placeOf(place) },
      ...(after !== undefined && { ':after': { S: after } }),
    },
    ...(after !== undefined && { ExpressionAttributeNames: { '#name': 'name' } }),
  };
}

/** An index is sorted by value, then name. The first string after a name is the name with the lowest character appended. */
function indexRange(query: RangeQuery, index: { name: IndexName; value: string }): Partial<QueryCommandInput> {
  const prefix = indexPrefix(index.value);
  const first = query.after === undefined ? prefix : `${prefix}${query.after}\u0000`;
  return {
    IndexName: INDEX_NAMES[index.name],
    KeyConditionExpression: 'place = :place AND #index BETWEEN :first AND :last',
    ExpressionAttributeNames: { '#index': index.name },
    // The prefix ends in a slash, and `0` is the character after the slash.
    ExpressionAttributeValues: {
      ':place': { S: placeOf(query) },
      ':first': { S: first },
      ':last': { S: `${prefix.slice(0, -1)}0` },
    },
  };
}
