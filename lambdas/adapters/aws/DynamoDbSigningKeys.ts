import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { SigningKeys } from '../../ports/SigningKeys.ts';
import type { DynamoDbCalls } from './DynamoDbCalls.ts';

export interface DynamoDbSigningKeysOptions {
  readonly calls: DynamoDbCalls;
  /** The table of the versions' counters: it has no stream, so nothing copies the key. */
  readonly tableName: string;
}

/** The key of the item. No resource has a space in its name, so no counter has this key. */
const ITEM_KEY = 'service account key';

/** Keeps the key in one item. Making it is one write, which leaves a key that is there as it is. */
export class DynamoDbSigningKeys implements SigningKeys {
  readonly #options: DynamoDbSigningKeysOptions;

  constructor(options: DynamoDbSigningKeysOptions) {
    this.#options = options;
  }

  async read(): Promise<string | undefined> {
    const { calls, tableName: TableName } = this.#options;
    const command = new GetItemCommand({ TableName, Key: { resource: { S: ITEM_KEY } }, ConsistentRead: true });
    const { Item } = await calls.send((client) => client.send(command));
    return Item?.['jwk']?.S;
  }

  async keep(made: string): Promise<string> {
    const { calls, tableName: TableName } = this.#options;
    const command = new UpdateItemCommand({
      TableName,
      Key: { resource: { S: ITEM_KEY } },
      UpdateExpression: 'SET jwk = if_not_exists(jwk, :made)',
      ExpressionAttributeValues: { ':made': { S: made } },
      ReturnValues: 'ALL_NEW',
    });
    const { Attributes } = await calls.send((client) => client.send(command));
    return Attributes?.['jwk']?.S ?? made;
  }
}
