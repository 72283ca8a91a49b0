import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { GroupResource } from '../../../objects/ObjectKey.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import type { EncodedPart } from './logContents.ts';
import type { LogPart } from './LogSegment.ts';
import { MEMORY_MS } from './logState.ts';

/** A body up to this size is in the segment's own item: one write is cheaper and faster than two, and small batches seldom race. */
const INLINE_BYTES = 3_000;
/** How many bytes of a part fit into one item. DynamoDB's limit is 400 KB. */
const SLICE_BYTES = 350_000;
/** How long parts outlive their segment, so that a reader that has just read the segment still finds them. */
const OUTLIVE_MS = 60 * 60 * 1000;

/**
 * The contents of segments, in items of their own. Each has a partition of its own (`pods#part#` and an id), so the writes of a busy log are spread over all
 * of the table's partitions, and only the small segments that order them share one.
 */
export class LogParts {
  readonly #calls: DynamoDbCalls;
  readonly #tableName: string;

  constructor(calls: DynamoDbCalls, tableName: string) {
    this.#calls = calls;
    this.#tableName = tableName;
  }

  /**
   * Stores contents before the segment that names them, so that its readers find them. If that segment is never put, they expire. Costs one write unit for
   * every KB, and nothing for a single small part.
   */
  async put(resource: GroupResource, parts: readonly EncodedPart[]): Promise<readonly LogPart[]> {
    const [only, ...others] = parts;
    if (only && others.length === 0 && only.bytes.length <= INLINE_BYTES) return [only];
    return await Promise.all(parts.map((part) => this.#putPart(resource, part)));
  }

  /** Costs one read unit for every 4 KB. `gone` if the part is not there any more. */
  async read(resource: GroupResource, { bytes, id = '', slices = 0 }: LogPart): Promise<Uint8Array | 'gone'> {
    if (bytes) return bytes;
    const read = await Promise.all(Array.from({ length: slices }, (_, slice) => this.#readSlice(resource, id, slice)));
    const found = read.flatMap((slice) => slice ?? []);
    return found.length < slices ? 'gone' : Buffer.concat(found);
  }

  async #putPart(resource: GroupResource, { bytes, namespaces }: EncodedPart): Promise<LogPart> {
    const id = this.#calls.ids.uid();
    const slices = Math.ceil(bytes.length / SLICE_BYTES);
    const expiresAt = Math.ceil((this.#calls.clock.now() + MEMORY_MS + OUTLIVE_MS) / 1000);
    for (let slice = 0; slice < slices; slice += 1) {
      const Item = {
        ...keyOf(resource, id, slice),
        body: { B: bytes.subarray(slice * SLICE_BYTES, (slice + 1) * SLICE_BYTES) },
        expiresAt: { N: String(expiresAt) },
      };
      await this.#calls.send((client) => client.send(new PutItemCommand({ TableName: this.#tableName, Item })));
    }
    return { id, slices, ...(namespaces && { namespaces }) };
  }

  async #readSlice(resource: GroupResource, id: string, slice: number): Promise<Uint8Array | undefined> {
    const input = { TableName: this.#tableName, Key: keyOf(resource, id, slice), ConsistentRead: true };
    const { Item } = await this.#calls.send((client) => client.send(new GetItemCommand(input)));
    return Item?.['body']?.B;
  }
}

function keyOf(resource: GroupResource, id: string, slice: number) {
  return { resource: { S: `${resource}#part#${id}` }, segment: { N: String(slice) } };
}
