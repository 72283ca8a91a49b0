import { type AttributeValue, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { assertFormat } from '../assertFormat.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';

/** The partition of these items in the table of the namespaces. No resource has a `#` at the beginning of its name. */
const PARTITION = '#restores';
/** The number of this layout. */
const FORMAT = 1;

/**
 * The restores after which the tables were made to fit each other. A stack goes on naming its restored tables, so each of its deployments asks for it again. If the table with these items is itself
 * restored, it cannot have the item of that restore: the id is made of the tables' names and of the objects' stream, which is new.
 */
export class CompletedRestores {
  readonly #calls: DynamoDbCalls;
  readonly #tableName: string;

  constructor(calls: DynamoDbCalls, tableName: string) {
    this.#calls = calls;
    this.#tableName = tableName;
  }

  /** Costs a read unit. Throws if a newer release wrote the item. */
  async has(id: string): Promise<boolean> {
    const read = new GetItemCommand({ TableName: this.#tableName, Key: keyOf(id), ConsistentRead: true });
    const { Item } = await this.#calls.send((client) => client.send(read));
    if (Item) assertFormat(Item, FORMAT, `namespaces/${PARTITION}/${id}`);
    return Item !== undefined;
  }

  /** Costs a write unit. */
  async add(id: string): Promise<void> {
    const write = new UpdateItemCommand({
      TableName: this.#tableName,
      Key: keyOf(id),
      UpdateExpression: 'SET #format = :format, completedAtMs = :now',
      ExpressionAttributeNames: { '#format': 'format' },
      ExpressionAttributeValues: { ':format': { N: `${FORMAT}` }, ':now': { N: `${this.#calls.clock.now()}` } },
    });
    await this.#calls.send((client) => client.send(write));
  }
}

function keyOf(id: string): Record<string, AttributeValue> {
  return { resource: { S: PARTITION }, namespace: { S: id } };
}
