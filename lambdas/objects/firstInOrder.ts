/** If more than one of so many items is wanted, to sort all of them takes no longer. */
const SORT_FROM_ONE_IN = 8;

/** Returns the first `count` items in the order of `compare`; of equal ones, those that come first in the list. Of many items a few are found without sorting all. Pure. */
export function firstInOrder<T>(items: readonly T[], count: number, compare: (a: T, b: T) => number): T[] {
  if (count * SORT_FROM_ONE_IN > items.length) return [...items].sort(compare).slice(0, count);
  const first: T[] = [];
  for (const item of items) {
    const isFull = first.length === count;
    if (isFull && (count === 0 || compare(item, first[count - 1] as T) >= 0)) continue;
    first.splice(placeAfter(first, item, compare), 0, item);
    if (isFull) first.pop();
  }
  return first;
}

/** Returns the index at which an item is to be put, behind all that are not after it. */
function placeAfter<T>(sorted: readonly T[], item: T, compare: (a: T, b: T) => number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(sorted[middle] as T, item) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
