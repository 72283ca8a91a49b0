import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Clock, sleep } from '../../ports/Clock.ts';
import type { Ids } from '../../ports/Ids.ts';

/** What asks for no more than to be asked again later: throttles, transactions in each other's way, and faults of the service. */
const PASSING = new Set([
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
const PASSING_SOCKET_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN']);

const ATTEMPTS = 10;
const FIRST_DELAY_MS = 25;
const LONGEST_DELAY_MS = 2_000;

export interface DynamoDbCallsOptions {
  readonly client: DynamoDBClient;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Requests to DynamoDB that outlast what passes: throttling, transaction conflicts and faults of the service are tried again after a random
 * delay below 25 ms × 2ⁿ, at most 2 s, ten times in all. They never show as an outcome of a condition.
 *
 * An attempt that failed may have been carried out all the same: who sends a conditional write must recognise its own success in the item that
 * fails the condition.
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

  /** Throws what `request` throws, if it is not of the passing kind or does not pass. */
  async send<T>(request: (client: DynamoDBClient) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await request(this.#client);
      } catch (error) {
        if (attempt + 1 >= ATTEMPTS || !isPassing(error)) throw error;
      }
      await this.pause(attempt);
    }
  }

  /** Waits as long as is right after so many failures. */
  async pause(attempt: number): Promise<void> {
    const ceilingMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
    await sleep(this.clock, this.#ids.random() * ceilingMs);
  }
}

function isPassing(error: unknown): boolean {
  const { name, code, $fault } = error as { name?: string; code?: string; $fault?: string };
  return PASSING.has(name ?? '') || PASSING_SOCKET_ERRORS.has(code ?? '') || $fault === 'server';
}
