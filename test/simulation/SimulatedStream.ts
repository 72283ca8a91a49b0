import type { EnqueueHandler } from '../../lambdas/functions/enqueue/createEnqueueHandler.ts';
import { type Change, subjectOf } from '../../lambdas/ports/ChangeLog.ts';
import type { GateParts } from './Gate.ts';
import { placeOf } from './World.ts';

const SHARDS = 3;
const MAX_BATCH = 8;
/** How long a batch waits after its function died: the function's own timeout, made short. */
const TIMEOUT_MS = 5_000;
const RETRY_MS = 100;

interface Shard {
  readonly waiting: Change[];
  isBusy: boolean;
  /** How often the stream was cleared when the shard last became busy: older deliveries count no more. */
  era: number;
}

/**
 * A table's stream at its worst. The changes of one object come in order, as a shard keeps them; those of different objects in any order and batch. A batch comes again
 * when it failed, or its function died, and now and then for no reason, long after later ones.
 */
export class SimulatedStream {
  readonly #parts: GateParts;
  /** `onDeath` is called if the function will never answer. */
  readonly #invoke: (onDeath: () => void) => EnqueueHandler;
  readonly #shards: readonly Shard[] = Array.from({ length: SHARDS }, () => ({
    waiting: [],
    isBusy: false,
    era: 0,
  }));

  constructor(parts: GateParts, invoke: (onDeath: () => void) => EnqueueHandler) {
    this.#parts = parts;
    this.#invoke = invoke;
  }

  append(change: Change): void {
    const shard = this.#shards[shardOf(change)] as Shard;
    shard.waiting.push(change);
    this.#serve(shard);
  }

  /** Forgets every change that was not handled yet: the process that held them has ended. */
  clear(): void {
    for (const shard of this.#shards) {
      shard.waiting.splice(0);
      shard.isBusy = false;
      shard.era += 1;
    }
  }

  #serve(shard: Shard): void {
    if (shard.isBusy || shard.waiting.length === 0) return;
    shard.isBusy = true;
    const { random, scheduler, faults } = this.#parts;
    const delayMs = random.chance(faults.rates.lateBatch) ? random.integer(1, 5000) : random.integer(0, 3);
    const { era } = shard;
    scheduler.after(delayMs, () => {
      if (shard.era === era) this.#deliver(shard);
    });
  }

  #deliver(shard: Shard): void {
    const { random, scheduler, faults } = this.#parts;
    const batch = shard.waiting.slice(0, random.integer(1, MAX_BATCH));
    const { era } = shard;
    let isOver = false;
    const end = (handled: number, delayMs: number) => {
      if (isOver || shard.era !== era) return;
      isOver = true;
      shard.waiting.splice(0, handled);
      if (handled === batch.length && random.chance(faults.rates.duplicateBatch)) this.#deliverAgain(batch);
      scheduler.after(delayMs, () => {
        if (shard.era !== era) return;
        shard.isBusy = false;
        this.#serve(shard);
      });
    };
    void this.#invoke(() => end(0, TIMEOUT_MS))(batch).then((failed) =>
      end(handledOf(batch, failed), failed.length > 0 ? RETRY_MS : 0),
    );
  }

  #deliverAgain(batch: readonly Change[]): void {
    const { random, scheduler } = this.#parts;
    scheduler.after(random.integer(1, 10_000), () => void this.#invoke(() => {})(batch));
  }
}

/** How many changes of a batch count as handled: those before the first that failed. */
function handledOf(batch: readonly Change[], failed: readonly Change[]): number {
  const first = batch.findIndex((change) => failed.includes(change));
  return first < 0 ? batch.length : first;
}

function shardOf(change: Change): number {
  let hash = 0;
  for (const char of placeOf(change.resource, subjectOf(change))) hash = (hash * 31 + char.charCodeAt(0)) >>> 0;
  return hash % SHARDS;
}
