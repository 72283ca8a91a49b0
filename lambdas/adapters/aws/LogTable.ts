import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { DynamoDbCalls } from './DynamoDbCalls.ts';
import { decodeChanges, decodeState, encodeChanges, encodeState, type LogSegment } from './LogSegment.ts';
import { EMPTY_LOG, type LogState } from './logState.ts';

/** How many of a segment's bytes fit into one item; a larger segment is stored in parts. DynamoDB's limit is 400 KB. */
const LARGEST_BODY_BYTES = 350_000;
/** How long the parts outlive their segment, so that a reader that has just read the segment still finds them. */
const PARTS_OUTLIVE_MS = 60 * 60 * 1000;

type Item = Readonly<Record<string, AttributeValue>>;

/**
 * The items of the change log. Each resource has its head as segment 0, which holds the log's state after the last append, and its segments from 1 on. A
 * segment counts as soon as it can be read; the head may be a moment behind.
 */
export class LogTable {
  readonly #calls: DynamoDbCalls;
  readonly #tableName: string;

  constructor(calls: DynamoDbCalls, tableName: string) {
    this.#calls = calls;
    this.#tableName = tableName;
  }

  /** A strongly consistent read. Costs one read unit, or more if the state has many holes. */
  async readHead(resource: GroupResource): Promise<LogState> {
    const { Item } = await this.#calls.send((client) =>
      client.send(new GetItemCommand({ TableName: this.#tableName, Key: keyOf(resource, 0), ConsistentRead: true })),
    );
    return Item ? decodeState(Item['state']) : EMPTY_LOG;
  }

  /**
   * Returns all segments after the given one, in order. Costs one read unit for every 4 KB, and at least one. Without `strong` it costs half as much, but it
   * may miss a segment that was appended a moment ago.
   */
  async readAfter(
    resource: GroupResource,
    segment: number,
    options: { readonly strong: boolean },
  ): Promise<LogSegment[]> {
    const segments: LogSegment[] = [];
    for await (const page of this.#query(resource, '#segment > :segment', segment, {
      ConsistentRead: options.strong,
    })) {
      for (const item of page) segments.push(await this.#decode(resource, item));
    }
    return segments;
  }

  /** Yields the segments from the given one back to the oldest, in pages. The reads are strong, since a missing segment counts as gone. Costs one read unit for every 4 KB. */
  async *readBack(resource: GroupResource, segment: number, pageSize: number): AsyncGenerator<readonly LogSegment[]> {
    const options = { ConsistentRead: true, ScanIndexForward: false, Limit: pageSize };
    const range = '#segment BETWEEN :first AND :segment';
    for await (const page of this.#query(resource, range, segment, options, { ':first': { N: '1' } })) {
      yield await Promise.all(page.map((item) => this.#decode(resource, item)));
    }
  }

  /**
   * Puts a segment; false if the resource has a segment of that number already. Costs one write unit for every KB of the compressed changes. Throws if it
   * remains unknown whether the segment was put.
   */
  async put(resource: GroupResource, segment: LogSegment): Promise<boolean> {
    const bytes = encodeChanges(segment.changes);
    const body =
      bytes.length <= LARGEST_BODY_BYTES ? { body: { B: bytes } } : await this.#putParts(resource, segment, bytes);
    const put = new PutItemCommand({
      TableName: this.#tableName,
      Item: {
        ...keyOf(resource, segment.state.segment),
        ...body,
        state: encodeState(segment.state),
        previousPosition: { N: String(segment.previousPosition) },
        expiresAtMs: { N: String(segment.expiresAtMs) },
        expiresAt: { N: String(Math.ceil(segment.expiresAtMs / 1000)) },
        by: { S: randomUUID() },
        ...(segment.lost && { lost: { S: JSON.stringify(segment.lost) } }),
      },
      ConditionExpression: 'attribute_not_exists(#segment)',
      ExpressionAttributeNames: { '#segment': 'segment' },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await this.#calls.send((client) => client.send(put));
      return true;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // The segment is our own if an earlier attempt succeeded and its answer was lost.
      return error.Item?.['by']?.S === put.input.Item?.['by']?.S;
    }
  }

  /** Moves the head forward, never back. Costs one write unit, or more if the state has many holes. */
  async moveHead(resource: GroupResource, state: LogState): Promise<void> {
    const update = new UpdateItemCommand({
      TableName: this.#tableName,
      Key: keyOf(resource, 0),
      UpdateExpression: 'SET headSegment = :segment, #state = :state',
      ConditionExpression: 'attribute_not_exists(headSegment) OR headSegment < :segment',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':segment': { N: String(state.segment) }, ':state': encodeState(state) },
    });
    try {
      await this.#calls.send((client) => client.send(update));
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }

  async *#query(
    resource: GroupResource,
    range: string,
    segment: number,
    options: { ConsistentRead: boolean; ScanIndexForward?: boolean; Limit?: number },
    values: Record<string, AttributeValue> = {},
  ): AsyncGenerator<readonly Item[]> {
    let from: Record<string, AttributeValue> | undefined;
    do {
      const input = {
        TableName: this.#tableName,
        KeyConditionExpression: `#resource = :resource AND ${range}`,
        ExpressionAttributeNames: { '#resource': 'resource', '#segment': 'segment' },
        ExpressionAttributeValues: { ...values, ':resource': { S: resource }, ':segment': { N: String(segment) } },
        ...options,
        ...(from && { ExclusiveStartKey: from }),
      };
      const page = await this.#calls.send((client) => client.send(new QueryCommand(input)));
      yield page.Items ?? [];
      from = page.LastEvaluatedKey;
    } while (from);
  }

  async #decode(resource: GroupResource, item: Item): Promise<LogSegment> {
    const state = decodeState(item['state']);
    const lost = item['lost']?.S;
    const bytes = item['body']?.B ?? (await this.#getParts(resource, item));
    return {
      state,
      previousPosition: Number(item['previousPosition']?.N ?? 0),
      expiresAtMs: Number(item['expiresAtMs']?.N ?? 0),
      changes: decodeChanges(resource, bytes),
      ...(lost !== undefined && { lost: JSON.parse(lost) as readonly number[] }),
    };
  }

  /** Puts the parts before the segment that names them, so that its readers find them. If the segment is never put, the parts expire. */
  async #putParts(
    resource: GroupResource,
    segment: LogSegment,
    bytes: Uint8Array,
  ): Promise<Record<string, AttributeValue>> {
    const id = randomUUID();
    const count = Math.ceil(bytes.length / LARGEST_BODY_BYTES);
    for (let part = 0; part < count; part += 1) {
      const Item = {
        ...keyOf(partsKey(resource, id), part),
        body: { B: bytes.subarray(part * LARGEST_BODY_BYTES, (part + 1) * LARGEST_BODY_BYTES) },
        expiresAt: { N: String(Math.ceil((segment.expiresAtMs + PARTS_OUTLIVE_MS) / 1000)) },
      };
      await this.#calls.send((client) => client.send(new PutItemCommand({ TableName: this.#tableName, Item })));
    }
    return { parts: { S: id }, partCount: { N: String(count) } };
  }

  async #getParts(resource: GroupResource, item: Item): Promise<Uint8Array> {
    const id = item['parts']?.S ?? '';
    const count = Number(item['partCount']?.N ?? 0);
    const parts = Array.from({ length: count }, async (_, part) => {
      const { Item } = await this.#calls.send((client) =>
        client.send(
          new GetItemCommand({
            TableName: this.#tableName,
            Key: keyOf(partsKey(resource, id), part),
            ConsistentRead: true,
          }),
        ),
      );
      const body = Item?.['body']?.B;
      if (!body) throw new Error(`part ${part} of a segment of ${resource} is missing`);
      return body;
    });
    return Buffer.concat(await Promise.all(parts));
  }
}

function keyOf(resource: string, segment: number): Record<string, AttributeValue> {
  return { resource: { S: resource }, segment: { N: String(segment) } };
}

/** No resource has a `#` in its name. */
function partsKey(resource: GroupResource, id: string): string {
  return `${resource}#${id}`;
}
