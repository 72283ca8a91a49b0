import type { Clock } from '../../../lambdas/ports/Clock.ts';
import type { Random } from '../../simulation/Random.ts';
import { drawMs, type Spread } from '../Spread.ts';
import type { DynamoPhysics } from './DynamoPhysics.ts';
import type { DynamoUsage, Operation } from './DynamoUsage.ts';
import type { Admission, Partition, Partitions } from './Partitions.ts';
import { throttled } from './serviceErrors.ts';

/** Where a request goes to. */
export interface Target {
  readonly table: string;
  readonly index: string | undefined;
  readonly operation: Operation;
}

/** The part of the requests that a partition refuses which others keep busy. */
const REFUSED_WHILE_BUSY = 0.7;

/** What the tables of one model share: time, luck, and the count of what they use. */
export class TableWorld {
  readonly clock: Clock;
  /** May change while the model runs. */
  physics: DynamoPhysics;
  /** True while requests are carried out that must not meet a busy partition. */
  isLenient = false;
  readonly usage: DynamoUsage;
  readonly #random: Random;

  constructor(clock: Clock, random: Random, physics: DynamoPhysics, usage: DynamoUsage) {
    this.clock = clock;
    this.#random = random;
    this.physics = physics;
    this.usage = usage;
  }

  /** Draws a whole number of milliseconds. Draws nothing if there is no choice. */
  draw(spread: Spread): number {
    const [least, most] = spread;
    return least === most ? (least as number) : drawMs(spread, this.#random);
  }

  chance(probability: number): boolean {
    return this.#random.chance(probability);
  }

  /** Returns the time whose state an eventual read sees; `undefined` for the present state. */
  staleFromMs(): number | undefined {
    const { staleReads, staleMs } = this.physics;
    return this.#random.chance(staleReads) ? this.clock.now() - this.#random.integer(0, staleMs) : undefined;
  }

  /** Throws the throttling error if the partition, its table or its index has no throughput left. */
  admit(
    partitions: Partitions,
    partition: Partition,
    kind: 'read' | 'write',
    { table, index, operation }: Target,
  ): void {
    const nowMs = this.clock.now();
    const admission: Admission = this.#isBusy(partition, nowMs)
      ? 'KeyRangeThroughputExceeded'
      : partitions.admit(partition, kind, nowMs);
    if (admission === 'admitted') return;
    const resource = index === undefined ? table : `${table}/${index}`;
    const where = admission === 'AccountLimitExceeded' ? resource : `${resource} partition ${partition.id} ${kind}`;
    this.usage.throttle(this.usage.row(table, index, operation), where, nowMs);
    const reason = {
      on: index === undefined ? 'Table' : 'Index',
      operation: kind === 'read' ? 'Read' : 'Write',
      limit: admission,
    } as const;
    throw throttled(reason, resource);
  }

  #isBusy(partition: Partition, nowMs: number): boolean {
    const { busyPartition, busyMs } = this.physics;
    if (busyPartition === 0 || this.isLenient) return false;
    if (this.chance(busyPartition)) partition.busyUntilMs = nowMs + this.draw(busyMs);
    return nowMs < partition.busyUntilMs && this.chance(REFUSED_WHILE_BUSY);
  }
}
