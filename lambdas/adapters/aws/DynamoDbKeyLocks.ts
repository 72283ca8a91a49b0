import { ConditionalCheckFailedException, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { AcquireOutcome, Intent, KeyItem, KeyLocks } from '../../ports/KeyLocks.ts';
import { encodeWorkKey, type WorkKey } from '../../ports/WorkKey.ts';
import type { DynamoDbCalls } from './DynamoDbCalls.ts';
import {
  decodeKeyItem,
  giveBackLock,
  heldUntilMs,
  type KeyRow,
  type KeyUpdate,
  markDirty,
  takeLock,
  writeIntent,
} from './keyItem.ts';
import { queryOverdue } from './queryOverdue.ts';

export interface DynamoDbKeyLocksOptions {
  readonly calls: DynamoDbCalls;
  readonly tableName: string;
}

/** How often a lock is asked for again because it was given back between the two writes that find it held and mark it. */
const MAX_ACQUIRE_ATTEMPTS = 20;

type Updated =
  | { readonly status: 'updated'; readonly row: KeyRow }
  /** `row` is the item that did not fit the condition. `isRepeated`: an earlier attempt of this very write may be what made it so. */
  | { readonly status: 'refused'; readonly row: KeyRow | undefined; readonly isRepeated: boolean };

/**
 * Key locks in a DynamoDB table, one item a key. A sync that meets nobody costs two write units: `acquire` answers with the item that it wrote,
 * and a write that is refused with the item that refused it, so nothing is read.
 *
 * A write whose answer was lost is repeated; each recognises its own success. Holders' names must be unique for that, one for each acquisition.
 */
export class DynamoDbKeyLocks implements KeyLocks {
  readonly #options: DynamoDbKeyLocksOptions;

  constructor(options: DynamoDbKeyLocksOptions) {
    this.#options = options;
  }

  async acquire(key: WorkKey, holder: string, nowMs: number, untilMs: number): Promise<AcquireOutcome> {
    for (let attempt = 0; attempt < MAX_ACQUIRE_ATTEMPTS; attempt += 1) {
      const taken = await this.#update(key, takeLock(holder, nowMs, untilMs));
      if (taken.status === 'updated') return { status: 'acquired', item: decodeKeyItem(taken.row) };
      // No write can do either of two things, so the mark is a write of its own; should the lock be free by now, it can be had after all.
      const marked = await this.#update(key, markDirty(nowMs));
      if (marked.status === 'updated') return { status: 'held', untilMs: heldUntilMs(marked.row) };
    }
    throw new Error(
      `the lock of ${encodeWorkKey(key)} changed hands ${MAX_ACQUIRE_ATTEMPTS} times while it was asked for`,
    );
  }

  async recordIntent(key: WorkKey, holder: string, intent: Intent | undefined): Promise<'recorded' | 'lost'> {
    const { status } = await this.#update(key, writeIntent(holder, intent));
    return status === 'updated' ? 'recorded' : 'lost';
  }

  async release(
    key: WorkKey,
    holder: string,
    item: KeyItem,
    options: { readonly resent?: boolean } = {},
  ): Promise<'released' | 'dirty' | 'lost'> {
    const nowMs = this.#options.calls.clock.now();
    const released = await this.#update(key, giveBackLock(key, holder, item, nowMs, options.resent ?? false));
    if (released.status === 'updated') return 'released';
    if (released.row?.['holder']?.S === holder) return 'dirty';
    const wasReleasedByThis = released.isRepeated && released.row?.['lastHolder']?.S === holder;
    return wasReleasedByThis ? 'released' : 'lost';
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
    return { ...decodeKeyItem(Item), ...(Item['holder'] && { heldUntilMs: heldUntilMs(Item) }) };
  }

  async #update(key: WorkKey, { expression, condition, values }: KeyUpdate): Promise<Updated> {
    const { calls, tableName } = this.#options;
    let sends = 0;
    const update = new UpdateItemCommand({
      TableName: tableName,
      Key: { key: { S: encodeWorkKey(key) } },
      UpdateExpression: expression,
      ConditionExpression: condition,
      ExpressionAttributeValues: values,
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
      return { status: 'refused', row: error.Item, isRepeated: sends > 1 || (error.$metadata.attempts ?? 1) > 1 };
    }
  }
}
