import {
  type AttributeValue,
  ConditionalCheckFailedException,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { ObjectKey } from '../../objects/ObjectKey.ts';
import type { DynamoDbCalls } from './DynamoDbCalls.ts';
import { itemKey, type ObjectItem } from './objectItem.ts';

/** A write of one item: what to set, what to remove, and the condition, with placeholders `:name` for values and `#uid` for the UID `key`. */
export interface ItemWrite {
  readonly set: Readonly<Record<string, AttributeValue>>;
  readonly remove: readonly string[];
  readonly condition: string;
  /** For the condition. */
  readonly values: Readonly<Record<string, AttributeValue>>;
  /** For the condition. */
  readonly names?: Readonly<Record<string, string>>;
}

export type ItemWriteOutcome =
  | { readonly status: 'written' }
  /** `item` is what stands there; absent: nothing does. */
  | { readonly status: 'refused'; readonly item?: ObjectItem };

/** Single items of the objects table. */
export class ObjectTable {
  readonly #calls: DynamoDbCalls;
  readonly #tableName: string;

  constructor(calls: DynamoDbCalls, tableName: string) {
    this.#calls = calls;
    this.#tableName = tableName;
  }

  /** Strongly consistent: consumes one read unit for every 4 KB, and one if there is nothing. */
  async get(key: ObjectKey): Promise<ObjectItem | undefined> {
    const { Item } = await this.#calls.send((client) =>
      client.send(new GetItemCommand({ TableName: this.#tableName, Key: itemKey(key), ConsistentRead: true })),
    );
    return Item;
  }

  /**
   * One conditional write. A refused one answers what stands there and needs no read. Consumes one write unit for every KB of the larger of the item
   * before and after, and as much again for its entry in `byController`; the other indexes only where an entry moves.
   */
  async write(key: ObjectKey, write: ItemWrite): Promise<ItemWriteOutcome> {
    const update = new UpdateItemCommand({
      TableName: this.#tableName,
      Key: itemKey(key),
      ...updateExpression(write),
      ConditionExpression: write.condition,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await this.#calls.send((client) => client.send(update));
      return { status: 'written' };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { status: 'refused', ...(error.Item && { item: error.Item }) };
    }
  }
}

function updateExpression({ set, remove, values, names }: ItemWrite) {
  const sets = Object.keys(set).map((attribute) => `#set_${attribute} = :set_${attribute}`);
  const removes = remove.map((attribute) => `#set_${attribute}`);
  const attributes = [...Object.keys(set), ...remove];
  return {
    UpdateExpression: `SET ${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`,
    ExpressionAttributeNames: {
      ...names,
      ...Object.fromEntries(attributes.map((attribute) => [`#set_${attribute}`, attribute])),
    },
    ExpressionAttributeValues: {
      ...values,
      ...Object.fromEntries(Object.entries(set).map(([attribute, value]) => [`:set_${attribute}`, value])),
    },
  };
}
