import { type AttributeValue, BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import type { KeyItemReader } from '../../../ports/KeyItemReader.ts';
import type { KeyItem } from '../../../ports/KeyLocks.ts';
import { encodeWorkKey, type WorkKey } from '../../../ports/WorkKey.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import { decodeKeyItem } from './keyItem.ts';

/** BatchGetItem's limit. */
const MAX_KEYS = 100;

/** What is kept for keys, read without their locks: half a read unit each, since what a key has seen stays true. */
export class DynamoDbKeyItems implements KeyItemReader {
  readonly #calls: DynamoDbCalls;
  readonly #tableName: string;

  constructor({ calls, tableName }: { readonly calls: DynamoDbCalls; readonly tableName: string }) {
    this.#calls = calls;
    this.#tableName = tableName;
  }

  async read(keys: readonly WorkKey[]): Promise<ReadonlyMap<string, KeyItem>> {
    const encoded = [...new Set(keys.map(encodeWorkKey))];
    const pieces = Array.from({ length: Math.ceil(encoded.length / MAX_KEYS) }, (_, at) =>
      encoded.slice(at * MAX_KEYS, (at + 1) * MAX_KEYS),
    );
    const rows = (await Promise.all(pieces.map((piece) => this.#read(piece)))).flat();
    return new Map(rows.map((row) => [row['key']?.S ?? '', decodeKeyItem(row)]));
  }

  /** Keys that DynamoDB leaves out count as unknown. */
  async #read(encoded: readonly string[]): Promise<readonly Record<string, AttributeValue>[]> {
    const Keys = encoded.map((key) => ({ key: { S: key } }));
    const read = new BatchGetItemCommand({ RequestItems: { [this.#tableName]: { Keys, ConsistentRead: false } } });
    const { Responses = {} } = await this.#calls.send((client) => client.send(read));
    return Responses[this.#tableName] ?? [];
  }
}
