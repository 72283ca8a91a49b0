/** Consecutive completion indexes, both ends included. */
export interface Interval {
  readonly first: number;
  readonly last: number;
}

/** Sets of completion indexes as Kubernetes keeps them in a Job's status: ordered, and without neighbours that could be one interval. */
export type Intervals = readonly Interval[];

/** Returns the intervals of some indexes, in any order. Pure. */
export function intervalsOf(indexes: Iterable<number>): Intervals {
  return joined([...indexes].map((index) => ({ first: index, last: index })));
}

/** Returns the union of two sets. Pure. */
export function mergeIntervals(one: Intervals, other: Intervals): Intervals {
  return one.length === 0 ? other : other.length === 0 ? one : joined([...one, ...other]);
}

/** Parses `1,3-5,7`. Indexes from `completions` on are left out, and so is a part that cannot be read: Kubernetes' `parseIndexesFromString`. Pure. */
export function parseIntervals(text: string | undefined, completions: number): Intervals {
  const parts = (text ?? '').split(',').flatMap((part) => {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (!match) return [];
    const first = Number(match[1]);
    const last = Math.min(Number(match[2] ?? first), completions - 1);
    return first <= last ? [{ first, last }] : [];
  });
  return joined(parts);
}

/** Encodes as `parseIntervals` reads. Two neighbours are written `3,4`, three as `3-5`. Pure. */
export function encodeIntervals(intervals: Intervals): string {
  return intervals
    .map(({ first, last }) => (first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`))
    .join(',');
}

/** Returns how many indexes there are. Pure. */
export function countIndexes(intervals: Intervals): number {
  return intervals.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/** True if the set has the index. Pure. */
export function hasIndex(intervals: Intervals, index: number): boolean {
  let [low, high] = [0, intervals.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((intervals[middle]?.last ?? 0) >= index) high = middle;
    else low = middle + 1;
  }
  return (intervals[low]?.first ?? Number.POSITIVE_INFINITY) <= index;
}

/** Returns the first `count` indexes below `completions` that are not in the set. Pure. */
export function firstMissing(taken: Intervals, count: number, completions: number): number[] {
  const missing: number[] = [];
  let candidate = 0;
  for (const { first, last } of [...taken, { first: completions, last: completions }]) {
    for (; candidate < Math.min(first, completions) && missing.length < count; candidate++) missing.push(candidate);
    candidate = Math.max(candidate, last + 1);
  }
  return missing;
}

function joined(intervals: readonly Interval[]): Intervals {
  const result: { first: number; last: number }[] = [];
  for (const { first, last } of intervals.toSorted((a, b) => a.first - b.first)) {
    const before = result.at(-1);
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last);
    else result.push({ first, last });
  }
  return result;
}
