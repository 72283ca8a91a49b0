import type { DynamoPhysics } from '../../model/dynamo/DynamoPhysics.ts';
import type { Random } from '../Random.ts';

export interface CloudFaults {
  readonly physics: Partial<DynamoPhysics>;
  readonly account: { readonly concurrencyLimit: number; readonly syncMaxConcurrency: number };
}

const CALM: CloudFaults = { physics: {}, account: { concurrencyLimit: 1_000, syncMaxConcurrency: 6 } };

/** What the services of one run are like. */
export function drawCloudFaults(random: Random, withFaults: boolean): CloudFaults {
  if (!withFaults) return CALM;
  const isSmall = random.chance(0.3);
  return {
    physics: {
      staleReads: random.pick([0, 0.2, 0.7]),
      staleMs: random.pick([50, 1_000]),
      indexLagMs: random.pick([[0, 0] as const, [1, 200] as const, [1, 3_000] as const]),
    },
    account: { concurrencyLimit: isSmall ? 10 : 1_000, syncMaxConcurrency: random.integer(2, 8) },
  };
}
