import type { DynamoDbLocal } from '../services/DynamoDbLocal.ts';

/** A record of the stream. Lambda delivers it in this format, with its source added. */
export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: string;
  readonly dynamodb: { readonly SequenceNumber: string; readonly ApproximateCreationDateTime: number };
}

/** Errors of an iterator that a new iterator solves. The emulator also gives them for an iterator that was opened before the first record. */
const STALE_ITERATOR_ERRORS = new Set(['TrimmedDataAccessException', 'ExpiredIteratorException']);

/** Reads one shard of a stream from its beginning. */
export class ShardReader {
  readonly #dynamoDb: DynamoDbLocal;
  readonly #place: { readonly StreamArn: string; readonly ShardId: string };
  #iterator: string | undefined;
  #lastSequenceNumber: string | undefined;
  #isClosed = false;

  constructor(dynamoDb: DynamoDbLocal, streamArn: string, shardId: string) {
    this.#dynamoDb = dynamoDb;
    this.#place = { StreamArn: streamArn, ShardId: shardId };
  }

  /** True when the shard is closed and was read to its end. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Returns the next records, at most `limit`, or none if there are no new ones. */
  async read(limit: number): Promise<readonly StreamRecord[]> {
    this.#iterator ??= await this.#open();
    try {
      const answer = await this.#dynamoDb.call<{
        readonly Records: readonly StreamRecord[];
        readonly NextShardIterator?: string;
      }>('DynamoDBStreams_20120810.GetRecords', { ShardIterator: this.#iterator, Limit: limit });
      this.#iterator = answer.NextShardIterator;
      this.#isClosed = this.#iterator === undefined;
      this.#lastSequenceNumber = answer.Records.at(-1)?.dynamodb.SequenceNumber ?? this.#lastSequenceNumber;
      return answer.Records;
    } catch (error) {
      if (!STALE_ITERATOR_ERRORS.has((error as Error).name)) throw error;
      this.#iterator = undefined;
      return [];
    }
  }

  async #open(): Promise<string> {
    const from =
      this.#lastSequenceNumber === undefined
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: this.#lastSequenceNumber };
    const { ShardIterator } = await this.#dynamoDb.call<{ readonly ShardIterator: string }>(
      'DynamoDBStreams_20120810.GetShardIterator',
      { ...this.#place, ...from },
    );
    return ShardIterator;
  }
}
