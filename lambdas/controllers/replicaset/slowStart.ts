/** Kubernetes' SlowStartInitialBatchSize. */
const INITIAL_BATCH = 1;

/**
 * The items in batches of 1, 2, 4, … so that what fails for all alike (a quota) is tried a few times and not hundreds. Pure.
 */
export function slowStartBatches<T>(items: readonly T[]): T[][] {
  const batches: T[][] = [];
  for (let start = 0, size = INITIAL_BATCH; start < items.length; start += size, size *= 2) {
    batches.push(items.slice(start, start + size));
  }
  return batches;
}
