/** Kubernetes' SlowStartInitialBatchSize. */
const INITIAL_BATCH = 1;

/** More calls at a time gain nothing: an AWS client has 50 connections, and one process is kept from all else by what it begins at once. */
const LARGEST_BATCH = 64;

/**
 * Calls `call` for the items in batches of 1, 2, 4, … up to 64. The calls of one batch run at the same time. The first batch with a failure is the last: after one failure (a quota, for
 * example) most other calls would fail too, and each makes an event. Returns the results of the items that were tried, in order.
 */
export async function slowStartBatch<T, R>(
  items: readonly T[],
  call: (item: T) => Promise<R>,
  hasFailed: (result: R) => boolean,
): Promise<R[]> {
  const results: R[] = [];
  for (const batch of slowStartBatches(items)) {
    if (results.some(hasFailed)) break;
    results.push(...(await Promise.all(batch.map(call))));
  }
  return results;
}

/** The items in batches of 1, 2, 4, … up to 64. Pure. */
export function slowStartBatches<T>(items: readonly T[]): T[][] {
  const batches: T[][] = [];
  for (
    let start = 0, size = INITIAL_BATCH;
    start < items.length;
    start += size, size = Math.min(size * 2, LARGEST_BATCH)
  ) {
    batches.push(items.slice(start, start + size));
  }
  return batches;
}

/** Calls `call` for all items, as many at a time as in the largest batch. Returns the results in order. */
export async function inBatches<T, R>(items: readonly T[], call: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += LARGEST_BATCH) {
    results.push(...(await Promise.all(items.slice(start, start + LARGEST_BATCH).map(call))));
  }
  return results;
}
