/**
 * What the models of AWS promise, in one place: `npm run bench` fails if the models exceed a figure, and `npm run verify` compares an account with it.
 */

/** What a figure may be at most, milliseconds. */
export interface LatencyLimit {
  readonly p50: number;
  readonly p95: number;
}

/** The rows of the bench's table of latencies, with what each may be at most in 40 worlds: from the acknowledged write on, with everything warm. */
export const LATENCY_LIMITS = {
  Ready: { p50: 330, p95: 430 },
  available: { p50: 420, p95: 550 },
  rolled: { p50: 1_500, p95: 1_900 },
  '100 rolled': { p50: 2_200, p95: 3_300 },
  'scaled by half, available': { p50: 390, p95: 500 },
  'deleted, background': { p50: 400, p95: 500 },
  'deleted, foreground': { p50: 450, p95: 700 },
  'a change seen by a watcher': { p50: 120, p95: 260 },
  'first request after a pause, beyond a warm one': { p50: 60, p95: 200 },
  'Ready, with requests': { p50: 330, p95: 430 },
  'available, with requests': { p50: 420, p95: 550 },
  'rolled, with requests': { p50: 1_500, p95: 1_900 },
  '100 rolled, with requests': { p50: 2_200, p95: 3_300 },
  'Ready, as users write them': { p50: 390, p95: 480 },
  'available, as users write them': { p50: 480, p95: 600 },
  'rolled, as users write them': { p50: 1_650, p95: 2_100 },
  '100 rolled, as users write them': { p50: 2_200, p95: 3_300 },
} as const satisfies Readonly<Record<string, LatencyLimit>>;

/** What API Gateway and the authorizer add to a request, which the models leave out; milliseconds. */
export const GATEWAY_MS = { least: 60, most: 90 } as const;

/** What a small read takes in a warm function at most, without the gateway: two calls to DynamoDB that are slower than 99 of 100, and computing (`test/model/publishedLatencies.ts`); milliseconds. */
export const READ_MS = 30;

/** What an idle month costs at most: after the allowances that every account keeps, which the bench checks, and without them; dollars, without alarms and dashboard. */
export const IDLE_MONTH_DOLLARS = { afterAllowances: 0.08, listed: 0.5 } as const;
