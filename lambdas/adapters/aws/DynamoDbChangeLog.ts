import type { GroupResource } from '../../objects/ObjectKey.ts';
import { type Change, type ChangeLog, FIRST_POSITION, type OpenOutcome } from '../../ports/ChangeLog.ts';
import type { DynamoDbCalls } from './DynamoDbCalls.ts';
import { type CursorStart, DynamoDbLogCursor } from './DynamoDbLogCursor.ts';
import type { LogSegment } from './LogSegment.ts';
import { LogTable } from './LogTable.ts';
import { DEFAULT_POLLING, LogTail, type Polling } from './LogTail.ts';
import { holds, type LogState } from './logState.ts';
import type { TableNames } from './tables.ts';
import { UnloggedVersions } from './UnloggedVersions.ts';

/**
 * How long to wait for a version that is missing while the log's head is already beyond it. A version that was drawn and never used is never logged, and it
 * looks the same as a version that another shard delivers late. Our own answers never carry an unused version.
 */
const LATE_MS = 3_000;

export interface DynamoDbChangeLogOptions {
  readonly calls: DynamoDbCalls;
  readonly tables: Pick<TableNames, 'log'>;
  /** The versions that the ObjectStore of the same process has read. A list is answered once they are logged. */
  readonly unlogged?: UnloggedVersions;
  readonly polling?: Polling;
}

/** Reads the logs to which `record` appends, as segments of one table. */
export class DynamoDbChangeLog implements ChangeLog {
  readonly #options: DynamoDbChangeLogOptions;
  readonly #table: LogTable;
  readonly #unlogged: UnloggedVersions;
  readonly #tails = new Map<GroupResource, LogTail>();

  constructor(options: DynamoDbChangeLogOptions) {
    this.#options = options;
    this.#table = new LogTable(options.calls, options.tables.log);
    this.#unlogged = options.unlogged ?? new UnloggedVersions();
  }

  /** Costs one read unit, and the segments appended since the last read. */
  async head(resource: GroupResource): Promise<number> {
    return shown((await this.#tail(resource).refresh()).position);
  }

  /** Costs nothing if `head` was called just before, otherwise what `LogTail.wait` costs. */
  async reached(resource: GroupResource, version: number, signal: AbortSignal): Promise<number | 'expired'> {
    const tail = this.#tail(resource);
    const wanted = logged(version);
    // Includes versions above `version`: when a list has seen a deletion, no item of the list carries that deletion's version.
    const seen = this.#unlogged.of(resource);
    if (!(await this.#isHeld(tail, [wanted], seen, signal))) return 'expired';
    if (wanted < tail.state.epochPosition) return 'expired';
    // The earliest position is best: the lister must look at all changes between the head that it read first and this position.
    const held = (state: LogState) => state.position >= wanted && seen.every((one) => holds(state, one));
    return shown((tail.firstState(held) ?? tail.state).position);
  }

  /** Costs one read unit, and the segments after the version. */
  async open(resource: GroupResource, version: number, signal: AbortSignal): Promise<OpenOutcome> {
    const tail = this.#tail(resource);
    await tail.refresh();
    if (!(await this.#isHeld(tail, [logged(version)], [], signal))) return { status: 'future' };
    const start = await startBehind(tail, version);
    return start === 'expired' ? { status: 'expired' } : { status: 'open', cursor: new DynamoDbLogCursor(tail, start) };
  }

  /** Called after a write or an append in this process: the waiting readers of that log read it soon. */
  nudge(resource: GroupResource): void {
    this.#tails.get(resource)?.nudge();
  }

  /**
   * Waits until the log holds the versions; false if `signal` was aborted first. The `certain` versions were read, so they will be logged. A `maybe` version
   * might never be used, so it is waited for only until the log has been beyond it for `LATE_MS`.
   */
  async #isHeld(tail: LogTail, maybe: readonly number[], certain: readonly number[], signal: AbortSignal) {
    await this.#known(tail);
    let beyondSinceMs: number | undefined;
    for (;;) {
      const { clock } = this.#options.calls;
      const { state } = tail;
      const highest = Math.max(...maybe, ...certain);
      const isBeyond = state.position >= highest;
      if (isBeyond) beyondSinceMs ??= clock.now();
      const lateLeftMs = isBeyond ? (beyondSinceMs ?? 0) + LATE_MS - clock.now() : undefined;
      const awaited = lateLeftMs !== undefined && lateLeftMs <= 0 ? certain : [...maybe, ...certain];
      if (awaited.every((version) => holds(state, version))) return true;
      if (signal.aborted) return false;
      await tail.wait(signal, lateLeftMs !== undefined && lateLeftMs > 0 ? lateLeftMs : undefined);
    }
  }

  async #known(tail: LogTail): Promise<void> {
    if (!tail.isKnown) await tail.refresh();
  }

  #tail(resource: GroupResource): LogTail {
    const known = this.#tails.get(resource);
    if (known) return known;
    const { calls, polling = DEFAULT_POLLING } = this.#options;
    const added = new LogTail(resource, this.#table, {
      clock: calls.clock,
      polling,
      onAdvance: (state) => this.#unlogged.forget(resource, (version) => holds(state, version)),
    });
    this.#tails.set(resource, added);
    return added;
  }
}

/** Returns the position that readers are told. An empty log is at position 0, and no write has version `FIRST_POSITION`, so that one stands for it. */
function shown(position: number): number {
  return Math.max(position, FIRST_POSITION);
}

/** The inverse of `shown`: the position in the log of a version that a reader names. */
function logged(version: number): number {
  return version === FIRST_POSITION ? 0 : version;
}

/** Returns the start of a reader that has seen everything up to `version`, with the changes that are in the log already and that it has not seen. */
async function startBehind(tail: LogTail, version: number): Promise<CursorStart | 'expired'> {
  const { state } = tail;
  const wanted = logged(version);
  if (wanted < state.epochPosition) return 'expired';
  const behind: LogSegment[] = [];
  let from = state.position;
  if (from > wanted) {
    for await (const segment of tail.back()) {
      behind.unshift(segment);
      from = segment.previousPosition;
      if (from <= wanted) break;
    }
  }
  // The oldest segment begins after the version, so changes after the version are gone.
  if (from > wanted) return 'expired';
  return {
    position: version,
    segment: state.segment - behind.length,
    pending: unseen(behind, wanted, from === wanted),
    pendingSegment: state.segment,
    pendingPosition: behind.length > 0 ? state.position : version,
  };
}

/** Returns all changes logged after the version, and those logged before it that have a higher version. */
function unseen(segments: readonly LogSegment[], version: number, beginsBehind: boolean): readonly Change[] {
  let isBehind = beginsBehind;
  return segments
    .flatMap(({ changes }) => changes)
    .filter((change) => {
      const passes = isBehind || change.version > version;
      isBehind ||= change.version === version;
      return passes;
    });
}
