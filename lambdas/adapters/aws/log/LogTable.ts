import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import type { GroupResource } from '../../../objects/ObjectKey.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import { decodeHead, decodeSegment, encodeHead, encodeSegment, type LogItem, type LogSegment } from './LogSegment.ts';
import { EMPTY_LOG, type LogState, MEMORY_MS } from './logState.ts';

const HOUR_MS = 60 * 60 * 1000;
/** When DynamoDB may delete a segment's item. Far later than it counts as gone, so that the head moves past it first, even if `resync` fails for a day. */
const SEGMENTS_OUTLIVE_MS = 48 * HOUR_MS;
/** Bitmaps are needed until their versions are settled, which happens once an hour. */
const BITMAPS_OUTLIVE_MS = 2 * HOUR_MS;

/** What the appended bitmap of a chunk knows. */
export interface StoredBitmap {
  readonly bits: Uint8Array;
  /** The last segment that it includes. */
  readonly through: number;
}

/**
 * The items of the change log, by partition:
 * - `pods`: the head as segment 0, then the segments from 1 on. A segment counts as soon as it can be read; the head may be many segments behind.
 * - `pods#versions`: the bitmaps of logged versions, by chunk, as of the head or later.
 */
export class LogTable {
  readonly #calls: DynamoDbCalls;
  readonly #tableName: string;

  constructor(calls: DynamoDbCalls, tableName: string) {
    this.#calls = calls;
    this.#tableName = tableName;
  }

  /** A strongly consistent read. Costs one read unit. */
  async readHead(resource: GroupResource): Promise<LogState> {
    const item = await this.#get(resource, 0);
    return item ? decodeHead(item) : EMPTY_LOG;
  }

  /** A strongly consistent read of one segment, which costs one or two read units; undefined if it does not exist any more. */
  async readSegment(resource: GroupResource, segment: number): Promise<LogSegment | undefined> {
    const item = await this.#get(resource, segment);
    return item && decodeSegment(item);
  }

  /**
   * Yields the segments after the given one in order, in pages of up to a megabyte. Costs one read unit for every 4 KB, and at least one. Without `strong`
   * it costs half as much, but it may miss a segment that was appended a moment ago, and find a later one.
   */
  async *readAfter(
    resource: GroupResource,
    segment: number,
    { strong }: { readonly strong: boolean },
  ): AsyncGenerator<readonly LogSegment[]> {
    for await (const page of this.#query(resource, '#segment > :segment', segment, strong)) {
      yield page.map(decodeSegment);
    }
  }

  /**
   * Puts a segment; false if the resource has a segment of that number already. Costs one write unit for every KB. Throws if it remains unknown whether
   * the segment was put.
   */
  async put(resource: GroupResource, segment: LogSegment): Promise<boolean> {
    const by = this.#calls.ids.uid();
    const put = new PutItemCommand({
      TableName: this.#tableName,
      Item: {
        ...keyOf(resource, segment.segment),
        ...encodeSegment(segment),
        by: { S: by },
        expiresAt: seconds(segment.expiresAtMs + SEGMENTS_OUTLIVE_MS),
      },
      ConditionExpression: 'attribute_not_exists(#segment)',
      ExpressionAttributeNames: { '#segment': 'segment' },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    const refusal = await this.#putIf(put);
    // The segment is our own if an earlier attempt succeeded and its answer was lost.
    return refusal === undefined || refusal.Item?.['by']?.S === by;
  }

  /** Moves the head forward, never back. Costs one write unit, or more while there are many barriers. */
  async moveHead(resource: GroupResource, state: LogState): Promise<void> {
    await this.#putIf(
      new PutItemCommand({
        TableName: this.#tableName,
        Item: { ...keyOf(resource, 0), ...encodeHead(state) },
        ConditionExpression: 'attribute_not_exists(headSegment) OR headSegment < :segment',
        ExpressionAttributeValues: { ':segment': { N: String(state.segment) } },
      }),
    );
  }

  /** Returns the bitmaps of all chunks from the given one on. A strong read; costs one read unit for every 4 KB. */
  async readBitmaps(resource: GroupResource, fromChunk: number): Promise<ReadonlyMap<number, StoredBitmap>> {
    const bitmaps = new Map<number, StoredBitmap>();
    for await (const page of this.#query(versionsKey(resource), '#segment >= :segment', fromChunk, true)) {
      for (const item of page) {
        const bits = inflateRawSync(item['bits']?.B ?? new Uint8Array());
        bitmaps.set(Number(item['segment']?.N), { bits, through: Number(item['through']?.N) });
      }
    }
    return bitmaps;
  }

  /** Stores a chunk's bitmap, unless the stored one is newer. Costs one write unit for every KB; a chunk without many holes takes a few bytes. */
  async putBitmap(
    resource: GroupResource,
    chunk: number,
    { bits, through }: StoredBitmap,
    nowMs: number,
  ): Promise<void> {
    await this.#putIf(
      new PutItemCommand({
        TableName: this.#tableName,
        Item: {
          ...keyOf(versionsKey(resource), chunk),
          bits: { B: deflateRawSync(bits) },
          through: { N: String(through) },
          expiresAt: seconds(nowMs + MEMORY_MS + BITMAPS_OUTLIVE_MS),
        },
        ConditionExpression: 'attribute_not_exists(through) OR through < :through',
        ExpressionAttributeValues: { ':through': { N: String(through) } },
      }),
    );
  }

  /** Returns the refusal if the condition does not hold. */
  async #putIf(put: PutItemCommand): Promise<ConditionalCheckFailedException | undefined> {
    try {
      await this.#calls.send((client) => client.send(put));
      return undefined;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return error;
      throw error;
    }
  }

  async #get(resource: string, segment: number): Promise<LogItem | undefined> {
    const input = { TableName: this.#tableName, Key: keyOf(resource, segment), ConsistentRead: true };
    const { Item } = await this.#calls.send((client) => client.send(new GetItemCommand(input)));
    return Item;
  }

  async *#query(resource: string, range: string, segment: number, strong: boolean): AsyncGenerator<readonly LogItem[]> {
    let from: Record<string, AttributeValue> | undefined;
    do {
      const input = {
        TableName: this.#tableName,
        KeyConditionExpression: `#resource = :resource AND ${range}`,
        ExpressionAttributeNames: { '#resource': 'resource', '#segment': 'segment' },
        ExpressionAttributeValues: { ':resource': { S: resource }, ':segment': { N: String(segment) } },
        ConsistentRead: strong,
        ...(from && { ExclusiveStartKey: from }),
      };
      const page = await this.#calls.send((client) => client.send(new QueryCommand(input)));
      yield page.Items ?? [];
      from = page.LastEvaluatedKey;
    } while (from);
  }
}

function keyOf(resource: string, segment: number): Record<string, AttributeValue> {
  return { resource: { S: resource }, segment: { N: String(segment) } };
}

/** No resource has a `#` in its name. */
function versionsKey(resource: GroupResource): string {
  return `${resource}#versions`;
}

function seconds(atMs: number): AttributeValue {
  return { N: String(Math.ceil(atMs / 1000)) };
}
