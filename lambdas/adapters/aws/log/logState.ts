/**
 * The state of a resource's log after one of its segments, apart from which versions are logged. The head has it as of a recent segment; every reader
 * derives the rest from the segments after that. Numbers are versions unless stated otherwise.
 *
 * A position is not below any version logged so far: it is the highest version of a segment or, if an earlier segment holds a higher one, a number drawn
 * for the purpose. So positions grow along the log, and each names one place in it.
 */
export interface LogState {
  /** The number of segments, including those without changes. */
  readonly segment: number;
  readonly position: number;
  /** The segment that began this epoch, and its position. All positions before are expired. 0 in the first epoch. */
  readonly epochSegment: number;
  readonly epochPosition: number;
  /** Versions up to this one count as logged: they were passed so long ago that no stream has a record of them. */
  readonly settled: number;
  /** Positions with the time at which the log had reached them, ascending, at most one an hour. They say what to settle next. */
  readonly ages: readonly (readonly [position: number, atMs: number])[];
  /** The barriers that may still name versions that are not logged, as segment numbers, and the epochs that name objects. */
  readonly barriers: readonly number[];
  /** The last segment whose appender was to move the head, and its time. */
  readonly snapshotSegment: number;
  readonly snapshotAtMs: number;
}

export const EMPTY_LOG: LogState = {
  segment: 0,
  position: 0,
  epochSegment: 0,
  epochPosition: 0,
  settled: 0,
  ages: [],
  barriers: [],
  snapshotSegment: 0,
  snapshotAtMs: 0,
};

const HOUR_MS = 60 * 60 * 1000;
/** Longer than the 24 hours for which a stream keeps its records. */
export const MEMORY_MS = 26 * HOUR_MS;
/** The head moves after this many segments, if this long has passed since it moved last; and with the first segment of an hour. */
const SNAPSHOT_SEGMENTS = 16;
const SNAPSHOT_MS = 1_000;
/** With more barriers the oldest are forgotten. It takes hundreds of lists during one lag. */
const MAX_BARRIERS = 1_000;

/** What a segment says of itself. */
export interface SegmentMark {
  /**
   * - `changes`: the segment has changes.
   * - `epoch`: positions before it are expired.
   * - `barrier`: it names objects with versions that a list has read and that were not logged. Older changes of these objects will not be logged any more.
   */
  readonly kind: 'changes' | 'epoch' | 'barrier';
  readonly position: number;
  readonly atMs: number;
  /** Where its contents are. An epoch that passes changes over names their objects there, as a barrier does. */
  readonly parts?: readonly unknown[];
}

/** True if older changes of the objects that the segment names are not logged any more. */
export function namesObjects({ kind, parts = [] }: SegmentMark): boolean {
  return kind === 'barrier' || (kind === 'epoch' && parts.length > 0);
}

/** Returns the state after one more segment. */
export function withSegment(state: LogState, mark: SegmentMark): LogState {
  const { kind, position, atMs } = mark;
  const segment = state.segment + 1;
  return {
    segment,
    position,
    ...(kind === 'epoch'
      ? { epochSegment: segment, epochPosition: position }
      : { epochSegment: state.epochSegment, epochPosition: state.epochPosition }),
    ...aged(state, position, atMs),
    barriers: namesObjects(mark) ? [...state.barriers, segment].slice(-MAX_BARRIERS) : state.barriers,
    ...(isSnapshotDue(state, segment, atMs)
      ? { snapshotSegment: segment, snapshotAtMs: atMs }
      : { snapshotSegment: state.snapshotSegment, snapshotAtMs: state.snapshotAtMs }),
  };
}

/** Returns the state before a segment if those between are missing: they were deleted days after they expired, so all of their versions are settled. */
export function skippedTo(state: LogState, { segment, previousPosition }: SkippedTo): LogState {
  if (segment === state.segment + 1) return state;
  return { ...state, segment: segment - 1, position: previousPosition, settled: previousPosition };
}

interface SkippedTo {
  readonly segment: number;
  readonly previousPosition: number;
}

/** True if the appender of this state's last segment must move the head. */
export function mustMoveHead(state: LogState): boolean {
  return state.snapshotSegment === state.segment;
}

function isSnapshotDue({ snapshotSegment, snapshotAtMs }: LogState, segment: number, atMs: number): boolean {
  if (atMs >= snapshotAtMs + HOUR_MS) return true;
  return segment - snapshotSegment >= SNAPSHOT_SEGMENTS && atMs >= snapshotAtMs + SNAPSHOT_MS;
}

function aged(state: LogState, position: number, atMs: number): Pick<LogState, 'ages' | 'settled'> {
  const newest = state.ages.at(-1)?.[1] ?? Number.NEGATIVE_INFINITY;
  const ages = atMs >= newest + HOUR_MS ? [...state.ages, [position, atMs] as const] : state.ages;
  const old = ages.filter(([, reachedAtMs]) => reachedAtMs <= atMs - MEMORY_MS);
  return { ages: old.length > 0 ? ages.slice(old.length) : ages, settled: old.at(-1)?.[0] ?? state.settled };
}
