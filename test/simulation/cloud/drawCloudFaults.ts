import { FUNCTIONS } from '../../../infra/topology.ts';
import type { DynamoPhysics } from '../../model/dynamo/DynamoPhysics.ts';
import type { Random } from '../Random.ts';

export interface CloudFaults {
  /** What DynamoDB is like. What can be called a fault ends with the others. */
  readonly physics: Partial<DynamoPhysics>;
  readonly account: { readonly concurrencyLimit: number; readonly syncMaxConcurrency: number };
  readonly streams: {
    /** The probability that a function's trigger reads nothing of a shard for up to some minutes; for each batch. */
    readonly restingShard: number;
    /** The age at which records are given up. It stands for the service's day: shorter, so that some rests are too long. */
    readonly maxAgeMs: number;
    /** The probability that a function still has records that were given up. */
    readonly heldBatch: number;
    /** The probability that the notice of it comes up to a minute later. */
    readonly lateNotice: number;
  };
  /** What becomes of the messages by which writers send the keys of their own changes. */
  readonly directKeys: 'sent' | 'a tenth is lost' | 'all are lost';
  /** When partitions of the table of objects are split, after the start; `luck`, from 0 to 1, says which. */
  readonly splits: readonly { readonly atMs: number; readonly luck: number }[];
}

const HOUR_MS = 3_600_000;

const CALM: CloudFaults = {
  physics: {},
  account: { concurrencyLimit: 1_000, syncMaxConcurrency: 6 },
  streams: { restingShard: 0, heldBatch: 0, lateNotice: 0, maxAgeMs: FUNCTIONS.record.trigger.maxAgeMs },
  directKeys: 'sent',
  splits: [],
};

/** The physics without what ends with the other faults. */
export const NO_CLOUD_FAULTS: Partial<DynamoPhysics> = { slowShard: 0, busyPartition: 0 };

/** What the services of one run are like. Each run leaves some faults out, as `drawFaultRates` does. `endMs`: when the script ends. */
export function drawCloudFaults(random: Random, withFaults: boolean, endMs: number): CloudFaults {
  if (!withFaults) return CALM;
  const isSmall = random.chance(0.3);
  return {
    physics: drawPhysics(random),
    account: { concurrencyLimit: isSmall ? 10 : 1_000, syncMaxConcurrency: random.integer(2, 8) },
    streams: random.chance(0.2)
      ? { restingShard: 0.01, maxAgeMs: 90_000, heldBatch: 0.9, lateNotice: 0.8 }
      : CALM.streams,
    splits: random.chance(0.25) ? drawSplits(random, endMs) : [],
    directKeys: random.pick(['sent', 'sent', 'a tenth is lost', 'all are lost'] as const),
  };
}

function drawPhysics(random: Random): Partial<DynamoPhysics> {
  return {
    staleReads: random.pick([0, 0.2, 0.7]),
    staleMs: random.pick([50, 1_000]),
    indexLagMs: random.pick([[0, 0] as const, [1, 200] as const, [1, 3_000] as const]),
    streamLagMs: random.pick([[0, 0] as const, [1, 300] as const, [100, 2_000] as const]),
    slowShard: random.chance(0.3) ? random.pick([0.003, 0.01]) : 0,
    slowShardMs: [5_000, 60_000],
    shardLifetimeMs: random.chance(0.2) ? random.integer(5_000, 60_000) : 4 * HOUR_MS,
    busyPartition: random.chance(0.3) ? random.pick([0.0005, 0.002]) : 0,
    timeToLiveLagMs: random.pick([[0, 60_000] as const, [0, 48 * HOUR_MS] as const]),
  };
}

function drawSplits(random: Random, endMs: number): CloudFaults['splits'] {
  const count = random.integer(1, 3);
  return Array.from({ length: count }, () => ({ atMs: random.integer(0, endMs), luck: random.fraction() }));
}
