import { createHash } from 'node:crypto';
import { type AttributeValue, ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type FullAtMs, latestFullAt, msUntil, type RequestRate, tokenMs } from '../../../objects/tokenBucket.ts';
import { type Clock, isRecent, type Moment, momentOf } from '../../../ports/Clock.ts';
import type { Admission, RequestLimits } from '../../../ports/RequestLimits.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import {
  decideLeaseSize,
  decideRefusalMs,
  decideTake,
  LEASE_MS,
  maxLeaseSize,
  type SpentLease,
  type Take,
} from './decideLease.ts';

export interface DynamoDbRequestLimitsOptions {
  readonly calls: DynamoDbCalls;
  /** The table of the change logs, which deletes what has expired. `api` may update it already. */
  readonly logTable: string;
  /** By how much the clocks of two processes may differ; milliseconds. */
  readonly clocksDifferMs: number;
  /** Told when a bucket cannot be asked, and a process goes by its own part of the rate for that. */
  readonly report: (line: Readonly<Record<string, unknown>>) => void;
}

/** No resource has a `#` in its name, so no log has these keys. */
const KEY_PREFIX = '#requests ';
/** A request waits no longer for its token. DynamoDB takes a hundredth of it. */
const ASK_MS = 500;
/** How often a bucket is asked again after others were faster. */
const ATTEMPTS = 4;
/** How long the item of a bucket stays that nobody uses. The bucket is full again long before. */
const KEPT_SECONDS = 3_600;
/** So many buckets are remembered before those that nobody has used lately are forgotten. */
const MAX_REMEMBERED = 1_000;

const ADMITTED: Admission = { status: 'admitted' };

/** What this process knows of a bucket. */
interface Known {
  /** The tokens that it has taken and not spent. */
  left: number;
  size: number;
  takenAt: Moment;
  /** For how long the bucket is believed to be empty. Absent: not at all. */
  refusal: { readonly at: Moment; readonly forMs: number; readonly retryAtMs: number } | undefined;
  fullAtMs: FullAtMs | undefined;
  waiting: number;
  asking: Promise<void> | undefined;
}

/**
 * Buckets of which each is one item with one number, the time at which it is full. To take tokens is one conditional write that moves the time, whatever other processes do at the same moment. A process takes several at once and spends
 * them within a second (see `decideLease.ts`), so a flow that is busy pays a write for many requests, and a refusal is answered from memory.
 *
 * Why no more than `slackMs` allows is admitted: all that is taken moves the item's time, which no process moves past its own clock plus the burst. So what is taken in a time `t` is at most `perSecond × t + burst`, and as much as comes in the
 * time by which two clocks differ. What is spent in a time was taken in it, or in the second before. The number of processes is in neither.
 *
 * An attempt whose answer was lost may take its tokens twice. Then a few are lost, and nothing is admitted that should not be.
 */
export class DynamoDbRequestLimits implements RequestLimits {
  readonly slackMs: number;
  readonly #options: DynamoDbRequestLimitsOptions;
  readonly #calls: DynamoDbCalls;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();

  constructor(options: DynamoDbRequestLimitsOptions) {
    this.#options = options;
    this.#calls = options.calls.givingWay();
    this.#clock = options.calls.clock;
    this.slackMs = LEASE_MS + options.clocksDifferMs;
  }

  async admit(bucket: string, rate: RequestRate): Promise<Admission> {
    if (rate.perSecond <= 0) return { status: 'limited', retryAfterMs: Number.POSITIVE_INFINITY };
    const known = this.#knownOf(bucket);
    known.waiting += 1;
    try {
      for (;;) {
        if (this.#isLeased(known) && known.left > 0) {
          known.left -= 1;
          return ADMITTED;
        }
        const refusal = this.#refusalOf(known);
        if (refusal) return refusal;
        // Who comes while the bucket is asked waits for the same answer.
        await (known.asking ??= this.#ask(bucket, rate, known).finally(() => {
          known.asking = undefined;
        }));
      }
    } finally {
      known.waiting -= 1;
    }
  }

  #isLeased({ takenAt }: Known): boolean {
    return isRecent(this.#clock, takenAt, LEASE_MS);
  }

  #refusalOf({ refusal }: Known): Admission | undefined {
    if (!refusal || !isRecent(this.#clock, refusal.at, refusal.forMs)) return undefined;
    return { status: 'limited', retryAfterMs: Math.max(0, refusal.retryAtMs - this.#clock.now()) };
  }

  #knownOf(bucket: string): Known {
    const found = this.#known.get(bucket);
    if (found) return found;
    if (this.#known.size >= MAX_REMEMBERED) this.#forgetUnused();
    const never = { steadyMs: Number.NEGATIVE_INFINITY, timeMs: Number.NEGATIVE_INFINITY };
    const known: Known = {
      left: 0,
      size: 0,
      takenAt: never,
      refusal: undefined,
      fullAtMs: undefined,
      waiting: 0,
      asking: undefined,
    };
    this.#known.set(bucket, known);
    return known;
  }

  #forgetUnused(): void {
    for (const [bucket, known] of this.#known) {
      const isUsed = known.waiting > 0 || this.#isLeased(known) || this.#refusalOf(known) !== undefined;
      if (!isUsed) this.#known.delete(bucket);
    }
  }

  /** Takes tokens, or learns that there are none. */
  async #ask(bucket: string, rate: RequestRate, known: Known): Promise<void> {
    const size = decideLeaseSize(rate, this.#lastLease(known), known.waiting);
    known.refusal = undefined;
    const endMs = this.#clock.steadyMs() + ASK_MS;
    const calls = this.#calls.until(() => endMs - this.#clock.steadyMs());
    try {
      await this.#take(calls, bucket, rate, known, size);
    } catch (error) {
      this.#options.report({ level: 'warn', msg: 'a request limit cannot be read', error });
      this.#goAlone(known, rate);
    }
  }

  #lastLease(known: Known): SpentLease | undefined {
    if (known.size === 0) return undefined;
    return { size: known.size, isUsedUp: known.left === 0 && this.#isLeased(known) };
  }

  async #take(calls: DynamoDbCalls, bucket: string, rate: RequestRate, known: Known, size: number): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const at = momentOf(this.#clock);
      const take = decideTake(rate, known.fullAtMs, at.timeMs, size, this.#options.clocksDifferMs);
      if (take.how === 'refused') break;
      const outcome = await this.#write(calls, bucket, rate, take, at.timeMs);
      known.fullAtMs = outcome.fullAtMs;
      // The lease began before the write, which may have taken a while.
      if (outcome.isTaken) return this.#lease(known, take.count, take.count, at);
    }
    this.#refuse(known, rate);
  }

  /**
   * Admits the part of the rate that a process may hold, for a second. A bucket that cannot be asked may be one that very many processes ask: DynamoDB takes 1,000 writes a second of one item. All that they admit then is still a part for each of them.
   */
  #goAlone(known: Known, rate: RequestRate): void {
    const at = momentOf(this.#clock);
    this.#lease(known, maxLeaseSize(rate), 1, at);
    known.refusal = { at, forMs: LEASE_MS, retryAtMs: at.timeMs + LEASE_MS };
  }

  #lease(known: Known, left: number, size: number, takenAt: Moment): void {
    Object.assign(known, { left, size, takenAt });
  }

  /** The bucket is empty, or many others were faster. */
  #refuse(known: Known, rate: RequestRate): void {
    const at = momentOf(this.#clock);
    const fullAtMs = known.fullAtMs ?? at.timeMs;
    const forMs = decideRefusalMs(rate, fullAtMs, at.timeMs);
    known.size = 0;
    known.refusal = { at, forMs, retryAtMs: at.timeMs + msUntil(rate, fullAtMs, at.timeMs, 1) };
  }

  /** Returns whether the tokens were taken, and the bucket as it is now. */
  async #write(
    calls: DynamoDbCalls,
    bucket: string,
    rate: RequestRate,
    take: Exclude<Take, { readonly how: 'refused' }>,
    nowMs: number,
  ): Promise<{ readonly isTaken: boolean; readonly fullAtMs: FullAtMs | undefined }> {
    const { time, condition, values } = expressionsOf(rate, take, nowMs);
    const command = new UpdateItemCommand({
      TableName: this.#options.logTable,
      Key: { resource: { S: keyOf(bucket) }, segment: { N: '0' } },
      UpdateExpression: `SET fullAt = ${time}, expiresAt = :expires`,
      ConditionExpression: condition,
      ExpressionAttributeValues: {
        ...values,
        ':expires': { N: `${Math.ceil((nowMs + rate.burst * tokenMs(rate)) / 1_000) + KEPT_SECONDS}` },
      },
      ReturnValues: 'UPDATED_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      const { Attributes } = await calls.send((client) => client.send(command));
      return { isTaken: true, fullAtMs: fullAtOf(Attributes) };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { isTaken: false, fullAtMs: fullAtOf(error.Item) };
    }
  }
}

/** Returns what the time becomes, and what must hold of it. Two processes that reopen a bucket at the same moment give it one token. */
function expressionsOf(rate: RequestRate, take: Exclude<Take, { readonly how: 'refused' }>, nowMs: number) {
  const takenMs = take.count * tokenMs(rate);
  const now = { ':now': numberOf(nowMs) };
  switch (take.how) {
    case 'fromFull': {
      const values = { ...now, ':after': numberOf(nowMs + takenMs) };
      return { time: ':after', condition: 'attribute_not_exists(fullAt) OR fullAt <= :now', values };
    }
    case 'fromPart': {
      const latest = numberOf(latestFullAt(rate, nowMs, take.count));
      const values = { ...now, ':taken': numberOf(takenMs), ':latest': latest };
      return { time: 'fullAt + :taken', condition: 'fullAt > :now AND fullAt <= :latest', values };
    }
    case 'reopen': {
      const values = { ':after': numberOf(nowMs + rate.burst * tokenMs(rate)), ':beyond': numberOf(take.beyondMs) };
      return { time: ':after', condition: 'fullAt > :beyond', values };
    }
    default:
      return take satisfies never;
  }
}

/** Names of users can be longer than a key may be. */
function keyOf(bucket: string): string {
  return KEY_PREFIX + createHash('sha256').update(bucket).digest('base64url');
}

/** As many digits as the number has since the epoch. */
function numberOf(value: number): AttributeValue.NMember {
  return { N: value.toFixed(6) };
}

function fullAtOf(item: Readonly<Record<string, AttributeValue>> | undefined): FullAtMs | undefined {
  const text = item?.['fullAt']?.N;
  return text === undefined ? undefined : Number(text);
}
