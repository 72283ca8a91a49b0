import { MAX_RETRIES } from '../controllers/Controller.ts';

/**
 * The times and counts that several functions rely on, or a function and its trigger. Each number stands only here. `infra/topology.ts` builds on them, and
 * the product's other files import them from here, since they may not import `infra/`. Times in milliseconds.
 */

export const MINUTE_MS = 60_000;

/** API Gateway holds a streamed answer for 15 minutes, as long as Lambda runs a function. */
export const API_TIMEOUT_MS = 15 * MINUTE_MS;

/** A regional API Gateway ends a streamed answer when nothing was sent for five minutes. */
export const API_IDLE_TIMEOUT_MS = 5 * MINUTE_MS;

/** How long a request to the API may go on writing after it arrived. kube-apiserver's own limit for requests that are not watches is a minute. */
export const REQUEST_LIFETIME_MS = 30_000;

/** How often `resync` looks for overdue wake-ups. */
export const OVERDUE_PERIOD_MS = 60_000;

/** How often `resync` queues every key, unless the configuration says otherwise: once a day. */
export const DEFAULT_RESYNC_PERIOD_MS = 24 * 60 * MINUTE_MS;

/** A key that is retried for ever sets off the alarm after as many failures in a row as would give up a Deployment: 15 retries and the first try. */
export const ALARM_AFTER_FAILURES = MAX_RETRIES + 1;
