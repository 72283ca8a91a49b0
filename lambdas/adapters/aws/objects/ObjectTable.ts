import {
  type AttributeValue,
  ConditionalCheckFailedException,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { ObjectKey } from '../../../objects/ObjectKey.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import { assertKnownFormat, itemKey, type ObjectItem } from './objectItem.ts';

/** A write of one item: the attributes to set and to remove, and the condition, which may use `:name` for `values` and `#name` for `names`. */
export interface ItemWrite {
  readonly set: Readonly<Record<string, AttributeValue>>;
  readonly remove: readonly string[];
  readonly condition: string;
  /** The values in the condition. */
  readonly values: Readonly<Record<string, AttributeValue>>;
  /** The attribute names in the condition. */
  readonly names?: Readonly<Record<string, string>>;
}

export type ItemWriteOutcome =
  /** `previous`: the item before; absent if there was none, or if nobody asked for it. */
  | { readonly status: 'written'; readonly previous?: ObjectItem }
  /** `item` is the item that failed the condition; absent if there is no item. */
  | { readonly status: 'refused'; readonly item?: ObjectItem };

/** Single items of the objects table. */
export class ObjectTable {
  readonly #calls: DynamoDbCalls;
  readonly #tableName: string;
  readonly #returnsPrevious: boolean;

  /** `returnsPrevious`: whether writes are answered with the items before, which costs nothing. */
  constructor(calls: DynamoDbCalls, tableName: string, returnsPrevious = false) {
    this.#calls = calls;
    this.#tableName = tableName;
    this.#returnsPrevious = returnsPrevious;
  }

  /** A strongly consistent read. Costs one read unit for every 4 KB, and one if there is no item. */
  async get(key: ObjectKey): Promise<ObjectItem | undefined> {
    const { Item } = await this.#calls.send((client) =>
      client.send(new GetItemCommand({ TableName: this.#tableName, Key: itemKey(key), ConsistentRead: true })),
    );
    if (Item) assertKnownFormat(Item);
    return Item;
  }

  /**
   * Makes one conditional write. A refused write returns the present item, so no read follows. Costs one write unit for every KB of the item before or after,
   * whichever is larger, and the same for its entry in `byController`, if it has one. The other indexes cost only when an entry changes.
   */
  async write(key: ObjectKey, write: ItemWrite): Promise<ItemWriteOutcome> {
    const update = new UpdateItemCommand({
      TableName: this.#tableName,
      Key: itemKey(key),
      ...updateExpression(write),
      ConditionExpression: write.condition,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ...(this.#returnsPrevious && { ReturnValues: 'ALL_OLD' }),
    });
    try {
      const { Attributes } = await this.#calls.send((client) => client.send(update));
      return { status: 'written', ...(Attributes && { previous: Attributes }) };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      if (error.Item) assertKnownFormat(error.Item);
      return { status: 'refused', ...(error.Item && { item: error.Item }) };
    }
  }
}

function updateExpression({ set, remove, values: given, names: givenNames }: ItemWrite) {
  const names: Record<string, string> = { ...givenNames };
  const values: Record<string, AttributeValue> = { ...given };
  for (const attribute of remove) names[`#set_${attribute}`] = attribute;
  for (const [attribute, value] of Object.entries(set)) {
    names[`#set_${attribute}`] = attribute;
    values[`:set_${attribute}`] = value;
  }
  const sets = Object.keys(set).map((attribute) => `#set_${attribute} = :set_${attribute}`);
  const removes = remove.map((attribute) => `#set_${attribute}`);
  return {
    UpdateExpression: `SET ${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}
