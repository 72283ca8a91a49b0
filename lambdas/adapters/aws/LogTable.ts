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

/** What one item may carry of a segment's bytes; a larger segment stands in parts of its own. DynamoDB's limit is 400 KB. */
const LARGEST_BODY_BYTES = 350_000;
/** Deleted some time after it counts as gone, so that who read the segment just before finds its parts. */
const PARTS_OUTLIVE_MS = 60 * 60 * 1000;

type Item = Readonly<Record<string, AttributeValue>>;

/**
 * The items of the change log: under each resource its head as segment 0, which says where the log stood at the last append, and the segments from 1
 * on. A segment exists once it can be read; the head may be a moment behind.
 */
export class LogTable {
  readonly #calls: DynamoDbCalls;
  readonly #tableName: string;

  constructor(calls: DynamoDbCalls, tableName: string) {
    this.#calls = calls;
    this.#tableName = tableName;
  }

  /** Strongly consistent; one read unit, more where there are many holes. */
  async readHead(resource: GroupResource): Promise<LogState> {
    const { Item } = await this.#calls.send((client) =>
      client.send(new GetItemCommand({ TableName: this.#tableName, Key: keyOf(resource, 0), ConsistentRead: true })),
    );
    return Item ? decodeState(Item['state']) : EMPTY_LOG;
  }

  /**
   * All segments behind one, in order. Consumes one read unit for every 4 KB, and one if there are none; half as much where `strong` is not
   * asked for, at the risk of missing what was appended a moment ago.
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

  /** Segments from one on down to the oldest, page by page: strongly, since one that is missing counts as gone. Consumes one read unit for every 4 KB. */
  async *readBack(resource: GroupResource, segment: number, pageSize: number): AsyncGenerator<readonly LogSegment[]> {
    const options = { ConsistentRead: true, ScanIndexForward: false, Limit: pageSize };
    const range = '#segment BETWEEN :first AND :segment';
    for await (const page of this.#query(resource, range, segment, options, { ':first': { N: '1' } })) {
      yield await Promise.all(page.map((item) => this.#decode(resource, item)));
    }
  }

  /**
   * Puts a segment where none stands; false if one does. Consumes one write unit for every KB of the compressed changes. Throws if it does not become
   * known whether the segment was put.
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
      // An attempt whose answer was lost finds its own segment.
      return error.Item?.['by']?.S === put.input.Item?.['by']?.S;
    }
  }

  /** Moves the head forward, never back. Consumes one write unit, more where there are many holes. */
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

  /** Before the segment that names them, so that whoever reads it finds them; if it is never put, they expire by themselves. */
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
