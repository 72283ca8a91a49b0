import { areEqualItems } from './attributeValues.ts';
import type { TableChange } from './DynamoTable.ts';
import type { Partition } from './Partitions.ts';
import { StreamShard, type TableRecord } from './StreamShard.ts';
import type { TableWorld } from './TableWorld.ts';

/** Sequence numbers have more digits than a JavaScript number, as the service's have, and grow in a stream. Those between two records of a shard are other shards'. */
const FIRST_SEQUENCE = 100_000_000_000_000_000_000n;
const SEQUENCE_STEP = 1_009n;

/** How often a shard drops old records: at each so-manieth. */
const TRIM_EVERY = 1_000;

/**
 * The stream of a table's changes: a shard for each partition, so the changes of one item are in the order of its writes, and nothing is promised between shards.
 * When a partition is split, its shard ends, and its children begin. A shard also ends of itself after some hours, and has one child then.
 */
export class DynamoStream {
  readonly #world: TableWorld;
  readonly #open = new Map<Partition, StreamShard>();
  readonly #listeners = new Set<(shard: StreamShard) => void>();
  #shards: StreamShard[] = [];
  #shardCount = 0;
  #recordCount = 0n;

  constructor(world: TableWorld) {
    this.#world = world;
  }

  /** The shards that may still hold records, parents before their children. */
  get shards(): readonly StreamShard[] {
    this.#shards = this.#shards.filter((shard) => {
      if (shard.isClosed) shard.trim(this.#horizonMs());
      return !shard.isClosed || shard.end > shard.first;
    });
    return this.#shards;
  }

  /** Calls `listener` with each shard that opens, ends, or gets a record; `StreamShard.visibleAtMs` says from when on it can be read. */
  subscribe(listener: (shard: StreamShard) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Opens the shards of a new table. */
  openShards(partitions: readonly Partition[]): void {
    for (const partition of partitions) this.#openShard(partition, undefined);
  }

  /** Adds the record of a change. A write that changes nothing has none. */
  append({ partition, keys, before, after, isExpiry }: TableChange): void {
    if (before && after && areEqualItems(before, after)) return;
    const nowMs = this.#world.clock.now();
    const shard = this.#shardOf(partition, nowMs);
    this.#recordCount += 1n;
    const sequence = String(FIRST_SEQUENCE + this.#recordCount * SEQUENCE_STEP);
    const record: TableRecord = {
      eventID: sequence,
      eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
      eventSource: 'aws:dynamodb',
      ...(isExpiry && { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } as const }),
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(nowMs / 1_000),
        Keys: keys,
        ...(after && { NewImage: after }),
        ...(before && { OldImage: before }),
        SequenceNumber: sequence,
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    };
    const { slowShard, slowShardMs, streamLagMs } = this.#world.physics;
    if (this.#world.chance(slowShard)) shard.slowUntilMs = nowMs + this.#world.draw(slowShardMs);
    shard.append(record, nowMs, this.#world.draw(streamLagMs));
    if (shard.end % TRIM_EVERY === 0) shard.trim(this.#horizonMs());
    this.#tell(shard);
  }

  /** Ends a partition's shard, and opens those of the partitions that take its place. */
  split(parent: Partition, children: readonly Partition[]): void {
    const shard = this.#open.get(parent);
    this.#open.delete(parent);
    shard?.close();
    for (const child of children) this.#openShard(child, shard);
    if (shard) this.#tell(shard);
  }

  /** Drops the records that are older than the stream keeps them. Nobody is told. */
  trim(): void {
    for (const shard of this.#shards) shard.trim(this.#horizonMs());
  }

  #shardOf(partition: Partition, nowMs: number): StreamShard {
    const open = this.#open.get(partition);
    if (open && nowMs - open.openedAtMs < this.#world.physics.shardLifetimeMs) return open;
    open?.close();
    const next = this.#openShard(partition, open);
    if (open) this.#tell(open);
    return next;
  }

  #openShard(partition: Partition, parent: StreamShard | undefined): StreamShard {
    this.#shardCount += 1;
    const id = `shardId-${String(this.#shardCount).padStart(20, '0')}-${String(partition.id).padStart(8, '0')}`;
    const shard = new StreamShard(id, parent, this.#world.clock.now());
    this.#open.set(partition, shard);
    this.#shards.push(shard);
    this.#tell(shard);
    return shard;
  }

  #horizonMs(): number {
    return this.#world.clock.now() - this.#world.physics.streamRetentionMs;
  }

  #tell(shard: StreamShard): void {
    for (const listener of this.#listeners) listener(shard);
  }
}
