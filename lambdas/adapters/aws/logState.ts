/**
 * The state of a resource's log after one of its segments. Every segment carries it, so the newest segment is enough to know the state. Numbers are
 * versions unless stated otherwise.
 *
 * A position is not below any version logged so far: it is the last version of a segment, whose changes are sorted, or, if an earlier segment holds a
 * higher version, a number drawn for the purpose. So positions grow along the log, and each names one place in it.
 */
export interface LogState {
  /** The number of segments, including the empty ones that begin an epoch. */
  readonly segment: number;
  readonly position: number;
  /** The segment that began this epoch, and its position. All positions before are expired. 0 in the first epoch. */
  readonly epochSegment: number;
  readonly epochPosition: number;
  /**
   * The versions up to `position` that are not logged, as ascending pairs of first and last. They were drawn for writes that are still under way, that
   * another shard delivers later, or that were refused. These cases cannot be told apart.
   */
  readonly holes: readonly (readonly [number, number])[];
  /** Holes are known only above this version; those below have been forgotten. */
  readonly knownAbove: number;
  /** Readers do not wait for versions up to this one. A change with such a version that is not logged yet needs a new epoch. */
  readonly settled: number;
  /** The position at `agedAtMs`. The next ageing forgets the holes up to it. */
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

/** A hole is remembered for at least this long and at most twice as long: far longer than shards and writers are late. */
const HOLES_AGE_MS = 10 * 60 * 1000;
/** Limits the head to about 12 KB under a storm of refused writes. */
const MAX_HOLES = 1_000;

/** Says whether the log holds that version. `forgotten`: the state does not know, and the segments must be read. */
export function isLogged(state: LogState, version: number): 'yes' | 'no' | 'forgotten' {
  if (version > state.position || isHole(state, version)) return 'no';
  return version > state.knownAbove ? 'yes' : 'forgotten';
}

/** True if a reader that has seen this version need not wait for it to be logged. */
export function holds(state: LogState, version: number): boolean {
  return version <= state.position && (version <= state.settled || !isHole(state, version));
}

/** Sorts the versions of a batch: those to append, those that need a new epoch, and those for which the segments must be read. Versions already logged are left out. */
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

/** Returns the state after one more segment with these versions. `position` must be above the present one, and not below any of the versions. */
export function withSegment(state: LogState, versions: readonly number[], position: number, nowMs: number): LogState {
  const opened: [number, number] = [state.position + 1, position];
  const holes = without([...state.holes, opened], [...versions, position]);
  return bounded(aged({ ...state, segment: state.segment + 1, position, holes }, nowMs));
}

/** Returns the state after an empty segment that begins a new epoch. Readers do not wait for versions drawn before its position. */
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

/** Returns ascending ranges without some of their numbers. */
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
