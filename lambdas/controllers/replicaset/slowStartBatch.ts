/** Kubernetes' SlowStartInitialBatchSize. */
const INITIAL_BATCH = 1;

/** More calls at a time gain nothing: an AWS client has 50 connections, and one process is kept from all else by what it begins at once. */
const MOST_AT_ONCE = 64;

/**
 * Calls `call` for the items in batches of 1, 2, 4, … up to 32, and then for 64 at a time: the next begins when one of them has ended. The calls of one batch run at the same time. After a failure no call begins any more: after
 * one (a quota, for example) most others would fail too, and each makes an event. Returns the results of the items that were tried, in order.
 */
export async function slowStartBatch<T, R>(
  items: readonly T[],
  call: (item: T) => Promise<R>,
  hasFailed: (result: R) => boolean,
): Promise<R[]> {
  const { batches, rest } = slowStartBatches(items);
  const results: R[] = [];
  for (const batch of batches) {
    if (results.some(hasFailed)) return results;
    results.push(...(await Promise.all(batch.map(call))));
  }
  return results.some(hasFailed) ? results : [...results, ...(await inTurn(rest, call, hasFailed))];
}

/** The items of the first, growing batches, and those after them. Pure. */
export function slowStartBatches<T>(items: readonly T[]): { readonly batches: readonly T[][]; readonly rest: T[] } {
  const batches: T[][] = [];
  let start = 0;
  for (let size = INITIAL_BATCH; size < MOST_AT_ONCE && start < items.length; start += size, size *= 2)
    batches.push(items.slice(start, start + size));
  return { batches, rest: items.slice(start) };
}

/** Calls `call` for the items, 64 at a time, until a result ends it. Returns the results of those that were tried, in order. */
export async function inTurn<T, R>(
  items: readonly T[],
  call: (item: T) => Promise<R>,
  endsIt: (result: R) => boolean = () => false,
): Promise<R[]> {
  const results: R[] = [];
  let begun = 0;
  let hasEnded = false;
  const goOn = async () => {
    while (!hasEnded && begun < items.length) {
      const at = begun;
      begun += 1;
      const result = await call(items[at] as T);
      results[at] = result;
      hasEnded ||= endsIt(result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, items.length) }, goOn));
  return results;
}
