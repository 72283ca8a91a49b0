import { type AttributeValue, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { gunzipSync, gzipSync } from 'node:zlib';
import { decodeIntent, encodeIntent, type Intent, type StoredIntent } from '../../../ports/KeyLocks.ts';
import { encodeWorkKey, type WorkKey } from '../../../ports/WorkKey.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import { FORMAT_NAME, FORMAT_VALUE, type IntentAttribute, type KeyRow } from './keyItem.ts';

/**
 * A longer intent, in bytes of JSON, has an item of its own. Each worker that meets a held lock writes to the key's item, twice, and each write costs the whole item: with the intent of 500 deletes in it, 45 units. Then a few
 * changes a second throttle the key's partition, and its holder too.
 */
const LONGEST_INLINE = 2_000;
/** An intent that nobody has settled for so long is forgotten. What it asked for is long over. */
const KEPT_MS = 30 * 24 * 3_600_000;

export interface IntentItemsOptions {
  readonly calls: DynamoDbCalls;
  readonly tableName: string;
  /** The longest intent that stays in its key's item, in bytes of JSON. */
  readonly longestInline?: number | undefined;
}

/**
 * The intents that are too long for their keys' items. Each is an item that is written once, under an id that no other has, before its key's item names it; so a worker that has lost its lock changes nothing that another one reads. The
 * time to live deletes it.
 */
export class IntentItems {
  readonly #options: IntentItemsOptions;
  /** Where this process knows intents to be stored, so that a release that keeps one does not store it again. */
  readonly #stored = new WeakMap<Intent, IntentAttribute>();

  constructor(options: IntentItemsOptions) {
    this.#options = options;
  }

  /** Returns what the key's item has to say of the intent. Writes the item of a long one first, which costs a unit for each KB of it, compressed. */
  async store(key: WorkKey, intent: Intent | undefined): Promise<IntentAttribute | undefined> {
    if (!intent) return undefined;
    const stored = this.#stored.get(intent) ?? (await this.#put(key, JSON.stringify(encodeIntent(intent))));
    this.#stored.set(intent, stored);
    return stored;
  }

  /** Returns the intent of a key's item. Costs nothing if the item has it, and else a unit for every 4 KB. */
  async read(key: WorkKey, row: KeyRow): Promise<Intent | undefined> {
    const { intent, intentAt } = row;
    const json = intent?.S ?? (intentAt?.S === undefined ? undefined : await this.#get(key, intentAt.S));
    if (json === undefined) return undefined;
    const parsed = decodeIntent(JSON.parse(json) as StoredIntent);
    this.#stored.set(parsed, intentAt ? { intentAt } : { intent: { S: json } });
    return parsed;
  }

  async #put(key: WorkKey, json: string): Promise<IntentAttribute> {
    const { calls, tableName, longestInline = LONGEST_INLINE } = this.#options;
    if (json.length <= longestInline) return { intent: { S: json } };
    const id = calls.ids.uid();
    const expiresAt = Math.ceil((calls.clock.now() + KEPT_MS) / 1_000);
    const write = new UpdateItemCommand({
      TableName: tableName,
      Key: placeOf(key, id),
      UpdateExpression: 'SET #format = :format, contents = :contents, expiresAt = :expiresAt',
      ExpressionAttributeNames: FORMAT_NAME,
      ExpressionAttributeValues: {
        ...FORMAT_VALUE,
        ':contents': { B: gzipSync(json) },
        ':expiresAt': { N: `${expiresAt}` },
      },
    });
    await calls.send((client) => client.send(write));
    return { intentAt: { S: id } };
  }

  async #get(key: WorkKey, id: string): Promise<string | undefined> {
    const { calls, tableName } = this.#options;
    const read = new GetItemCommand({ TableName: tableName, Key: placeOf(key, id), ConsistentRead: true });
    const { Item } = await calls.send((client) => client.send(read));
    return Item && decodeContents(Item);
  }
}

/** Returns the intent, as JSON, of an item that has nothing but an intent; `undefined` for the item of a key. */
export function decodeContents({ contents }: KeyRow): string | undefined {
  return contents?.B && gunzipSync(contents.B).toString('utf8');
}

/** No key's name has a `#`. */
function placeOf(key: WorkKey, id: string): Record<string, AttributeValue> {
  return { key: { S: `${encodeWorkKey(key)}#${id}` } };
}
