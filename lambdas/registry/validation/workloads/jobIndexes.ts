/** Indexes from `first` to `last`, both included. */
interface Interval {
  readonly first: number;
  readonly last: number;
}

/** Parses `3` or `3-5`, or returns what is wrong with it. All indexes are below `completions`. */
function parseInterval(text: string, completions: number): Interval | string {
  const parts = text.split('-');
  if (parts.length > 2)
    return `the fragment ${JSON.stringify(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  for (const part of parts) {
    if (!/^[+-]?\d+$/.test(part)) return `cannot convert string to integer for index: ${JSON.stringify(part)}`;
    if (Number(part) >= completions) return `too large index: ${JSON.stringify(part)}`;
  }
  const [first = 0, last = first] = parts.map(Number);
  return parts.length === 2 && first >= last ? outOfOrder(first, last) : { first, last };
}

function outOfOrder(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}

/** How many indexes a text such as `0,3-5` names, or what is wrong with it. Pure. */
export function countIndexes(text: string, completions: number): number | string {
  let [total, previous] = [0, -1];
  for (const part of text === '' ? [] : text.split(',')) {
    const interval = parseInterval(part, completions);
    if (typeof interval === 'string') return interval;
    if (previous >= interval.first) return outOfOrder(previous, interval.first);
    total += interval.last - interval.first + 1;
    previous = interval.last;
  }
  return total;
}

/** The first index that both texts name; `undefined` if they name different ones. Intervals that cannot be read name no index. Pure. */
export function firstCommonIndex(a: string, b: string, completions: number): number | undefined {
  const intervals = (text: string) =>
    text
      .split(',')
      .map((part) => parseInterval(part, completions))
      .filter((interval) => typeof interval !== 'string');
  const [left, right] = [intervals(a), intervals(b)];
  let [i, j] = [0, 0];
  for (;;) {
    const [one, other] = [left[i], right[j]];
    if (!one || !other) return undefined;
    if (one.first <= other.last && other.first <= one.last) return Math.max(one.first, other.first);
    if (one.first <= other.first) i++;
    else j++;
  }
}
