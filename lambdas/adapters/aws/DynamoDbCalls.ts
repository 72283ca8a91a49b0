import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Clock, sleep } from '../../ports/Clock.ts';
import type { Ids } from '../../ports/Ids.ts';
import { StoreTimeoutError, type TimeLeft, WRITE_LIFETIME_MS } from '../../ports/ObjectStore.ts';

/** The errors of a partition, a table or an account that has more to do than it may. */
const THROTTLED = new Set([
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'Throttling',
  'ThrottlingException',
]);
/** The other errors that are worth another attempt: transactions that conflict, and faults of the service. */
const TRANSIENT = new Set([
  'InternalServerError',
  'ReplicatedWriteConflictException',
  'ServiceUnavailable',
  'TimeoutError',
  'TransactionConflictException',
  'TransactionInProgressException',
]);
const TRANSIENT_SOCKET_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN']);

const FIRST_DELAY_MS = 25;
const LONGEST_DELAY_MS = 2_000;
/**
 * The delay after an attempt that was throttled, on average. A partition has so many units for each second. Hundreds of processes that tried again within milliseconds would use up the next second's before
 * anything new is done, and keep the partition busy for as long as there is work. A sync that waits takes no new keys meanwhile, so the load falls to what the partition bears.
 */
const THROTTLED_DELAY_MS = 1_000;
/** For how long after a throttled call the tables count as overloaded. */
const OVERLOADED_MS = 3_000;

/** How long calls go on; milliseconds. */
export interface CallLifetimes {
  /** One attempt, from its request to its answer. */
  readonly attemptMs: number;
  /** All attempts of one call together, if the caller sets no earlier end. */
  readonly callMs: number;
  /** All calls of one write of an object together. */
  readonly writeMs: number;
}

/** DynamoDB answers within milliseconds, so a connection that is silent for three seconds is better replaced. */
const LIFETIMES: CallLifetimes = { attemptMs: 3_000, callMs: 10_000, writeMs: WRITE_LIFETIME_MS };

/** What sends one command. It ends with the attempt that it was made for. */
export type DynamoDbSender = Pick<DynamoDBClient, 'send'>;

export interface DynamoDbCallsOptions {
  readonly client: DynamoDbSender;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The time of the caller of all these calls. Absent: each call has ten seconds. */
  readonly timeLeftMs?: TimeLeft;
  /** True for calls that are not repeated when they are throttled. */
  readonly givesWay?: boolean;
  /** Only for tests over an emulator, which may be slower than DynamoDB ever is. */
  readonly lifetimes?: CallLifetimes;
}

/** What all calls of one process share. */
interface Overload {
  throttledAtMs: number;
}

/**
 * Sends requests to DynamoDB, again and again while they fail by throttling, a transaction conflict or a fault of the service, until ten seconds or the caller's time is over. The delay
 * before attempt n + 1 is random: below 25 ms × 2ⁿ and at most 2 s, or half a second to one and a half if the attempt was throttled. Such failures never appear as the outcome of a condition. This is the only layer of retries: the client's own must be off.
 *
 * A failed attempt may have been carried out all the same. The sender of a conditional write must therefore recognise its own success in the item
 * that fails the condition. When its time is over an attempt is aborted and its connection closed, so nothing is sent later.
 */
export class DynamoDbCalls {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly lifetimes: CallLifetimes;
  readonly #options: DynamoDbCallsOptions;
  readonly #overload: Overload;

  constructor(options: DynamoDbCallsOptions, overload: Overload = { throttledAtMs: Number.NEGATIVE_INFINITY }) {
    this.clock = options.clock;
    this.ids = options.ids;
    this.lifetimes = options.lifetimes ?? LIFETIMES;
    this.#options = options;
    this.#overload = overload;
  }

  /** True if a call of this process was throttled a few seconds ago. What can be left out should be. */
  get isOverloaded(): boolean {
    return this.clock.steadyMs() - this.#overload.throttledAtMs < OVERLOADED_MS;
  }

  /** The same calls for a caller with less time. */
  until(timeLeftMs: TimeLeft): DynamoDbCalls {
    const outer = this.#options.timeLeftMs;
    const both = outer ? () => Math.min(outer(), timeLeftMs()) : timeLeftMs;
    return new DynamoDbCalls({ ...this.#options, timeLeftMs: both }, this.#overload);
  }

  /** The same calls for what matters less than all else: when it is throttled, it is given up. */
  givingWay(): DynamoDbCalls {
    return new DynamoDbCalls({ ...this.#options, givesWay: true }, this.#overload);
  }

  /** Throws the error of `request` if it is not transient, and a StoreTimeoutError, whose cause is the last attempt's error, if the time is over or the call gives way. */
  async send<T>(request: (sender: DynamoDbSender) => Promise<T>): Promise<T> {
    const leftMs = this.#timeOfOneCall();
    let last: unknown;
    for (let attempt = 0; leftMs() > 0; attempt += 1) {
      try {
        return await this.#attempt(request, Math.min(leftMs(), this.lifetimes.attemptMs));
      } catch (error) {
        if (!isTransient(error)) throw error;
        last = error;
      }
      const delayMs = isThrottled(last) ? this.#noteThrottled() : this.#delayMs(attempt);
      if (delayMs >= leftMs()) break;
      await sleep(this.clock, delayMs);
    }
    throw new StoreTimeoutError('DynamoDB did not carry out a request in time', { cause: last });
  }

  /** Waits for the backoff after attempt number `attempt`, counted from 0. */
  async pause(attempt: number): Promise<void> {
    await sleep(this.clock, this.#delayMs(attempt));
  }

  /** Waits for work that several callers share, and that goes on without this one. Throws a StoreTimeoutError when this caller's time is over. */
  async within<T>(shared: Promise<T>): Promise<T> {
    const { timeLeftMs } = this.#options;
    if (!timeLeftMs) return await shared;
    return await endAfter(this.clock, timeLeftMs(), shared, () => new StoreTimeoutError('shared work took too long'));
  }

  #timeOfOneCall(): TimeLeft {
    const { timeLeftMs } = this.#options;
    const endMs = this.clock.steadyMs() + this.lifetimes.callMs;
    const ownMs = () => endMs - this.clock.steadyMs();
    return timeLeftMs ? () => Math.min(ownMs(), timeLeftMs()) : ownMs;
  }

  async #attempt<T>(request: (sender: DynamoDbSender) => Promise<T>, lifetimeMs: number): Promise<T> {
    const { client } = this.#options;
    const abort = new AbortController();
    const send = (command: Parameters<DynamoDbSender['send']>[0]) =>
      client.send(command, { abortSignal: abort.signal });
    return await endAfter(this.clock, lifetimeMs, request({ send }), () => {
      abort.abort();
      return Object.assign(new Error('no answer'), { name: 'TimeoutError' });
    });
  }

  #delayMs(attempt: number): number {
    return this.#options.ids.random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  }

  /** Returns how long to wait before the next attempt. */
  #noteThrottled(): number {
    this.#overload.throttledAtMs = this.clock.steadyMs();
    return this.#options.givesWay === true
      ? Number.POSITIVE_INFINITY
      : (0.5 + this.#options.ids.random()) * THROTTLED_DELAY_MS;
  }
}

/** Returns what `work` does, but rejects with the error of `end` if that takes longer than `lifetimeMs`. */
function endAfter<T>(clock: Clock, lifetimeMs: number, work: Promise<T>, end: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimer(lifetimeMs, () => reject(end()));
    work.finally(cancel).then(resolve, reject);
  });
}

function isThrottled(error: unknown): boolean {
  return THROTTLED.has((error as { name?: string }).name ?? '');
}

function isTransient(error: unknown): boolean {
  const { name, code, $fault } = error as { name?: string; code?: string; $fault?: string };
  if (isThrottled(error)) return true;
  return TRANSIENT.has(name ?? '') || TRANSIENT_SOCKET_ERRORS.has(code ?? '') || $fault === 'server';
}
