import type { StreamRecord } from '../../lambdas/adapters/aws/log/decodeStreamRecord.ts';

/** Reads the only shard of a table's stream from DynamoDB Local, which accepts any signature. Records have the form in which Lambda delivers them. */
export class LocalStream {
  readonly #endpoint: string;
  readonly #streamArn: string;
  #iterator: string | undefined;
  #lastSequence: string | undefined;

  constructor(endpoint: string, streamArn: string) {
    this.#endpoint = endpoint;
    this.#streamArn = streamArn;
  }

  /** Returns the next records, or none. Begins with the first record of the stream. */
  async read(): Promise<readonly StreamRecord[]> {
    try {
      this.#iterator ??= await this.#open();
      const page = await this.#call<{ Records: StreamRecord[]; NextShardIterator: string }>('GetRecords', {
        ShardIterator: this.#iterator,
        Limit: 1000,
      });
      this.#iterator = page.NextShardIterator;
      this.#lastSequence = page.Records.at(-1)?.dynamodb?.SequenceNumber ?? this.#lastSequence;
      return page.Records;
    } catch (error) {
      // The emulator considers an iterator outdated that was opened while the stream was empty.
      if (!String(error).includes('TrimmedDataAccessException')) throw error;
      this.#iterator = undefined;
      return [];
    }
  }

  async #open(): Promise<string> {
    const { StreamDescription } = await this.#call<{ StreamDescription: { Shards: { ShardId: string }[] } }>(
      'DescribeStream',
      { StreamArn: this.#streamArn },
    );
    const { ShardIterator } = await this.#call<{ ShardIterator: string }>('GetShardIterator', {
      StreamArn: this.#streamArn,
      ShardId: StreamDescription.Shards[0]?.ShardId,
      ...(this.#lastSequence === undefined
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: this.#lastSequence }),
    });
    return ShardIterator;
  }

  async #call<T>(operation: string, body: object): Promise<T> {
    const response = await fetch(this.#endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDBStreams_20120810.${operation}`,
        authorization:
          'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${operation}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}
