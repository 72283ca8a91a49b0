import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Clock, sleep } from '../../ports/Clock.ts';
import type { Ids } from '../../ports/Ids.ts';

/** The errors that are worth another attempt: throttling, transactions that conflict, and faults of the service. */
const TRANSIENT = new Set([
  'InternalServerError',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'ReplicatedWriteConflictException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'Throttling',
  'ThrottlingException',
  'TimeoutError',
  'TransactionConflictException',
  'TransactionInProgressException',
]);
const TRANSIENT_SOCKET_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN']);

const ATTEMPTS = 10;
const FIRST_DELAY_MS = 25;
const LONGEST_DELAY_MS = 2_000;

export interface DynamoDbCallsOptions {
  readonly client: DynamoDBClient;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Sends requests to DynamoDB, up to ten times if they fail by throttling, a transaction conflict or a fault of the service. The delay before attempt n + 1
 * is random, below 25 ms × 2ⁿ and at most 2 s. Such failures never appear as the outcome of a condition.
 *
 * A failed attempt may have been carried out all the same. The sender of a conditional write must therefore recognise its own success in the item
 * that fails the condition.
 */
export class DynamoDbCalls {
  readonly clock: Clock;
  readonly #client: DynamoDBClient;
  readonly #ids: Ids;

  constructor({ client, clock, ids }: DynamoDbCallsOptions) {
    this.clock = clock;
    this.#client = client;
    this.#ids = ids;
  }

  /** Throws the error of `request` if it is not transient, or if it is the last attempt's. */
  async send<T>(request: (client: DynamoDBClient) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await request(this.#client);
      } catch (error) {
        if (attempt + 1 >= ATTEMPTS || !isTransient(error)) throw error;
      }
      await this.pause(attempt);
    }
  }

  /** Waits for the backoff after attempt number `attempt`, counted from 0. */
  async pause(attempt: number): Promise<void> {
    const ceilingMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
    await sleep(this.clock, this.#ids.random() * ceilingMs);
  }
}

function isTransient(error: unknown): boolean {
  const { name, code, $fault } = error as { name?: string; code?: string; $fault?: string };
  return TRANSIENT.has(name ?? '') || TRANSIENT_SOCKET_ERRORS.has(code ?? '') || $fault === 'server';
}
