import type { GroupResource } from '../../../objects/ObjectKey.ts';
import { type Change, type ReadVersion, subjectOf, type TracedChange } from '../../../ports/ChangeLog.ts';
import { sleep } from '../../../ports/Clock.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import { KnownLog } from './KnownLog.ts';
import { encodeChanges, encodeReads } from './logContents.ts';
import { LogParts } from './LogParts.ts';
import { decideEarly, versionBefore } from './decideEarly.ts';
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
/** So many races a writer loses before it leaves its changes to the stream. */
const MAX_EARLY_PUTS = 2;
/** Of a log that was not read for so long the head is read first: the segments since then may be many. */
const IDLE_MS = 10_000;

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

/** `isRefreshed`: if others append as well, the log is read on before anything is put. A read costs a fifth of a put that fails. `maxPuts`: absent for any number. */
interface AppendOptions {
  readonly isRefreshed?: boolean;
  readonly maxPuts?: number;
}

/** `segment`: the last known one. `isRaced`: as many races were lost as may be. */
interface Appended {
  readonly segment: number;
  readonly isRaced: boolean;
}

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
  /** When each of them was read, by the steady clock. */
  readonly #readAtMs = new Map<GroupResource, number>();
  /** The logs to which others have appended lately. */
  readonly #shared = new Set<GroupResource>();
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
  async append(resource: GroupResource, changes: readonly TracedChange[]): Promise<void> {
    const batch = byVersion(changes);
    await this.#nameOrphans(resource, batch);
    await this.#appendWhen(
      resource,
      this.#draftOf(resource, async () => batch),
    );
  }

  /**
   * Appends those of a writer's changes of which the log certainly holds the change before, ahead of the stream, which brings all of them later. The decision holds for the log as it is when they are appended: whatever another appender
   * appends meanwhile makes the put fail. Resolves to false if others were faster each time: then the log is busy enough. Costs one read unit or a few, and what `append` costs. Throws as that does.
   */
  async appendEarly(resource: GroupResource, changes: readonly TracedChange[]): Promise<boolean> {
    const batch = byVersion(changes);
    const draft = this.#draftOf(resource, async (log) => {
      await log.load(batch.flatMap((change) => [change.version, versionBefore(change)]));
      return decideEarly(batch, log);
    });
    const { isRaced } = await this.#appendWhen(resource, draft, { isRefreshed: true, maxPuts: MAX_EARLY_PUTS });
    return !isRaced;
  }

  /** Drafts a segment with those of the wanted changes that are not logged yet. Its contents are stored once for all attempts. */
  #draftOf(
    resource: GroupResource,
    wantedOf: (log: KnownLog) => Promise<readonly Change[]>,
  ): (log: KnownLog, isCurrent: boolean) => Promise<Draft | 'none'> {
    let stored: readonly Change[] = [];
    let parts: readonly LogPart[] = [];
    return async (log) => {
      const { versions, changes: fresh } = await unlogged(log, await wantedOf(log));
      if (versions.length === 0) return 'none';
      if (!haveContents(stored, versions, fresh)) {
        parts = await this.#parts.put(resource, encodeChanges(fresh));
        stored = fresh;
      }
      return { kind: 'changes', versions, parts };
    };
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
    const { segment } = await this.#appendWhen(resource, async () => ({ kind: 'barrier', versions: [], parts }));
    return segment;
  }

  /**
   * Names the objects whose last change before this batch is not logged. A stream delivers an object's changes in order, so it was in a batch that was given up. Until the epoch comes that its notice begins, a function
   * that still has the batch could log that change after these.
   */
  async #nameOrphans(resource: GroupResource, batch: readonly TracedChange[]): Promise<void> {
    let parts: readonly LogPart[] | undefined;
    const drafting: Drafting = async (log, isCurrent) => {
      const orphans = await orphansAmong(log, batch);
      if (orphans.length === 0) return 'none';
      if (!isCurrent) return 'behind';
      parts ??= await this.#parts.put(resource, [{ bytes: encodeReads(orphans) }]);
      return { kind: 'barrier', versions: [], parts, lasting: true };
    };
    await this.#appendWhen(resource, drafting, { isRefreshed: this.#shared.has(resource) });
  }

  /** Moves the head to the newest segment. Must be done daily, since the head must pass segments before they expire. */
  async settle(resource: GroupResource): Promise<void> {
    const log = await KnownLog.atHead(resource, this.#reads);
    const head = log.state.segment;
    await this.#catchUp(log);
    if (log.state.segment > head) await this.#moveHead(log);
  }

  /** Appends what `draft` wants for the log as it is known, and asks again after each lost race. */
  #appendWhen(resource: GroupResource, draft: Drafting, options: AppendOptions = {}): Promise<Appended> {
    const append = () => this.#append(resource, draft, options);
    const turn = (this.#turns.get(resource) ?? Promise.resolve()).then(append, append);
    this.#turns.set(resource, turn);
    return turn;
  }

  async #append(resource: GroupResource, draft: Drafting, options: AppendOptions): Promise<Appended> {
    const { isRefreshed = false, maxPuts = Number.POSITIVE_INFINITY } = options;
    let isCurrent = isRefreshed || !this.#known.has(resource);
    let log = isCurrent ? await this.#refresh(resource) : (this.#known.get(resource) as KnownLog);
    let drawn = 0;
    for (let lost = 0; ; ) {
      const wanted = await draft(log, isCurrent);
      const { segment } = log.state;
      if (wanted === 'none') return { segment, isRaced: false };
      if (wanted !== 'behind') {
        const last = wanted.versions.at(-1) ?? 0;
        // If a higher version is logged already, the position after this segment needs a number of its own. So does an epoch: a client may know a change that it passes over.
        const isOwn = last <= log.state.position || wanted.kind === 'epoch';
        const floor = Math.max(last, log.state.position);
        if (isOwn && drawn <= floor) drawn = await this.#versions.draw(resource, floor);
        if (await this.#commit(resource, log, wanted, isOwn ? drawn : last))
          return { segment: segment + 1, isRaced: false };
        lost += 1;
        if (lost >= maxPuts) return { segment, isRaced: true };
        await this.#letOthersPass(lost);
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
    if (isPut) this.#readAtMs.set(resource, this.#calls.clock.steadyMs());
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
    const beganMs = this.#calls.clock.steadyMs();
    const before = this.#known.get(resource)?.state.segment;
    const log = await this.#trusted(resource, beganMs);
    await this.#catchUp(log);
    if (before !== undefined && log.state.segment > before) this.#shared.add(resource);
    else this.#shared.delete(resource);
    this.#known.set(resource, log);
    this.#readAtMs.set(resource, beganMs);
    return log;
  }

  /** Returns the known log, or what the head says if that is newer and the known log was not read for long. */
  async #trusted(resource: GroupResource, nowMs: number): Promise<KnownLog> {
    const known = this.#known.get(resource);
    if (known && nowMs - (this.#readAtMs.get(resource) ?? 0) < IDLE_MS) return known;
    const head = await KnownLog.atHead(resource, this.#reads);
    return known && head.state.segment <= known.state.segment ? known : head;
  }

  async #catchUp(log: KnownLog): Promise<void> {
    for await (const page of this.#table.readAfter(log.resource, log.state.segment, { strong: true })) {
      for (const segment of page) log.advance(segment);
    }
  }

  async #letOthersPass(lost: number): Promise<void> {
    if (lost > 1) await sleep(this.#calls.clock, (this.#calls.ids.random() * RACE_DELAY_MS) / (lost - 1));
  }

  get #reads() {
    return { table: this.#table, parts: this.#parts };
  }
}

/** Returns the objects whose change before the batch the log does not hold, with their first versions in the batch. An object needs no other barrier that is named by one which lasts as long; that of a list is forgotten sooner. */
async function orphansAmong(log: KnownLog, batch: readonly TracedChange[]): Promise<readonly ReadVersion[]> {
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
function byVersion(changes: readonly TracedChange[]): readonly TracedChange[] {
  const unique = new Map(changes.map((change) => [change.version, change]));
  return [...unique.values()].sort((a, b) => a.version - b.version);
}
