import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Change, ChangeLog, OpenOutcome } from '../../ports/ChangeLog.ts';
import type { DynamoDbCalls } from './DynamoDbCalls.ts';
import { type CursorStart, DynamoDbLogCursor } from './DynamoDbLogCursor.ts';
import type { LogSegment } from './LogSegment.ts';
import { LogTable } from './LogTable.ts';
import { DEFAULT_POLLING, LogTail, type Polling } from './LogTail.ts';
import { holds, type LogState } from './logState.ts';
import type { TableNames } from './tables.ts';
import { UnloggedVersions } from './UnloggedVersions.ts';

/**
 * How long a version behind the log's head is waited for. What a write drew and never used is never logged, and nobody can tell it from what comes late by
 * another shard; none of our answers holds such a number.
 */
const LATE_MS = 3_000;

export interface DynamoDbChangeLogOptions {
  readonly calls: DynamoDbCalls;
  readonly tables: Pick<TableNames, 'log'>;
  /** What the ObjectStore of the same process has read; lists are answered once it is logged. */
  readonly unlogged?: UnloggedVersions;
  readonly polling?: Polling;
}

/** The logs that `record` appends to, as segments of one table. */
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

  /** One read unit, and what was appended since the last look. */
  async head(resource: GroupResource): Promise<number> {
    return (await this.#tail(resource).refresh()).position;
  }

  /** Nothing where `head` has just said it, else as `LogTail.wait`. */
  async reached(resource: GroupResource, version: number, signal: AbortSignal): Promise<number | 'expired'> {
    const tail = this.#tail(resource);
    // Those above the version as well: a deletion that a list has seen has a version that no item of the list shows.
    const seen = this.#unlogged.of(resource);
    if (!(await this.#isHeld(tail, [version], seen, signal))) return 'expired';
    if (version < tail.state.epochPosition) return 'expired';
    // The earliest place will do: whoever lists has to look at what lies between the head that it read first and this place.
    const held = (state: LogState) => state.position >= version && seen.every((one) => holds(state, one));
    return (tail.firstState(held) ?? tail.state).position;
  }

  /** One read unit, and the segments behind the version. */
  async open(resource: GroupResource, version: number, signal: AbortSignal): Promise<OpenOutcome> {
    const tail = this.#tail(resource);
    await tail.refresh();
    if (!(await this.#isHeld(tail, [version], [], signal))) return { status: 'future' };
    const start = await startBehind(tail, version);
    return start === 'expired' ? { status: 'expired' } : { status: 'open', cursor: new DynamoDbLogCursor(tail, start) };
  }

  /** Something was written or appended in this process: whoever waits for that log looks at it soon. */
  nudge(resource: GroupResource): void {
    this.#tails.get(resource)?.nudge();
  }

  /**
   * Waits until the log holds the versions; false if `signal` was aborted first. Those that may have come to nothing are waited for until the log has been
   * beyond them for a while; those that were read are certain to come.
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

/** Where a reader begins that has seen everything up to `version`; what it is owed of the log as it stands is collected at once. */
async function startBehind(tail: LogTail, version: number): Promise<CursorStart | 'expired'> {
  const { state } = tail;
  if (version < state.epochPosition) return 'expired';
  const behind: LogSegment[] = [];
  let from = state.position;
  if (from > version) {
    for await (const segment of tail.back()) {
      behind.unshift(segment);
      from = segment.previousPosition;
      if (from <= version) break;
    }
  }
  // It went back as far as it could, and changes behind the version are gone.
  if (from > version) return 'expired';
  return {
    position: version,
    segment: state.segment - behind.length,
    pending: owed(behind, version, from === version),
    pendingSegment: state.segment,
    pendingPosition: behind.length > 0 ? state.position : version,
  };
}

/** Everything logged after the version, and what was logged earlier under a higher number. */
function owed(segments: readonly LogSegment[], version: number, beginsBehind: boolean): readonly Change[] {
  let isBehind = beginsBehind;
  return segments
    .flatMap(({ changes }) => changes)
    .filter((change) => {
      const passes = isBehind || change.version > version;
      isBehind ||= change.version === version;
      return passes;
    });
}
