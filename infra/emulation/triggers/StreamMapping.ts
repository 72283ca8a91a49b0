import { setTimeout as pause } from 'node:timers/promises';
import type { EmulatedFunction } from '../functions/EmulatedFunction.ts';
import type { DynamoDbLocal } from '../services/DynamoDbLocal.ts';
import { REGION } from '../template/Template.ts';
import type { MappingSpec } from '../template/readTriggers.ts';
import { ShardReader, type StreamRecord } from './ShardReader.ts';
import { type StreamBatchOutcome, streamBatchOutcome } from './batchOutcome.ts';

export interface StreamMappingOptions {
  readonly spec: MappingSpec;
  readonly target: EmulatedFunction;
  readonly dynamoDb: DynamoDbLocal;
  /** Sends a message to the queue with this ARN. */
  readonly send: (queueArn: string, body: string) => Promise<void>;
  /** Called if the stream can no longer be read. */
  readonly onFailed: (error: Error) => void;
}

/** Polling an idle stream costs little, but not nothing. Lambda polls four times a second. */
const SHORTEST_POLL_MS = 10;
const LONGEST_POLL_MS = 100;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;
const SHARD_LIST_PERIOD_MS = 10_000;

/**
 * Lambda's event source mapping for a DynamoDB stream: reads each shard from its beginning and delivers one batch at a time, in order. A failed batch is retried
 * from the failed record, in halves if the mapping says so. After the mapping's retries, a notice of it goes to the on-failure queue.
 */
export class StreamMapping {
  readonly #options: StreamMappingOptions;
  readonly #stop = new AbortController();
  readonly #shards = new Map<string, Promise<void>>();
  #finding: Promise<void> = Promise.resolve();

  constructor(options: StreamMappingOptions) {
    this.#options = options;
  }

  start(): void {
    this.#finding = this.#guarded(this.#findShards());
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#finding;
    await Promise.all(this.#shards.values());
  }

  async #guarded(reading: Promise<void>): Promise<void> {
    try {
      await reading;
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#options.onFailed(error as Error);
    }
  }

  async #findShards(): Promise<void> {
    const { dynamoDb, spec } = this.#options;
    while (!this.#stop.signal.aborted) {
      const { StreamDescription } = await dynamoDb.call<{
        readonly StreamDescription: { readonly Shards?: readonly { readonly ShardId: string }[] };
      }>('DynamoDBStreams_20120810.DescribeStream', { StreamArn: spec.eventSourceArn });
      for (const { ShardId } of StreamDescription.Shards ?? []) {
        if (!this.#shards.has(ShardId)) this.#shards.set(ShardId, this.#guarded(this.#readShard(ShardId)));
      }
      await this.#wait(SHARD_LIST_PERIOD_MS);
    }
  }

  async #readShard(shardId: string): Promise<void> {
    const { spec } = this.#options;
    const reader = new ShardReader(this.#options.dynamoDb, spec.eventSourceArn, shardId);
    let pollMs = SHORTEST_POLL_MS;
    while (!reader.isClosed && !this.#stop.signal.aborted) {
      const read = await reader.read(spec.batchSize);
      const records = read.filter((record) => matchesFilters(record, spec.filters));
      if (records.length > 0) await this.#deliver(shardId, records, 0);
      pollMs = read.length > 0 ? SHORTEST_POLL_MS : Math.min(pollMs * 2, LONGEST_POLL_MS);
      if (read.length < spec.batchSize) await this.#wait(Math.max(pollMs, spec.windowMs));
    }
  }

  /** Resolves when every record is done or given up. */
  async #deliver(shardId: string, records: readonly StreamRecord[], attempt: number): Promise<void> {
    const outcome = await this.#invoke(records);
    if (outcome.status === 'done' || this.#stop.signal.aborted) return;
    const { spec } = this.#options;
    const left = records.slice(outcome.failedAt);
    // If the function reports which record failed, the batch is cut there. Halving does not count as a retry.
    if (spec.bisects && outcome.failedAt === 0 && left.length > 1) {
      const middle = Math.ceil(left.length / 2);
      await this.#deliver(shardId, left.slice(0, middle), attempt);
      return await this.#deliver(shardId, left.slice(middle), attempt);
    }
    const nextAttempt = outcome.failedAt > 0 ? 0 : attempt + 1;
    if (nextAttempt > spec.retries || isTooOld(left, spec.maxRecordAgeMs))
      return await this.#giveUp(shardId, left, nextAttempt);
    await this.#wait(Math.min(FIRST_RETRY_MS * 2 ** attempt, LONGEST_RETRY_MS));
    await this.#deliver(shardId, left, nextAttempt);
  }

  async #invoke(records: readonly StreamRecord[]): Promise<StreamBatchOutcome> {
    const { spec, target } = this.#options;
    const Records = records.map((record) => ({
      ...record,
      eventSource: 'aws:dynamodb',
      awsRegion: REGION,
      eventSourceARN: spec.eventSourceArn,
    }));
    const event = JSON.stringify({ Records });
    let outcome = await target.invoke(event);
    // A batch that was throttled has not reached the function, so this does not count as one of its retries.
    for (
      let delayMs = FIRST_RETRY_MS;
      outcome.status === 'throttled';
      delayMs = Math.min(delayMs * 2, LONGEST_RETRY_MS)
    ) {
      if (this.#stop.signal.aborted || isTooOld(records, spec.maxRecordAgeMs)) break;
      await this.#wait(delayMs);
      outcome = await target.invoke(event);
    }
    return streamBatchOutcome(outcome, records, spec.reportsFailures);
  }

  /** Sends the positions of the given-up records to the on-failure queue, without their contents. */
  async #giveUp(shardId: string, records: readonly StreamRecord[], attempts: number): Promise<void> {
    const { spec, target, send } = this.#options;
    if (spec.onFailureArn === undefined) return;
    const [first, last] = [records[0] as StreamRecord, records.at(-1) as StreamRecord];
    const arrival = ({ dynamodb }: StreamRecord) => new Date(dynamodb.ApproximateCreationDateTime * 1000).toISOString();
    const body = {
      requestContext: {
        requestId: first.eventID,
        functionArn: target.spec.arn,
        condition: 'RetryAttemptsExhausted',
        approximateInvokeCount: attempts,
      },
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      version: '1.0',
      timestamp: new Date().toISOString(),
      DDBStreamBatchInfo: {
        shardId,
        startSequenceNumber: first.dynamodb.SequenceNumber,
        endSequenceNumber: last.dynamodb.SequenceNumber,
        approximateArrivalOfFirstRecord: arrival(first),
        approximateArrivalOfLastRecord: arrival(last),
        batchSize: records.length,
        streamArn: spec.eventSourceArn,
      },
    };
    await send(spec.onFailureArn, JSON.stringify(body));
  }

  async #wait(delayMs: number): Promise<void> {
    await pause(delayMs, undefined, { signal: this.#stop.signal }).catch(() => {});
  }
}

function isTooOld([first]: readonly StreamRecord[], maxAgeMs: number): boolean {
  return first !== undefined && Date.now() - first.dynamodb.ApproximateCreationDateTime * 1000 > maxAgeMs;
}

/**
 * Returns true if Lambda would deliver the record: it matches any of the mapping's filter patterns (JSON), or there are none. Supports lists of exact values and of `exists`, nested
 * in objects; throws for operators that the stack does not use. Pure.
 */
export function matchesFilters(record: object, patterns: readonly string[]): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matches(record, JSON.parse(pattern)));
}

function matches(value: unknown, pattern: unknown): boolean {
  if (Array.isArray(pattern)) return pattern.some((wanted) => isSame(value, wanted));
  return Object.entries(pattern as object).every(([name, inner]) =>
    matches((value as Readonly<Record<string, unknown>> | undefined)?.[name], inner),
  );
}

function isSame(value: unknown, wanted: unknown): boolean {
  if (JSON.stringify(wanted) === '{"exists":true}') return value !== undefined;
  if (typeof wanted === 'object' && wanted !== null) {
    throw new Error(`the emulation does not support the filter ${JSON.stringify(wanted)}`);
  }
  return value === wanted;
}
