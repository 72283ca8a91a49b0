import {
  type AttributeValue,
  BatchGetItemCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { type IndexName, indexValues } from '../../../objects/indexes.ts';
import { sleep } from '../../../ports/Clock.ts';
import type { ReadVersion } from '../../../ports/ChangeLog.ts';
import { listed, type ListedObject } from '../../../ports/ObjectStore.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import { type Tombstone, tombstonesOf } from './dropTombstones.ts';
import { assertKnownFormat, decodeObject, indexPrefix, isLive, type ObjectItem } from './objectItem.ts';
import { listedItems } from './ListedItem.ts';
import { endedAmong, isExpired } from './objectLifetime.ts';
import type { ObjectRange } from './objectRanges.ts';

/** BatchGetItem's limit. */
const BATCH = 100;

/** A page without a limit ends at 1 MB. A strong read counts a unit for each 4 KB. */
const UNITS_OF_WHOLE_PAGE = 256;
/** A partition bears 3,000 units a second, and may have two places or more, which several functions read. */
const UNITS_PER_SECOND = 1_000;
const WHOLE_PAGE_MS = (UNITS_OF_WHOLE_PAGE / UNITS_PER_SECOND) * 1_000;

const INDEX_NAMES = { controller: 'byController', coOwned: 'byCoOwned', selects: 'bySelects' } as const;

/** Follows every name that begins like the text before it. */
const LAST_CHARACTER = '\u{10ffff}';

export interface RangePage {
  readonly objects: readonly ListedObject[];
  readonly tombstones: readonly Tombstone[];
  /** The objects that have ended by themselves, and whose items are still there. */
  readonly ended: readonly ReadVersion[];
  /** True if not even a tombstone was read. */
  readonly isEmpty: boolean;
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
   * Yields the objects of a range in pages, by name. Costs one read unit for every 4 KB read: the stored objects and, in a range of names, the tombstones between them
   * (about 150 bytes each). By `coOwned` and `selects` it costs the entries of the index, and then at least one read unit for each object. Without a limit, the pages of 1 MB are at least a quarter of
   * a second apart: the partition of a range serves all other reads and writes of its objects meanwhile.
   */
  async *pages(range: ObjectRange, pageSize: number): AsyncGenerator<RangePage> {
    const { clock } = this.#calls;
    let from: Record<string, AttributeValue> | undefined;
    do {
      const beganMs = clock.steadyMs();
      const { Items = [], LastEvaluatedKey } = await this.#calls.send((client) =>
        client.send(new QueryCommand({ ...this.#input(range, pageSize), ...(from && { ExclusiveStartKey: from }) })),
      );
      yield await this.#decode(range, Items);
      from = LastEvaluatedKey;
      const earlyMs = beganMs + WHOLE_PAGE_MS - clock.steadyMs();
      if (from && !Number.isFinite(pageSize) && earlyMs > 0) await sleep(clock, earlyMs);
    } while (from);
  }

  #input(range: ObjectRange, pageSize: number): QueryCommandInput {
    return {
      TableName: this.#tableName,
      ConsistentRead: true,
      ...(range.by === 'name' ? nameRange(range) : indexRange(range, range.by)),
      // The limit counts tombstones too, so a page may hold fewer objects.
      ...(Number.isFinite(pageSize) && { Limit: pageSize }),
    };
  }

  async #decode({ resource, place, by, lookup }: ObjectRange, items: readonly ObjectItem[]): Promise<RangePage> {
    for (const item of items) assertKnownFormat(item);
    const whole = by === 'name' ? items : await this.#withBodies(items);
    const nowMs = this.#calls.clock.now();
    const live = whole.filter((item) => isLive(item) && !isExpired(item, nowMs));
    const ended = live.length === whole.length ? [] : endedAmong(whole, nowMs);
    // An index may be behind the item, so its values are compared.
    const objects = lookup
      ? live
          .map((item) => decodeObject(item))
          .filter((object) => indexValues(resource, object)[lookup.name] === lookup.value)
          .map(listed)
      : listedItems(place, live);
    return { objects, tombstones: tombstonesOf(whole), ended, isEmpty: items.length === 0 };
  }

  /** Returns the whole items of index entries, in the same order, without those that were deleted meanwhile. */
  async #withBodies(entries: readonly ObjectItem[]): Promise<readonly ObjectItem[]> {
    const bare = entries.filter((entry) => !entry['body']);
    const items = new Map<string | undefined, ObjectItem>();
    for (let at = 0; at < bare.length; at += BATCH) {
      for (const item of await this.#getAll(bare.slice(at, at + BATCH))) items.set(item['name']?.S, item);
    }
    return entries.flatMap((entry) => {
      // An entry in `byController` has no UID. Only live items have entries.
      if (entry['body']) return [{ ...entry, uid: entry['uid'] ?? { S: '' } }];
      const item = items.get(entry['name']?.S);
      return item && isLive(item) ? [item] : [];
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

function nameRange({ place, after, prefix }: ObjectRange): Partial<QueryCommandInput> {
  if (prefix !== undefined) return between(place, 'name', firstOf(prefix, after), `${prefix}${LAST_CHARACTER}`);
  return {
    KeyConditionExpression: `place = :place${after === undefined ? '' : ' AND #name > :after'}`,
    ExpressionAttributeValues: { ':place': { S: place }, ...(after !== undefined && { ':after': { S: after } }) },
    ...(after !== undefined && { ExpressionAttributeNames: { '#name': 'name' } }),
  };
}

/** The first name of the range that is after `after`. The first string after a name is the name with the lowest character appended. */
function firstOf(prefix: string, after: string | undefined): string {
  return after === undefined || after < prefix ? prefix : `${after}\u0000`;
}

/** An index is sorted by value, then name. */
function indexRange({ place, after, lookup }: ObjectRange, by: IndexName): Partial<QueryCommandInput> {
  const prefix = indexPrefix(lookup?.value ?? '');
  const first = after === undefined ? prefix : `${prefix}${after}\u0000`;
  // The prefix ends in a slash, and `0` is the character after the slash.
  return { IndexName: INDEX_NAMES[by], ...between(place, by, first, `${prefix.slice(0, -1)}0`) };
}

function between(place: string, attribute: string, first: string, last: string): Partial<QueryCommandInput> {
  return {
    KeyConditionExpression: 'place = :place AND #sortKey BETWEEN :first AND :last',
    ExpressionAttributeNames: { '#sortKey': attribute },
    ExpressionAttributeValues: { ':place': { S: place }, ':first': { S: first }, ':last': { S: last } },
  };
}
