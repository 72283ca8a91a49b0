import { DYNAMODB, STREAMS } from '../publishedLimits.ts';
import type { Spread } from '../Spread.ts';
import type { Throughput } from './Partitions.ts';

/** From the least to the most, both included; drawn anew each time. */
type Range = readonly [leastMs: number, mostMs: number];

/** What the service is like. Everything that AWS does not publish is a knob. */
export interface DynamoPhysics extends Throughput {
  /** The probability that an eventual read meets a replica that is behind, and how far it is behind at most. */
  readonly staleReads: number;
  readonly staleMs: number;
  /** How far a global index is behind its table. */
  readonly indexLagMs: Range;
  /** How late the time to live deletes an item. */
  readonly timeToLiveLagMs: Range;
  /** How long after a write its record can be read from the stream. */
  readonly streamLagMs: Spread;
  /** The probability that a write makes its shard slow, and for how long no record of it can be read then. */
  readonly slowShard: number;
  readonly slowShardMs: Range;
  /** The probability that a request finds its partition too busy with others, and for how long most requests are refused there then. */
  readonly busyPartition: number;
  readonly busyMs: Range;
  /** The age at which a shard ends and another one takes its place. */
  readonly shardLifetimeMs: number;
  /** How long records are kept. A bench keeps them for less, to spare memory. */
  readonly streamRetentionMs: number;
}

const HOUR_MS = 3_600_000;

/** Throughput as published, without luck: nothing is behind, and partitions are never split. */
export const DEFAULT_PHYSICS: DynamoPhysics = {
  partitionWriteUnits: DYNAMODB.partitionWriteUnits,
  partitionReadUnits: DYNAMODB.partitionReadUnits,
  tableWriteUnits: DYNAMODB.tableWriteUnits,
  tableReadUnits: DYNAMODB.tableReadUnits,
  partitions: DYNAMODB.newTableWriteUnits / DYNAMODB.partitionWriteUnits,
  burstSeconds: 0,
  splitAfterMs: Number.POSITIVE_INFINITY,
  staleReads: 0,
  staleMs: 1_000,
  indexLagMs: [0, 0],
  timeToLiveLagMs: [HOUR_MS / 60, 48 * HOUR_MS],
  streamLagMs: [0, 0],
  slowShard: 0,
  slowShardMs: [1_000, 60_000],
  busyPartition: 0,
  busyMs: [10, 2_000],
  shardLifetimeMs: 4 * HOUR_MS,
  streamRetentionMs: STREAMS.retentionMs,
};

/** A service that bears everything at once, for tests of what is stored. */
export const UNLIMITED: Partial<DynamoPhysics> = {
  partitionWriteUnits: Number.POSITIVE_INFINITY,
  partitionReadUnits: Number.POSITIVE_INFINITY,
  tableWriteUnits: Number.POSITIVE_INFINITY,
  tableReadUnits: Number.POSITIVE_INFINITY,
};
