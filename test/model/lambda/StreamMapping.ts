import type { DynamoDBBatchResponse } from 'aws-lambda';
import type { Random } from '../../simulation/Random.ts';
import type { Scheduler } from '../../simulation/Scheduler.ts';
import type { DynamoStream } from '../dynamo/DynamoStream.ts';
import type { StreamShard, TableRecord } from '../dynamo/StreamShard.ts';
import type { FunctionModel } from './FunctionModel.ts';

export interface StreamMappingFaults {
  /** A batch that was handled is handed over once more. */
  readonly duplicateBatch: number;
  readonly lateBatch: number;
  /** Nothing is read of a shard for up to some minutes. */
  readonly restingShard: number;
  /** A function still has records that were given up, and handles them up to a minute later. */
  readonly heldBatch: number;
  /** The notice of records that were given up comes up to a minute later. */
  readonly lateNotice: number;
}

/** Why records were given up, as Lambda's notice says it. */
export type GivenUp = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

export interface StreamMappingOptions {
  readonly source: DynamoStream;
  readonly target: Pick<FunctionModel, 'invoke'>;
  readonly batchSize: number;
  readonly retries: number;
  /** Older records are given up, without an attempt. */
  readonly maxAgeMs: number;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly faults: () => StreamMappingFaults;
  /** How often each shard is read. Absent: records are read as soon as they can be. */
  readonly pollMs?: number | undefined;
  /** A record as the function gets it. */
  readonly encode: (record: TableRecord) => object;
  /** Called with records that are too old, or whose retries are used up. */
  readonly onGivenUp: (records: readonly TableRecord[], condition: GivenUp) => void;
}

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 20_000;
const THROTTLED_MS = 500;
const LATE_MS = [1, 5_000] as const;
const AGAIN_MS = [1, 10_000] as const;
const HELD_MS = [1, 20_000] as const;
const REST_MS = [20_000, 200_000] as const;

interface ShardState {
  /** When the shard is read: so long after each multiple of the time from one poll to the next. */
  readonly phaseMs: number;
  /** The place of the next record, and the sequence number of the one before it. */
  at: number;
  after: string | undefined;
  isBusy: boolean;
  isDone: boolean;
  isAwake: boolean;
}

/**
 * Lambda's event source mapping of a table's stream: one batch at a time for each shard, in order, a child after its parent. A batch that fails is halved
 * until the failing record is alone, and given up after its retries.
 */
export class StreamMapping {
  readonly #options: StreamMappingOptions;
  readonly #states = new Map<StreamShard, ShardState>();
  /** While nothing is read: the records that wait, or have been dropped meanwhile, by sequence number, each with its shard. */
  #unread: Map<string, readonly [TableRecord, StreamShard]> | undefined;
  /** How long the oldest record that a function was given had waited: the longest; milliseconds. */
  deepestLagMs = 0;

  constructor(options: StreamMappingOptions) {
    this.#options = options;
    options.source.subscribe((shard) => this.#wake(shard));
    for (const shard of options.source.shards) this.#wake(shard);
  }

  /** True while a batch is under way or waits. */
  get isBusy(): boolean {
    return [...this.#states].some(([shard, { isBusy, at }]) => isBusy || at < shard.end);
  }

  /** From now on it reads nothing, as a trigger does that is disabled or has lost its permission. What is under way goes on. */
  stopReading(): void {
    this.#unread = new Map();
    for (const shard of this.#states.keys()) this.#noteUnread(shard);
  }

  /** Reads again, from the oldest record that the stream still has. Returns the records that the function will never get. Only the caller learns of them. */
  readOn(): readonly TableRecord[] {
    const unread = new Map(this.#unread);
    this.#unread = undefined;
    this.#options.source.trim();
    for (const [shard, state] of this.#states) {
      state.at = Math.max(state.at, shard.first);
      for (const record of shard.keptAfter(state.after)) unread.delete(sequenceOf(record));
      this.#wake(shard);
    }
    const isLost = ([record, shard]: readonly [TableRecord, StreamShard]) =>
      sequenceOf(record) > (this.#stateOf(shard).after ?? '') && isWanted(record);
    return [...unread.values()].filter(isLost).map(([record]) => record);
  }

  #noteUnread(shard: StreamShard): void {
    for (const record of shard.keptAfter(this.#stateOf(shard).after))
      this.#unread?.set(sequenceOf(record), [record, shard]);
  }

  /** Looks at the shard at once, but not from within the write that woke it. */
  #wake(shard: StreamShard): void {
    const { scheduler } = this.#options;
    const state = this.#stateOf(shard);
    if (this.#unread) return this.#noteUnread(shard);
    if (state.isBusy || state.isDone || state.isAwake) return;
    const waitMs = Math.max(0, this.#polledAtMs(state, shard.visibleAtMs(state.at) ?? 0, Math.ceil) - scheduler.now());
    state.isAwake = true;
    scheduler.setTimer(waitMs, () => {
      state.isAwake = false;
      this.#serve(shard, state);
    });
  }

  /** The first poll of the shard from a time on, or the last one until then. */
  #polledAtMs({ phaseMs }: ShardState, atMs: number, round: (polls: number) => number): number {
    const { pollMs } = this.#options;
    return pollMs === undefined ? atMs : round((atMs - phaseMs) / pollMs) * pollMs + phaseMs;
  }

  #stateOf(shard: StreamShard): ShardState {
    const known = this.#states.get(shard);
    if (known) return known;
    const { pollMs, random } = this.#options;
    const phaseMs = pollMs === undefined ? 0 : random.integer(0, pollMs - 1);
    const state = { phaseMs, at: shard.first, after: undefined, isBusy: false, isDone: false, isAwake: false };
    this.#states.set(shard, state);
    return state;
  }

  #serve(shard: StreamShard, state: ShardState): void {
    if (state.isBusy || state.isDone || this.#unread) return;
    if (shard.parent && this.#states.get(shard.parent)?.isDone === false) return;
    const { batchSize, random, faults, scheduler } = this.#options;
    const { lateBatch, restingShard } = faults();
    const size = lateBatch > 0 ? random.integer(1, batchSize) : batchSize;
    const records = shard.read(state.after, size, this.#polledAtMs(state, scheduler.now(), Math.floor));
    if (records.length === 0) {
      if (shard.isClosed && state.at === shard.end) this.#end(shard, state);
      else if (state.at < shard.end) this.#wake(shard);
      return;
    }
    this.#noteLag(records);
    state.isBusy = true;
    const deliver = async () => {
      if (random.chance(restingShard)) await scheduler.wait(random.integer(...REST_MS));
      else if (random.chance(lateBatch)) await scheduler.wait(random.integer(...LATE_MS));
      const handedOver = this.#withoutOld(records);
      await this.#deliver(handedOver, 0);
      state.at += records.length;
      state.after = sequenceOf(records.at(-1));
      state.isBusy = false;
      if (random.chance(faults().duplicateBatch)) this.#deliverAgain(handedOver);
      this.#wake(shard);
    };
    void deliver();
  }

  /** The records name whole seconds. */
  #noteLag([first]: readonly TableRecord[]): void {
    const writtenMs = ((first?.dynamodb.ApproximateCreationDateTime ?? 0) + 1) * 1000;
    this.deepestLagMs = Math.max(this.deepestLagMs, this.#options.scheduler.now() - writtenMs);
  }

  #end(shard: StreamShard, state: ShardState): void {
    state.isDone = true;
    // A child that has ended without a record is no longer among the source's shards, and has children all the same.
    for (const child of this.#states.keys()) if (child.parent === shard) this.#wake(child);
  }

  /** Gives up the records that have become too old, and returns the others. */
  #withoutOld(records: readonly TableRecord[]): readonly TableRecord[] {
    const { scheduler, maxAgeMs } = this.#options;
    const oldestSeconds = (scheduler.now() - maxAgeMs) / 1_000;
    const isOld = ({ dynamodb }: TableRecord) => dynamodb.ApproximateCreationDateTime < oldestSeconds;
    const old = records.filter((record) => isWanted(record) && isOld(record));
    if (old.length > 0) this.#giveUp(old, 'RecordAgeExceeded');
    return old.length > 0 ? records.filter((record) => !isOld(record)) : records;
  }

  /** Resolves when every record is done or given up. */
  async #deliver(records: readonly TableRecord[], attempt: number): Promise<void> {
    const { target, retries, scheduler, encode } = this.#options;
    const wanted = records.filter(isWanted);
    if (wanted.length === 0) return;
    let outcome = await target.invoke({ Records: wanted.map(encode) });
    while (outcome.status === 'throttled') {
      await scheduler.wait(THROTTLED_MS);
      outcome = await target.invoke({ Records: wanted.map(encode) });
    }
    const failedAt = outcome.status === 'returned' ? failedPlace(outcome.result as DynamoDBBatchResponse, wanted) : 0;
    if (failedAt === undefined) return;
    const left = wanted.slice(failedAt);
    if (failedAt === 0 && left.length > 1) {
      const middle = Math.ceil(left.length / 2);
      await this.#pause(attempt);
      await this.#deliver(left.slice(0, middle), attempt);
      return await this.#deliver(left.slice(middle), attempt);
    }
    const nextAttempt = failedAt > 0 ? 0 : attempt + 1;
    if (nextAttempt > retries) return this.#giveUp(left, 'RetryAttemptsExhausted');
    await this.#pause(attempt);
    await this.#deliver(left, nextAttempt);
  }

  async #pause(attempt: number): Promise<void> {
    await this.#options.scheduler.wait(Math.min(FIRST_RETRY_MS * 2 ** attempt, LONGEST_RETRY_MS));
  }

  #giveUp(records: readonly TableRecord[], condition: GivenUp): void {
    const { random, faults, onGivenUp } = this.#options;
    onGivenUp(records, condition);
    if (random.chance(faults().heldBatch)) this.#deliverAgain(records, HELD_MS);
  }

  #deliverAgain(records: readonly TableRecord[], afterMs: readonly [number, number] = AGAIN_MS): void {
    const { random, scheduler, target, encode } = this.#options;
    const wanted = records.filter(isWanted);
    if (wanted.length > 0)
      scheduler.after(random.integer(...afterMs), () => void target.invoke({ Records: wanted.map(encode) }));
  }
}

/** The stack's filter: a tombstone that the time to live deletes is no change. A live object has a UID: an event that has expired, or what somebody deleted by hand. */
function isWanted({ eventName, dynamodb }: TableRecord): boolean {
  return eventName !== 'REMOVE' || dynamodb.OldImage?.['uid'] !== undefined;
}

/** The first record to hand over again; none if all are done. An answer that names an unknown record fails the whole batch. */
function failedPlace(answer: DynamoDBBatchResponse | undefined, records: readonly TableRecord[]): number | undefined {
  const failures = answer?.batchItemFailures ?? [];
  if (failures.length === 0) return undefined;
  const places = failures.map(({ itemIdentifier }) => records.findIndex((one) => sequenceOf(one) === itemIdentifier));
  return Math.max(0, Math.min(...places));
}

function sequenceOf(record: TableRecord | undefined): string {
  return record?.dynamodb.SequenceNumber ?? '';
}
