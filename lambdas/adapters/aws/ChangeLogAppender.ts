import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { DynamoDbCalls } from './DynamoDbCalls.ts';
import type { LogSegment } from './LogSegment.ts';
import { LogTable } from './LogTable.ts';
import { type LogState, sortArrivals, withEpoch, withSegment } from './logState.ts';
import type { TableNames } from './tables.ts';
import { VersionCounter } from './VersionCounter.ts';

/** How long segments are kept: longer than the 24 hours for which a stream keeps its records, so that a record that is delivered again is found in the log. */
const SEGMENT_LIFETIME_MS = 26 * 60 * 60 * 1000;

const PAGE_SIZE = 25;

export interface ChangeLogAppenderOptions {
  readonly calls: DynamoDbCalls;
  readonly tables: Pick<TableNames, 'log' | 'versions'>;
  /** Called after each append in this process. */
  readonly onAppend?: (resource: GroupResource) => void;
}

export type AppendOutcome =
  /** All changes are in the log. */
  | { readonly status: 'appended' }
  /** Some changes came too late to be put in order, and nothing was appended. A new epoch must begin that counts these versions as logged. */
  | { readonly status: 'outOfOrder'; readonly versions: readonly number[] };

/**
 * Appends changes to the logs, each exactly once. A batch may be handed in several times, in different pieces, and to several appenders at once: a
 * segment is put at the next number only if no other segment has it, and its state says which versions are logged.
 *
 * For each resource, `append` must not be called again before it has resolved.
 */
export class ChangeLogAppender {
  readonly #calls: DynamoDbCalls;
  readonly #table: LogTable;
  readonly #versions: VersionCounter;
  readonly #onAppend: (resource: GroupResource) => void;
  /** The states that this appender saw last. Another appender may have appended since. */
  readonly #known = new Map<GroupResource, LogState>();

  constructor({ calls, tables, onAppend }: ChangeLogAppenderOptions) {
    this.#calls = calls;
    this.#table = new LogTable(calls, tables.log);
    this.#versions = new VersionCounter(calls, tables.versions);
    this.#onAppend = onAppend ?? (() => {});
  }

  /**
   * Appends those of the changes that are not logged yet. Consumes the write units of the segment and one for the head, and nothing if all are logged. If
   * another appender was faster, that costs one read and one more attempt. Throws when the log cannot be written; then the batch must be handed in again.
   */
  async append(resource: GroupResource, changes: readonly Change[]): Promise<AppendOutcome> {
    let state = this.#known.get(resource) ?? (await this.#refresh(resource));
    for (let attempt = 0; ; attempt += 1) {
      const { fresh, late, forgotten } = sortArrivals(
        state,
        changes.map(({ version }) => version),
      );
      const lost = [...late, ...(await this.#notFound(resource, state, forgotten))];
      if (lost.length > 0) return { status: 'outOfOrder', versions: [...lost, ...fresh] };
      if (fresh.length === 0) return { status: 'appended' };
      if (await this.#put(resource, state, chosen(changes, fresh))) return { status: 'appended' };
      if (attempt > 0) await this.#calls.pause(Math.min(attempt, 4));
      state = await this.#refresh(resource);
    }
  }

  /**
   * Begins a new epoch, which expires all positions before it. `versions` are those of changes that will never be logged: they came too late to be put in
   * order, or their records were given up.
   */
  async startEpoch(resource: GroupResource, versions: readonly number[] = []): Promise<void> {
    for (;;) {
      const state = await this.#refresh(resource);
      const position = await this.#versions.draw(resource, state.position);
      const nowMs = this.#calls.clock.now();
      const next = withEpoch(state, versions, position, nowMs);
      if (await this.#commit(resource, state, { state: next, changes: [], lost: versions })) return;
    }
  }

  async #put(resource: GroupResource, state: LogState, changes: readonly Change[]): Promise<boolean> {
    const versions = changes.map(({ version }) => version);
    const last = versions.at(-1) ?? 0;
    // If another shard's write with a higher version is logged already, the position after this segment needs a number of its own.
    const position = last > state.position ? last : await this.#versions.draw(resource, state.position);
    const next = withSegment(state, versions, position, this.#calls.clock.now());
    return await this.#commit(resource, state, { state: next, changes });
  }

  async #commit(
    resource: GroupResource,
    from: LogState,
    given: Pick<LogSegment, 'state' | 'changes' | 'lost'>,
  ): Promise<boolean> {
    const expiresAtMs = this.#calls.clock.now() + SEGMENT_LIFETIME_MS;
    const segment: LogSegment = { ...given, previousPosition: from.position, expiresAtMs };
    // After this attempt the known state may be outdated, whether the attempt succeeds or not.
    this.#known.delete(resource);
    if (!(await this.#table.put(resource, segment))) return false;
    this.#onAppend(resource);
    await this.#table.moveHead(resource, segment.state);
    this.#known.set(resource, segment.state);
    return true;
  }

  /** Reads the log's current state. Moves the head forward if an appender died between putting its segment and moving the head. */
  async #refresh(resource: GroupResource): Promise<LogState> {
    const head = this.#known.get(resource) ?? (await this.#table.readHead(resource));
    const segments = await this.#table.readAfter(resource, head.segment, { strong: true });
    const newest = segments.at(-1)?.state;
    if (newest) await this.#table.moveHead(resource, newest);
    this.#known.set(resource, newest ?? head);
    return newest ?? head;
  }

  /** Returns the versions that are in no segment. Needed only for a batch that is handed in again after more than ten minutes. */
  async #notFound(resource: GroupResource, state: LogState, versions: readonly number[]): Promise<readonly number[]> {
    const missing = new Set(versions);
    if (missing.size === 0) return [];
    for await (const page of this.#table.readBack(resource, state.segment, PAGE_SIZE)) {
      for (const { changes, lost = [] } of page) {
        for (const version of [...changes.map((change) => change.version), ...lost]) missing.delete(version);
      }
      if (missing.size === 0) break;
    }
    return [...missing];
  }
}

/** Returns the changes with those versions, each once, in the order of their versions. For any one object that is the order of its writes. */
function chosen(changes: readonly Change[], versions: readonly number[]): readonly Change[] {
  const wanted = new Map(changes.map((change) => [change.version, change]));
  return [...versions].sort((a, b) => a - b).flatMap((version) => wanted.get(version) ?? []);
}
