/**
 * Where a resource's log stands, after one of its segments. Every segment carries it, so that whoever knows the newest segment knows it all; numbers are
 * versions unless they say otherwise.
 *
 * A position is a number above every version logged so far: the last version of a segment, whose changes are sorted, or, where an earlier segment
 * holds a higher one, a number drawn for the purpose. So positions grow along the log, and each names one place in it.
 */
export interface LogState {
  /** How many segments there are, the empty ones that begin an epoch included. */
  readonly segment: number;
  readonly position: number;
  /** The segment that began this epoch and its position: all positions before are expired. 0 in the first epoch. */
  readonly epochSegment: number;
  readonly epochPosition: number;
  /**
   * Versions up to `position` that are not logged, as pairs of first and last, ascending. They were drawn for writes that are still under way, come by
   * another shard, or were refused; nobody can tell which.
   */
  readonly holes: readonly (readonly [number, number])[];
  /** Holes are known above this version only; those below have been forgotten. */
  readonly knownAbove: number;
  /** No one waits any more for versions up to this one: whatever of them is not logged can only come with a new epoch. */
  readonly settled: number;
  /** The position at `agedAtMs`: holes up to there will be forgotten at the next ageing. */
  readonly agedPosition: number;
  readonly agedAtMs: number;
}

export const EMPTY_LOG: LogState = {
  segment: 0,
  position: 0,
  epochSegment: 0,
  epochPosition: 0,
  holes: [],
  knownAbove: 0,
  settled: 0,
  agedPosition: 0,
  agedAtMs: 0,
};

/** A hole is remembered for this long at least, twice as long at most: far longer than shards and writers are late. */
const HOLES_AGE_MS = 10 * 60 * 1000;
/** In numbers, some 12 KB: what the head may grow to under a storm of refused writes. */
const MAX_HOLES = 1_000;

/** Whether the log holds that version; `forgotten`: only the log itself can tell. */
export function isLogged(state: LogState, version: number): 'yes' | 'no' | 'forgotten' {
  if (version > state.position || isHole(state, version)) return 'no';
  return version > state.knownAbove ? 'yes' : 'forgotten';
}

/** Whether a reader that has seen this version need not wait for it. */
export function holds(state: LogState, version: number): boolean {
  return version <= state.position && (version <= state.settled || !isHole(state, version));
}

/** The versions of a batch that can be appended, those that only a new epoch can take in, and those of which only the log can tell. */
export function sortArrivals(state: LogState, versions: readonly number[]) {
  const fresh: number[] = [];
  const late: number[] = [];
  const forgotten: number[] = [];
  for (const version of new Set(versions)) {
    const logged = isLogged(state, version);
    if (logged === 'forgotten') forgotten.push(version);
    else if (logged === 'no') (version > state.settled ? fresh : late).push(version);
  }
  return { fresh, late, forgotten };
}

/** The state after one more segment with these versions. `position` must be above the one so far and above all of them, or the highest of them. */
export function withSegment(state: LogState, versions: readonly number[], position: number, nowMs: number): LogState {
  const opened: [number, number] = [state.position + 1, position];
  const holes = without([...state.holes, opened], [...versions, position]);
  return bounded(aged({ ...state, segment: state.segment + 1, position, holes }, nowMs));
}

/** The state after an empty segment that begins a new epoch: from its position on, nobody waits for what was drawn before. */
export function withEpoch(state: LogState, versions: readonly number[], position: number, nowMs: number): LogState {
  const next = withSegment(state, versions, position, nowMs);
  return { ...next, epochSegment: next.segment, epochPosition: position, settled: position };
}

function isHole({ holes }: LogState, version: number): boolean {
  let low = 0;
  let high = holes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((holes[middle]?.[1] ?? 0) < version) low = middle + 1;
    else high = middle;
  }
  return (holes[low]?.[0] ?? Number.POSITIVE_INFINITY) <= version;
}

/** Ascending ranges with some numbers taken out. */
function without(ranges: readonly (readonly [number, number])[], versions: readonly number[]) {
  const taken = [...new Set(versions)].sort((a, b) => a - b);
  const left: (readonly [number, number])[] = [];
  let at = 0;
  for (const [first, last] of ranges) {
    let from = first;
    while (at < taken.length && (taken[at] ?? 0) < first) at += 1;
    for (; at < taken.length && (taken[at] ?? 0) <= last; at += 1) {
      const version = taken[at] ?? 0;
      if (version > from) left.push([from, version - 1]);
      from = version + 1;
    }
    if (from <= last) left.push([from, last]);
  }
  return left;
}

function aged(state: LogState, nowMs: number): LogState {
  if (nowMs < state.agedAtMs + HOLES_AGE_MS) return state;
  const forgotten = forgetHoles(state, state.agedPosition);
  return { ...forgotten, agedPosition: state.position, agedAtMs: nowMs };
}

function bounded(state: LogState): LogState {
  const excess = state.holes[state.holes.length - MAX_HOLES - 1];
  return excess ? forgetHoles(state, excess[1]) : state;
}

function forgetHoles(state: LogState, upTo: number): LogState {
  const holes = state.holes
    .filter(([, last]) => last > upTo)
    .map(([first, last]) => [Math.max(first, upTo + 1), last] as const);
  return {
    ...state,
    holes,
    knownAbove: Math.max(state.knownAbove, upTo),
    settled: Math.max(state.settled, upTo),
  };
}
