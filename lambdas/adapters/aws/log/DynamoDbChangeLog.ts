import type { GroupResource } from '../../../objects/ObjectKey.ts';
import {
  type CaughtUp,
  type Change,
  type ChangeLog,
  FIRST_POSITION,
  type LogScope,
  newerThan,
  type OpenOutcome,
  type ReadVersion,
} from '../../../ports/ChangeLog.ts';
import { ChangeLogAppender } from './ChangeLogAppender.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import { type CursorStart, DynamoDbLogCursor } from './DynamoDbLogCursor.ts';
import { LogParts } from './LogParts.ts';
import { LogTable } from './LogTable.ts';
import { DEFAULT_POLLING, LogTail, type Polling } from './LogTail.ts';
import type { TableNames } from '../tables.ts';
import { WatchedLogs } from './WatchedLogs.ts';

/**
 * How long to wait for a version that is missing. One that was drawn and never used is never logged, and it looks the same as one that a shard delivers
 * late. Our own answers never carry an unused version.
 */
const LATE_MS = 3_000;

export interface DynamoDbChangeLogOptions {
  readonly calls: DynamoDbCalls;
  readonly tables: Pick<TableNames, 'log' | 'versions'>;
  readonly polling?: Polling;
}

/** Reads the logs to which `record` appends, as segments of one table. Lists append barriers while `record` lags. */
export class DynamoDbChangeLog implements ChangeLog {
  readonly #options: DynamoDbChangeLogOptions;
  readonly #appender: ChangeLogAppender;
  readonly #watched: WatchedLogs;
  readonly #tails = new Map<GroupResource, LogTail>();

  constructor(options: DynamoDbChangeLogOptions) {
    this.#options = options;
    this.#watched = new WatchedLogs(options.calls, options.tables.log);
    this.#appender = new ChangeLogAppender({ ...options, onAppend: (resource) => this.nudge(resource) });
  }

  /** Costs one read unit, and the segments appended since the last read. */
  async head(resource: GroupResource): Promise<number> {
    return shown((await this.#tail(resource).refresh()).position);
  }

  /** Costs nothing if `head` was called just before, otherwise what `LogTail.wait` costs. */
  async reached(resource: GroupResource, version: number, signal: AbortSignal): Promise<number | 'expired'> {
    const tail = this.#tail(resource);
    const wanted = logged(version);
    if (!(await this.#isHeld(tail, wanted, signal)) || wanted < tail.state.epochPosition) return 'expired';
    return shown(tail.state.position);
  }

  /** Costs nothing while the log keeps up. Otherwise it waits for up to three seconds, and then consumes the write units of a barrier. */
  async catchUp(
    resource: GroupResource,
    from: number,
    reads: readonly ReadVersion[],
    signal: AbortSignal,
    scope?: LogScope,
  ): Promise<CaughtUp | 'expired'> {
    const tail = this.#tail(resource);
    const { missing, holdsOthers } = await this.#awaitReads(tail, reads, signal);
    if (signal.aborted && missing.length > 0) return 'expired';
    if (missing.length > 0) {
      const barrier = await this.#appender.appendBarrier(resource, missing.map(named));
      while (tail.state.segment < barrier) await tail.refresh();
    }
    const behind = await this.#changesAfter(tail, from, scope);
    if (behind === 'expired') return behind;
    const holdsReads = missing.length === 0 && holdsOthers;
    return { position: behind.position, changes: newerThan(reads, behind.changes), holdsReads };
  }

  /** Costs nothing while the log keeps up, and otherwise what `LogTail.wait` costs. */
  async changesSince(
    resource: GroupResource,
    position: number,
    reads: readonly ReadVersion[],
    signal: AbortSignal,
    scope?: LogScope,
  ): Promise<readonly Change[] | 'expired'> {
    const tail = this.#tail(resource);
    await tail.refresh();
    const { missing } = await this.#awaitReads(tail, reads, signal, position);
    const behind = missing.length > 0 ? 'expired' : await this.#changesAfter(tail, position, scope);
    return behind === 'expired' ? behind : behind.changes;
  }

  /** Costs one read unit, and the segments after the version. */
  async open(resource: GroupResource, version: number, signal: AbortSignal, scope?: LogScope): Promise<OpenOutcome> {
    const tail = this.#tail(resource);
    await tail.refresh();
    if (!(await this.#isHeld(tail, logged(version), signal))) return { status: 'future' };
    const start = await startAfter(tail, version);
    if (start === 'expired') return { status: 'expired' };
    return { status: 'open', cursor: new DynamoDbLogCursor(tail, start, scope) };
  }

  /** Called after a write or an append in this process: the waiting readers of that log read it soon. */
  nudge(resource: GroupResource): void {
    this.#tails.get(resource)?.nudge();
  }

  /**
   * Waits until the log holds the version; false if `signal` was aborted first. The version might never be used, so it is waited for only until the log has
   * been beyond it for `LATE_MS`.
   */
  async #isHeld(tail: LogTail, version: number, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#options.calls;
    let beyondSinceMs: number | undefined;
    for (;;) {
      const known = await tail.knowing([version]);
      const isBeyond = known.state.position >= version;
      if (isBeyond && known.isLogged(version)) return true;
      if (isBeyond) beyondSinceMs ??= clock.steadyMs();
      const leftMs = beyondSinceMs === undefined ? undefined : beyondSinceMs + LATE_MS - clock.steadyMs();
      if (leftMs !== undefined && leftMs <= 0) return true;
      if (signal.aborted) return false;
      await tail.wait(signal, leftMs);
    }
  }

  /**
   * Waits until the log holds what a list has read, for `LATE_MS` at most, and returns what it does not hold, and whether it holds all the rest. What it does not hold is not missing if a barrier names it
   * and it was drawn before the position `until`: a barrier's position is above what it names. What an epoch has passed by is not waited for, since its record may have been given up.
   */
  async #awaitReads(
    tail: LogTail,
    reads: readonly ReadVersion[],
    signal: AbortSignal,
    until = Number.POSITIVE_INFINITY,
  ): Promise<{ readonly missing: readonly ReadVersion[]; readonly holdsOthers: boolean }> {
    const { clock } = this.#options.calls;
    const endMs = clock.steadyMs() + LATE_MS;
    let holdsOthers = true;
    for (let missing = reads; ; ) {
      const known = await tail.knowing(missing.map(({ version }) => version));
      const unlogged = missing.filter(({ version }) => !known.isLogged(version));
      missing = unlogged.filter(
        ({ namespace, name, version }) => version > until || known.floorOf(namespace, name) < version,
      );
      holdsOthers &&= missing.length === unlogged.length;
      const isWorthWaiting = missing.some(({ version }) => version > known.state.epochPosition);
      const leftMs = endMs - clock.steadyMs();
      if (!isWorthWaiting || leftMs <= 0 || signal.aborted) return { missing, holdsOthers };
      await tail.wait(signal, leftMs);
    }
  }

  /** Returns the changes between a position and the known end of the log, and the position there. */
  async #changesAfter(
    tail: LogTail,
    from: number,
    scope: LogScope | undefined,
  ): Promise<Omit<CaughtUp, 'holdsReads'> | 'expired'> {
    const end = tail.state.position;
    const start = await startAfter(tail, from);
    if (start === 'expired') return start;
    const cursor = new DynamoDbLogCursor(tail, start, scope);
    const changes: Change[] = [];
    while (cursor.position < end) {
      const more = await cursor.readOn();
      if (more === 'expired') return more;
      if (more === 'end') break;
      for (const change of more) changes.push(change);
    }
    return { position: shown(Math.max(cursor.position, end)), changes };
  }

  #tail(resource: GroupResource): LogTail {
    const known = this.#tails.get(resource);
    if (known) return known;
    const { calls, tables, polling = DEFAULT_POLLING } = this.#options;
    const reads = { table: new LogTable(calls, tables.log), parts: new LogParts(calls, tables.log) };
    const onWatched = () => this.#watched.note(resource);
    const added = new LogTail(resource, reads, { clock: calls.clock, polling, onWatched });
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

/** Returns the start of a reader that has seen everything up to `version`. */
async function startAfter(tail: LogTail, version: number): Promise<CursorStart | 'expired'> {
  const { state } = tail;
  const wanted = logged(version);
  if (wanted < state.epochPosition) return 'expired';
  if (wanted >= state.position) return { position: version, segment: state.segment };
  const passing = await tail.passing(wanted);
  if (passing === 'gone') return 'expired';
  const start = { position: version, segment: passing.segment - 1 };
  return passing.previousPosition === wanted ? start : { ...start, sievedTo: state.segment };
}

/** What a barrier says of an object that a list has read. A list shows nothing of one that has ended by itself, so nothing of it before its end may be logged any more. */
function named({ namespace, name, version, endVersion = version }: ReadVersion): ReadVersion {
  return { namespace, name, version: endVersion };
}
