import type { FunctionName } from '../topology.ts';
import type { DriftlessStackProps } from './DriftlessStackProps.ts';

/** How the account's concurrent executions are divided. */
export interface ConcurrencyPlan {
  readonly reserved: Readonly<Partial<Record<FunctionName, number>>>;
  /** The watches that the API function answers at the same time. It answers others with 429. */
  readonly maxWatches: number;
  readonly syncMaxConcurrency: number;
  /** What the user should know at synthesis. */
  readonly warning?: string;
}

/** Lambda refuses a reservation that would leave less than this to all functions without one. */
const UNRESERVED = 100;
/** A new account's quota, which is assumed if nobody says otherwise. */
const NEW_ACCOUNT = 10;
/** `record` and `enqueue` need one execution for each shard of the stream. */
const STREAM_EXECUTIONS = 100;
/** Below this, a reservation for `api` is not worth its bound. */
const LEAST_API_EXECUTIONS = 10;
const MOST_API_EXECUTIONS = 500;
/** The part of `api`'s executions that watches may take; the others answer requests. */
const WATCH_SHARE = 0.8;
/** Without reservations, the rest is for requests, `sync` and the stream. */
const UNRESERVED_WATCH_SHARE = 0.4;
/** One execution each of `authorize`, `record` and `enqueue`, and one request. */
const LEAST_OTHERS = 4;

type Knobs = Pick<
  DriftlessStackProps,
  'accountConcurrency' | 'reservedConcurrency' | 'syncMaxConcurrency' | 'maxWatches'
>;

/**
 * Divides the account's executions so that watches, of which each holds one, cannot take those of `sync`, `record` and `enqueue`. If the quota allows reservations, `api` gets one
 * of its own, which bounds it, and the others get theirs as far as there is room. If not, the API itself bounds the watches, and this plan says so. What the user wrote wins. Pure.
 */
export function planConcurrency(knobs: Knobs): ConcurrencyPlan {
  const { accountConcurrency = NEW_ACCOUNT, reservedConcurrency: written, syncMaxConcurrency } = knobs;
  const spare = accountConcurrency - UNRESERVED - sumOf(Object.values(written));
  if (written.api === undefined && spare < LEAST_API_EXECUTIONS) return withoutReservations(knobs);
  const api = written.api ?? Math.min(MOST_API_EXECUTIONS, Math.floor(spare / 2));
  const others = { sync: syncMaxConcurrency, record: STREAM_EXECUTIONS, enqueue: STREAM_EXECUTIONS, ...written };
  const isRoom = api + sumOf(Object.values({ ...others, api: 0 })) <= accountConcurrency - UNRESERVED;
  return {
    reserved: { ...(isRoom ? others : written), api },
    maxWatches: knobs.maxWatches ?? Math.max(1, Math.floor(api * WATCH_SHARE)),
    syncMaxConcurrency,
  };
}

function withoutReservations(knobs: Knobs): ConcurrencyPlan {
  const { accountConcurrency, reservedConcurrency, syncMaxConcurrency } = knobs;
  const limit = accountConcurrency ?? NEW_ACCOUNT;
  const maxWatches = knobs.maxWatches ?? Math.max(1, Math.floor(limit * UNRESERVED_WATCH_SHARE));
  // Throttled batches of keys wait for their visibility timeout, so there should be none.
  const most = accountConcurrency === undefined ? syncMaxConcurrency : Math.max(2, limit - maxWatches - LEAST_OTHERS);
  const sync = Math.min(syncMaxConcurrency, most);
  const why =
    accountConcurrency === undefined
      ? `accountConcurrency is not set, so the stack assumes a new account's ${limit} concurrent executions`
      : `the account has ${limit} concurrent executions, of which Lambda keeps ${UNRESERVED} unreserved`;
  const warning =
    `${why}: none are reserved, at most ${maxWatches} watches are answered at the same time (others get 429) and ` +
    `${sync} batches of keys are synced. Ask for a higher quota "Concurrent executions" of AWS Lambda (L-B99A9384), then set accountConcurrency`;
  return { reserved: reservedConcurrency, maxWatches, syncMaxConcurrency: sync, warning };
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
