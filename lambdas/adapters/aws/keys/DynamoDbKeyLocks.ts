import { ConditionalCheckFailedException, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { AcquireOutcome, Intent, KeyItem, KeyLocks, ReleaseOutcome } from '../../../ports/KeyLocks.ts';
import type { KeyTrace } from '../../../ports/TraceContext.ts';
import { encodeWorkKey, type WorkKey } from '../../../ports/WorkKey.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import {
  assertKnownKeyFormat,
  decodeKeyItem,
  releaseLock,
  heldUntilMs,
  type KeyRow,
  type KeyUpdate,
  markDirty,
  markedTraces,
  marksOf,
  takeLock,
  writeIntent,
} from './keyItem.ts';
import { IntentItems } from './IntentItems.ts';
import { queryOverdue } from './queryOverdue.ts';

export interface DynamoDbKeyLocksOptions {
  readonly calls: DynamoDbCalls;
  readonly tableName: string;
  /** See `IntentItems`. */
  readonly longestInline?: number | undefined;
}

/** How often `acquire` tries again when the lock was released between the write that found it held and the write that marks it dirty. */
const MAX_ACQUIRE_ATTEMPTS = 20;

type Updated =
  | { readonly status: 'updated'; readonly row: KeyRow }
  /** `row` is the item that failed the condition. `isRepeated`: an earlier attempt of this same write may have changed the item. */
  | { readonly status: 'refused'; readonly row: KeyRow | undefined; readonly isRepeated: boolean };

/**
 * Key locks in a DynamoDB table, one item a key, and one more for a long intent. A sync without contention costs two write units and no read: `acquire` returns the item that it wrote,
 * and a refused write returns the item that refused it.
 *
 * A write whose answer was lost is repeated, and recognises its own earlier success. For that, each acquisition must use a holder name of its own.
 */
export class DynamoDbKeyLocks implements KeyLocks {
  readonly #options: DynamoDbKeyLocksOptions;
  readonly #intents: IntentItems;

  constructor(options: DynamoDbKeyLocksOptions) {
    this.#options = options;
    this.#intents = new IntentItems(options);
  }

  async acquire(
    key: WorkKey,
    holder: string,
    nowMs: number,
    untilMs: number,
    traces: readonly KeyTrace[] = [],
  ): Promise<AcquireOutcome> {
    for (let attempt = 0; attempt < MAX_ACQUIRE_ATTEMPTS; attempt += 1) {
      const taken = await this.#update(key, takeLock(holder, nowMs, untilMs));
      if (taken.status === 'updated') return { status: 'acquired', item: await this.#decode(key, taken.row) };
      // DynamoDB cannot take the lock or else mark it in one write, so the mark is a second write. If the lock has been released since, take it.
      const marked = await this.#update(key, markDirty(nowMs, taken.row, traces));
      if (marked.status === 'updated') return { status: 'held', untilMs: heldUntilMs(marked.row) };
    }
    throw new Error(
      `the lock of ${encodeWorkKey(key)} changed its holder ${MAX_ACQUIRE_ATTEMPTS} times during one acquisition`,
    );
  }

  async recordIntent(key: WorkKey, holder: string, intent: Intent | undefined): Promise<'recorded' | 'lost'> {
    const stored = await this.#intents.store(key, intent);
    const { status } = await this.#update(key, writeIntent(holder, stored));
    return status === 'updated' ? 'recorded' : 'lost';
  }

  async release(key: WorkKey, holder: string, item: KeyItem, coveredMarks = 0): Promise<ReleaseOutcome> {
    const stored = await this.#intents.store(key, item.intent);
    const nowMs = this.#options.calls.clock.now();
    const released = await this.#update(key, releaseLock(key, holder, { item, stored }, nowMs, coveredMarks));
    if (released.status === 'updated') return { status: 'released' };
    const { row = {}, isRepeated } = released;
    if (row['holder']?.S === holder) return { status: 'dirty', marks: marksOf(row), ...markedTraces(row) };
    const wasReleasedByThis = isRepeated && row['lastHolder']?.S === holder;
    return { status: wasReleasedByThis ? 'released' : 'lost' };
  }

  async overdue(beforeMs: number, limit: number): Promise<readonly WorkKey[]> {
    const { calls, tableName } = this.#options;
    return await queryOverdue(calls, tableName, beforeMs, limit);
  }

  async peek(key: WorkKey): Promise<(KeyItem & { readonly heldUntilMs?: number }) | undefined> {
    const { calls, tableName } = this.#options;
    const Key = { key: { S: encodeWorkKey(key) } };
    const read = new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true });
    const { Item } = await calls.send((client) => client.send(read));
    if (!Item) return undefined;
    assertKnownKeyFormat(Item);
    return { ...(await this.#decode(key, Item)), ...(Item['holder'] && { heldUntilMs: heldUntilMs(Item) }) };
  }

  async #decode(key: WorkKey, row: KeyRow): Promise<KeyItem> {
    const intent = await this.#intents.read(key, row);
    return { ...decodeKeyItem(row), ...(intent && { intent }) };
  }

  async #update(key: WorkKey, { expression, condition, values, names }: KeyUpdate): Promise<Updated> {
    const { calls, tableName } = this.#options;
    let sends = 0;
    const update = new UpdateItemCommand({
      TableName: tableName,
      Key: { key: { S: encodeWorkKey(key) } },
      UpdateExpression: expression,
      ConditionExpression: condition,
      ExpressionAttributeValues: values,
      ...(names && { ExpressionAttributeNames: names }),
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      const { Attributes = {} } = await calls.send((client) => {
        sends += 1;
        return client.send(update);
      });
      return { status: 'updated', row: Attributes };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      if (error.Item) assertKnownKeyFormat(error.Item);
      return { status: 'refused', row: error.Item, isRepeated: sends > 1 || (error.$metadata.attempts ?? 1) > 1 };
    }
  }
}
