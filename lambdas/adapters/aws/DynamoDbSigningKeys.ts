import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { SigningKeys } from '../../ports/SigningKeys.ts';
import type { DynamoDbCalls } from './DynamoDbCalls.ts';

export interface DynamoDbSigningKeysOptions {
  readonly calls: DynamoDbCalls;
  /** The table of the versions' counters: it has no stream, so nothing copies the key. */
  readonly tableName: string;
  /** What the key signs. Default: the tokens of service accounts. */
  readonly signs?: 'tokens' | 'certificates';
}

/** The keys of the items, and their attributes. No resource has a space in its name, so no counter has such a key. */
const ITEMS = {
  tokens: { key: 'service account key', attribute: 'jwk' },
  certificates: { key: 'certificate authority', attribute: 'authority' },
} as const;

/** Keeps the key in one item. Making it is one write, which leaves a key that is there as it is. */
export class DynamoDbSigningKeys implements SigningKeys {
  readonly #options: DynamoDbSigningKeysOptions;

  constructor(options: DynamoDbSigningKeysOptions) {
    this.#options = options;
  }

  async read(): Promise<string | undefined> {
    const { calls, tableName: TableName, signs = 'tokens' } = this.#options;
    const { key, attribute } = ITEMS[signs];
    const command = new GetItemCommand({ TableName, Key: { resource: { S: key } }, ConsistentRead: true });
    const { Item } = await calls.send((client) => client.send(command));
    return Item?.[attribute]?.S;
  }

  async keep(made: string): Promise<string> {
    const { calls, tableName: TableName, signs = 'tokens' } = this.#options;
    const { key, attribute } = ITEMS[signs];
    const command = new UpdateItemCommand({
      TableName,
      Key: { resource: { S: key } },
      UpdateExpression: `SET ${attribute} = if_not_exists(${attribute}, :made)`,
      ExpressionAttributeValues: { ':made': { S: made } },
      ReturnValues: 'ALL_NEW',
    });
    const { Attributes } = await calls.send((client) => client.send(command));
    return Attributes?.[attribute]?.S ?? made;
  }
}
