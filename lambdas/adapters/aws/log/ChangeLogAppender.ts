import type { GroupResource } from '../../../objects/ObjectKey.ts';
import { type Change, type ReadVersion, subjectOf } from '../../../ports/ChangeLog.ts';
import { sleep } from '../../../ports/Clock.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import { KnownLog } from './KnownLog.ts';
import { encodeChanges, encodeReads } from './logContents.ts';
import { LogParts } from './LogParts.ts';
import type { StreamedChange } from './decodeStreamRecord.ts';
import type { LogPart, LogSegment } from './LogSegment.ts';
import { LogTable } from './LogTable.ts';
import { MEMORY_MS, mustMoveHead } from './logState.ts';
import type { TableNames } from '../tables.ts';
import { VersionCounter } from '../VersionCounter.ts';

/**
 * After its second lost race an appender waits for a random time below this, after the third for half of that, and so on: an appender that has lost more often comes first,
 * so that no shard starves. After the first it does not wait: most likely it has only not seen what others appended since its last append.
 */
const RACE_DELAY_MS = 160;

export interface ChangeLogAppenderOptions {
  readonly calls: DynamoDbCalls;
  readonly tables: Pick<TableNames, 'log' | 'versions'>;
  /** Called after each append in this process. */
  readonly onAppend?: (resource: GroupResource) => void;
}

/** While the log has so many barriers of orphans it gets no more: that many batches are not given up, but a log that has lost its table knows no version of any object. */
const MAX_ORPHAN_BARRIERS = 100;

/** A segment but for its place in the log. */
type Draft = Pick<LogSegment, 'kind' | 'versions' | 'parts' | 'lasting'>;

/** Says what to append to the log as it is known. `behind`: that can be said only when the log is known as it is now. */
type Drafting = (log: KnownLog, isCurrent: boolean) => Promise<Draft | 'none' | 'behind'>;

/**
 * Appends changes to the logs, each exactly once. A batch may be handed in several times, in different pieces, and to several appenders at once: a
 * segment is put at the next number only if no other segment has it, and what is logged already is left out. Calls for the same resource take turns.
 */
export class ChangeLogAppender {
  readonly #calls: DynamoDbCalls;
  readonly #table: LogTable;
  readonly #parts: LogParts;
  readonly #versions: VersionCounter;
  readonly #onAppend: (resource: GroupResource) => void;
  /** What this appender knows of each log. Another appender may have appended since. */
  readonly #known = new Map<GroupResource, KnownLog>();
  readonly #turns = new Map<GroupResource, Promise<unknown>>();

  constructor({ calls, tables, onAppend }: ChangeLogAppenderOptions) {
    this.#calls = calls;
    this.#table = new LogTable(calls, tables.log);
    this.#parts = new LogParts(calls, tables.log);
    this.#versions = new VersionCounter(calls, tables.versions);
    this.#onAppend = onAppend ?? (() => {});
  }

  /**
   * Appends those of the changes that are not logged yet. Consumes the write units of the parts, one or two for the segment, and one for a position if an
   * earlier segment has a higher version; nothing if all are logged. A race lost to another appender costs a unit, a read and one more attempt. Throws when
   * the log cannot be written; then the batch must be handed in again.
   */
  async append(resource: GroupResource, changes: readonly StreamedChange[]): Promise<void> {
    const batch = byVersion(changes);
    await this.#nameOrphans(resource, batch);
    let stored: readonly Change[] = [];
    let parts: readonly LogPart[] = [];
    await this.#appendWhen(resource, async (log) => {
      const { versions, changes: fresh } = await unlogged(log, batch);
      if (versions.length === 0) return 'none';
      if (!haveContents(stored, versions, fresh)) {
        parts = await this.#parts.put(resource, encodeChanges(fresh));
        stored = fresh;
      }
      return { kind: 'changes', versions, parts };
    });
  }

  /**
   * Begins a new epoch, which expires all positions before it. The given changes are passed over: a function that still has them, and that everybody believes dead, logs them no more. Otherwise it would
   * log them after newer changes of the same objects. For the same reason the epoch names their objects, as a barrier does: an earlier batch of the same shard may have been given up as well, and its notice may come later.
   */
  async startEpoch(resource: GroupResource, passedOver: readonly ReadVersion[] = []): Promise<void> {
    const ascending = [...new Set(passedOver.map(({ version }) => version))].sort((a, b) => a - b);
    const parts = passedOver.length > 0 ? await this.#parts.put(resource, [{ bytes: encodeReads(passedOver) }]) : [];
    await this.#appendWhen(resource, async (log) => {
      await log.load(ascending);
      return { kind: 'epoch', versions: ascending.filter((version) => !log.isLogged(version)), parts };
    });
  }

  /**
   * Names objects with versions that a list has read and that are not logged. From the returned segment on, older changes of these objects are not logged, so
   * that a watch that begins there never goes back behind the list.
   */
  async appendBarrier(resource: GroupResource, reads: readonly ReadVersion[]): Promise<number> {
    const parts = await this.#parts.put(resource, [{ bytes: encodeReads(reads) }]);
    return await this.#appendWhen(resource, async () => ({ kind: 'barrier', versions: [], parts }));
  }

  /**
   * Names the objects whose last change before this batch is not logged. A stream delivers an object's changes in order, so it was in a batch that was given up. Until the epoch comes that its notice begins, a function
   * that still has the batch could log that change after these.
   */
  async #nameOrphans(resource: GroupResource, batch: readonly StreamedChange[]): Promise<void> {
    let parts: readonly LogPart[] | undefined;
    await this.#appendWhen(resource, async (log, isCurrent) => {
      const orphans = await orphansAmong(log, batch);
      if (orphans.length === 0) return 'none';
      if (!isCurrent) return 'behind';
      parts ??= await this.#parts.put(resource, [{ bytes: encodeReads(orphans) }]);
      return { kind: 'barrier', versions: [], parts, lasting: true };
    });
  }

  /** Moves the head to the newest segment. Must be done daily, since the head must pass segments before they expire. */
  async settle(resource: GroupResource): Promise<void> {
    const log = await KnownLog.atHead(resource, this.#reads);
    const head = log.state.segment;
    await this.#catchUp(log);
    if (log.state.segment > head) await this.#moveHead(log);
  }

  /** Appends what `draft` wants for the log as it is known, and asks again after each lost race. Returns the number of the last known segment. */
  #appendWhen(resource: GroupResource, draft: Drafting): Promise<number> {
    const append = () => this.#append(resource, draft);
    const turn = (this.#turns.get(resource) ?? Promise.resolve()).then(append, append);
    this.#turns.set(resource, turn);
    return turn;
  }

  async #append(resource: GroupResource, draft: Drafting): Promise<number> {
    let isCurrent = !this.#known.has(resource);
    let log = this.#known.get(resource) ?? (await this.#refresh(resource));
    let drawn = 0;
    for (let attempt = 0; ; attempt += 1) {
      const wanted = await draft(log, isCurrent);
      if (wanted === 'none') return log.state.segment;
      if (wanted !== 'behind') {
        const last = wanted.versions.at(-1) ?? 0;
        // If a higher version is logged already, the position after this segment needs a number of its own. So does an epoch: a client may know a change that it passes over.
        const isOwn = last <= log.state.position || wanted.kind === 'epoch';
        const floor = Math.max(last, log.state.position);
        if (isOwn && drawn <= floor) drawn = await this.#versions.draw(resource, floor);
        if (await this.#commit(resource, log, wanted, isOwn ? drawn : last)) return log.state.segment;
        await this.#letOthersPass(attempt);
      }
      log = await this.#refresh(resource);
      isCurrent = true;
    }
  }

  async #commit(resource: GroupResource, log: KnownLog, draft: Draft, position: number): Promise<boolean> {
    const atMs = this.#calls.clock.now();
    const { segment: previous, position: previousPosition } = log.state;
    const segment: LogSegment = {
      ...draft,
      segment: previous + 1,
      position,
      previousPosition,
      atMs,
      expiresAtMs: atMs + MEMORY_MS,
    };
    // If this throws, it is unknown whether the segment was put, so the log must be read again.
    this.#known.delete(resource);
    const isPut = await this.#table.put(resource, segment);
    if (isPut) log.advance(segment);
    if (isPut) this.#onAppend(resource);
    if (isPut && mustMoveHead(log.state)) await this.#moveHead(log);
    this.#known.set(resource, log);
    return isPut;
  }

  /** Stores the bitmaps first, so that a reader of the head finds them at least as new. Other appenders may do the same; the newest wins. */
  async #moveHead(log: KnownLog): Promise<void> {
    const { resource } = log;
    const head = await this.#table.readHead(resource);
    const state = await log.stateToStore();
    const bitmaps = await log.bitmapsChangedAfter(head.segment);
    const nowMs = this.#calls.clock.now();
    await Promise.all(
      [...bitmaps].map(([chunk, bits]) =>
        this.#table.putBitmap(resource, chunk, { bits, through: state.segment }, nowMs),
      ),
    );
    await this.#table.moveHead(resource, state);
    log.forgetTouched(state.segment);
  }

  async #refresh(resource: GroupResource): Promise<KnownLog> {
    const log = this.#known.get(resource) ?? (await KnownLog.atHead(resource, this.#reads));
    await this.#catchUp(log);
    this.#known.set(resource, log);
    return log;
  }

  async #catchUp(log: KnownLog): Promise<void> {
    for await (const page of this.#table.readAfter(log.resource, log.state.segment, { strong: true })) {
      for (const segment of page) log.advance(segment);
    }
  }

  async #letOthersPass(attempt: number): Promise<void> {
    if (attempt > 0) await sleep(this.#calls.clock, (this.#calls.ids.random() * RACE_DELAY_MS) / attempt);
  }

  get #reads() {
    return { table: this.#table, parts: this.#parts };
  }
}

/** Returns the objects whose change before the batch the log does not hold, with their first versions in the batch. An object needs no other barrier that is named by one which lasts as long; that of a list is forgotten sooner. */
async function orphansAmong(log: KnownLog, batch: readonly StreamedChange[]): Promise<readonly ReadVersion[]> {
  const own = new Set(batch.map(({ version }) => version));
  const followers = batch.flatMap((change) => {
    const before = versionBefore(change);
    return before === 0 || own.has(before) ? [] : [{ change, before }];
  });
  await log.load(followers.flatMap(({ change, before }) => [change.version, before]));
  const orphans = followers.filter(({ change, before }) => !log.isLogged(before) && !log.isLogged(change.version));
  if (orphans.length === 0) return [];
  await log.loadBarriers();
  if (log.lastingBarriers >= MAX_ORPHAN_BARRIERS) return [];
  return orphans.flatMap(({ change }) => {
    const { namespace = '', name } = subjectOf(change).metadata;
    const { version } = change;
    return log.lastingFloorOf(namespace, name) < version ? [{ namespace, name, version }] : [];
  });
}

/** The version of the object's, or its name's, change before this one; 0 if there was none, or none is known. */
function versionBefore({ before, replaces = 0 }: StreamedChange): number {
  return before ? Number(before.metadata.resourceVersion) : replaces;
}

/**
 * Returns the versions to log and their changes. Of an object that a barrier names, changes below the named version are left out, and that version's change
 * says so: a list has shown it already. Their versions are logged all the same, so that they stay left out when the barrier is forgotten.
 */
async function unlogged(log: KnownLog, batch: readonly Change[]) {
  await log.load(batch.map(({ version }) => version));
  const fresh = batch.filter(({ version }) => !log.isLogged(version));
  if (fresh.length > 0) await log.loadBarriers();
  const changes = fresh.flatMap((change) => {
    const { namespace = '', name } = subjectOf(change).metadata;
    const floor = log.floorOf(namespace, name);
    if (change.version < floor) return [];
    return [change.version === floor ? { ...change, merged: true as const } : change];
  });
  return { versions: fresh.map(({ version }) => version), changes };
}

/**
 * True if parts that hold some changes can be the contents of a segment that logs these versions. Of the changes that they hold, readers get those with a version of
 * the segment. A later attempt may log fewer, because another appender was faster; but none that a barrier has left out meanwhile may be among them.
 */
function haveContents(stored: readonly Change[], versions: readonly number[], wanted: readonly Change[]): boolean {
  const logged = new Set(versions);
  const shown = stored.filter(({ version }) => logged.has(version));
  return shown.length === wanted.length && shown.every((change, at) => change === wanted[at]);
}

/** Returns the changes, each once, in the order of their versions. For any one object that is the order of its writes. */
function byVersion(changes: readonly StreamedChange[]): readonly StreamedChange[] {
  const unique = new Map(changes.map((change) => [change.version, change]));
  return [...unique.values()].sort((a, b) => a.version - b.version);
}
