import type { WarmThroughput } from 'aws-cdk-lib/aws-dynamodb';

/** How much one partition, and a whole table, bears in a second. */
export interface Throughput {
  readonly partitionWriteUnits: number;
  readonly partitionReadUnits: number;
  readonly tableWriteUnits: number;
  readonly tableReadUnits: number;
  /** How many partitions a new table has. A table that is warmed in advance has more. */
  readonly partitions: number;
  /** For how many seconds unused units are kept. 0: those of the present second only. */
  readonly burstSeconds: number;
  /** A partition that has been throttled in each second for so long is split. `Infinity`: never. */
  readonly splitAfterMs: number;
}

/** How far units of larger requests may exceed what is left, in one request: a request is admitted if anything is left. */
class Bucket {
  readonly #unitsPerSecond: number;
  readonly #most: number;
  #left: number;
  #filledAtMs: number;

  constructor(unitsPerSecond: number, burstSeconds: number, nowMs: number) {
    this.#unitsPerSecond = unitsPerSecond;
    this.#most = unitsPerSecond * (1 + burstSeconds);
    this.#left = this.#most;
    this.#filledAtMs = nowMs;
  }

  /** True if anything is left. */
  has(nowMs: number): boolean {
    if (nowMs > this.#filledAtMs) {
      this.#left = Math.min(this.#most, this.#left + ((nowMs - this.#filledAtMs) * this.#unitsPerSecond) / 1_000);
      this.#filledAtMs = nowMs;
    }
    return this.#left > 0;
  }

  take(units: number): void {
    this.#left -= units;
  }
}

type Kind = 'read' | 'write';

/** A range of hashes that is served by one machine. */
export class Partition {
  readonly id: number;
  /** The first hash, and the first behind the last. */
  readonly from: number;
  readonly to: number;
  readonly parent: Partition | undefined;
  readonly buckets: Readonly<Record<Kind, Bucket>>;
  isSplit = false;
  hotSinceMs: number | undefined;
  hotAtMs = 0;
  /** Until then others use up most of its throughput. */
  busyUntilMs = 0;

  constructor(
    id: number,
    [from, to]: readonly [number, number],
    parent: Partition | undefined,
    buckets: Readonly<Record<Kind, Bucket>>,
  ) {
    this.id = id;
    this.from = from;
    this.to = to;
    this.parent = parent;
    this.buckets = buckets;
  }
}

export type Admission = 'admitted' | 'KeyRangeThroughputExceeded' | 'AccountLimitExceeded';

const HASHES = 2 ** 32;

/** The partitions of one table or global index, and what is left of their throughput. All items of one partition key are in one partition. */
export class Partitions {
  readonly throughput: Throughput;
  readonly #table: Readonly<Record<Kind, Bucket>>;
  readonly #onSplit: (parent: Partition, children: readonly Partition[]) => void;
  #live: Partition[];
  #count = 0;

  constructor(
    throughput: Throughput,
    nowMs: number,
    onSplit: (parent: Partition, children: readonly Partition[]) => void = () => {},
  ) {
    this.throughput = throughput;
    this.#onSplit = onSplit;
    const { tableReadUnits, tableWriteUnits, burstSeconds, partitions } = throughput;
    this.#table = {
      read: new Bucket(tableReadUnits, burstSeconds, nowMs),
      write: new Bucket(tableWriteUnits, burstSeconds, nowMs),
    };
    const edge = (at: number) => Math.round((HASHES / partitions) * at);
    this.#live = Array.from({ length: partitions }, (_, at) =>
      this.#create([edge(at), edge(at + 1)], undefined, nowMs),
    );
  }

  get live(): readonly Partition[] {
    return this.#live;
  }

  /** Returns the partition of a partition key, given as its hash. */
  of(hash: number): Partition {
    let low = 0;
    let high = this.#live.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#live[middle]?.to ?? 0) <= hash) low = middle + 1;
      else high = middle;
    }
    return this.#live[low] as Partition;
  }

  /** Says whether a request may be served now. If not, and the partition has been too busy for long, it is split. */
  admit(partition: Partition, kind: Kind, nowMs: number): Admission {
    if (!this.#table[kind].has(nowMs)) return 'AccountLimitExceeded';
    if (partition.buckets[kind].has(nowMs)) return 'admitted';
    this.#heat(partition, nowMs);
    return 'KeyRangeThroughputExceeded';
  }

  /** Takes the units of a request that was admitted. */
  take(partition: Partition, kind: Kind, units: number): void {
    this.#table[kind].take(units);
    partition.buckets[kind].take(units);
  }

  /** Replaces a partition by two halves. */
  split(parent: Partition, nowMs: number): void {
    const middle = Math.floor((parent.from + parent.to) / 2);
    if (parent.isSplit || middle === parent.from) return;
    parent.isSplit = true;
    const children = (
      [
        [parent.from, middle],
        [middle, parent.to],
      ] as const
    ).map((range) => this.#create(range, parent, nowMs));
    this.#live = this.#live.flatMap((one) => (one === parent ? children : [one]));
    this.#onSplit(parent, children);
  }

  #heat(partition: Partition, nowMs: number): void {
    if (partition.hotSinceMs === undefined || nowMs - partition.hotAtMs > 1_000) partition.hotSinceMs = nowMs;
    partition.hotAtMs = nowMs;
    if (nowMs - partition.hotSinceMs >= this.throughput.splitAfterMs) this.split(partition, nowMs);
  }

  #create(range: readonly [number, number], parent: Partition | undefined, nowMs: number): Partition {
    const { partitionReadUnits, partitionWriteUnits, burstSeconds } = this.throughput;
    this.#count += 1;
    return new Partition(this.#count, range, parent, {
      read: new Bucket(partitionReadUnits, burstSeconds, nowMs),
      write: new Bucket(partitionWriteUnits, burstSeconds, nowMs),
    });
  }
}

/** Returns how many partitions a table begins with that was warmed for so many units a second. */
export function partitionsOf(
  { partitions, partitionWriteUnits, partitionReadUnits }: Throughput,
  { writeUnitsPerSecond = 0, readUnitsPerSecond = 0 }: WarmThroughput,
): number {
  const writing = Math.ceil(writeUnitsPerSecond / partitionWriteUnits);
  return Math.max(partitions, writing, Math.ceil(readUnitsPerSecond / partitionReadUnits));
}

/** Returns a number from 0 to 2³² - 1 that is spread evenly: FNV-1a, then mixed. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
