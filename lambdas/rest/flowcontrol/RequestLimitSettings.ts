import type { RequestRate } from '../../objects/tokenBucket.ts';

/** The rates of a flow at the level `global-default`. Other levels have more or less, by their shares (see `decideBuckets.ts`). Absent: there is no such limit. */
export interface RequestLimitSettings {
  readonly user?: RequestRate;
  readonly namespace?: RequestRate;
}
