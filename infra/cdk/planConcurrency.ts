import { FUNCTIONS, type FunctionName } from '../topology.ts';
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
export const UNRESERVED = 100;
/** A new account's quota, which is assumed if nobody says otherwise. */
export const NEW_ACCOUNT_CONCURRENCY = 10;
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
/** Lambda's least for a queue. */
export const LEAST_SYNC_CONCURRENCY = 2;

type Knobs = Pick<
  DriftlessStackProps,
  'api' | 'accountConcurrency' | 'reservedConcurrency' | 'syncMaxConcurrency' | 'maxWatches'
>;

/**
 * Divides the account's executions so that watches, of which each holds one, cannot take those of `sync`, `record` and `enqueue`. If the quota allows reservations, `api` gets one
 * of its own, which bounds it, and the others get theirs as far as there is room. If not, the API itself bounds the watches, `sync` takes what is left, and this plan says so. What the user wrote wins. Pure.
 */
export function planConcurrency(knobs: Knobs): ConcurrencyPlan {
  const { accountConcurrency = NEW_ACCOUNT_CONCURRENCY, reservedConcurrency: written } = knobs;
  const spare = accountConcurrency - UNRESERVED - sumOf(Object.values(written));
  if (written.api === undefined && spare < LEAST_API_EXECUTIONS) return withoutReservations(knobs);
  const syncMaxConcurrency = wantedSyncs(knobs);
  const api = written.api ?? Math.min(MOST_API_EXECUTIONS, Math.floor(spare / 2));
  const others = { sync: syncMaxConcurrency, record: STREAM_EXECUTIONS, enqueue: STREAM_EXECUTIONS, ...written };
  const apiPart = knobs.api === 'function' ? { api } : {};
  const isRoom = sumOf(Object.values({ ...others, api: 0, ...apiPart })) <= accountConcurrency - UNRESERVED;
  return {
    reserved: { ...(isRoom ? others : written), ...apiPart },
    maxWatches: knobs.maxWatches ?? Math.max(1, Math.floor(api * WATCH_SHARE)),
    syncMaxConcurrency,
  };
}

/** Lambda throttles the batches that it receives above the function's reservation. */
function wantedSyncs({ syncMaxConcurrency, reservedConcurrency }: Knobs): number {
  return syncMaxConcurrency ?? Math.min(FUNCTIONS.sync.trigger.maxConcurrency, reservedConcurrency.sync ?? Infinity);
}

/** Without reservations all functions share the account's executions. */
function withoutReservations(knobs: Knobs): ConcurrencyPlan {
  const { accountConcurrency: limit = NEW_ACCOUNT_CONCURRENCY, reservedConcurrency } = knobs;
  const maxWatches = knobs.maxWatches ?? Math.max(1, Math.floor(limit * UNRESERVED_WATCH_SHARE));
  // A container's watches take no executions.
  const room = limit - LEAST_OTHERS - (knobs.api === 'function' ? maxWatches : 0);
  const sync = syncsWithin(knobs, Math.max(LEAST_SYNC_CONCURRENCY, room));
  const isBounded = knobs.api === 'function' || sync < wantedSyncs(knobs);
  const warning = isBounded ? smallAccountWarning(knobs, maxWatches, sync) : undefined;
  const plan = { reserved: reservedConcurrency, maxWatches, syncMaxConcurrency: sync };
  return warning === undefined ? plan : { ...plan, warning };
}

/**
 * Lambda receives batches up to the mapping's maximum concurrency, whatever the account's quota is. Those above the quota are throttled: their keys wait for the visibility timeout, each time counts towards the
 * dead letters, and `record`, `enqueue` and requests are throttled with them. So a quota that nobody stated is taken for the smallest, unless the user wrote how many syncs there should be, or reserved some.
 */
function syncsWithin(knobs: Knobs, room: number): number {
  const { accountConcurrency, syncMaxConcurrency, reservedConcurrency } = knobs;
  const isWritten = syncMaxConcurrency !== undefined || reservedConcurrency.sync !== undefined;
  return accountConcurrency === undefined && isWritten ? wantedSyncs(knobs) : Math.min(wantedSyncs(knobs), room);
}

function smallAccountWarning({ api, accountConcurrency }: Knobs, maxWatches: number, sync: number): string {
  const why =
    accountConcurrency === undefined
      ? `accountConcurrency is not set, so the stack assumes a new account's ${NEW_ACCOUNT_CONCURRENCY} concurrent executions`
      : `the account has ${accountConcurrency} concurrent executions, of which Lambda keeps ${UNRESERVED} unreserved`;
  const watches =
    api === 'function' ? `, at most ${maxWatches} watches are answered at the same time (others get 429)` : '';
  return (
    `${why}: none are reserved${watches} and ${sync} batches of keys are synced. ` +
    'Ask for a higher quota "Concurrent executions" of AWS Lambda (L-B99A9384), then set accountConcurrency'
  );
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
