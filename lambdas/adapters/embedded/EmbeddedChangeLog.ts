import type { GroupResource } from '../../objects/ObjectKey.ts';
import {
  type CaughtUp,
  type Change,
  type ChangeLog,
  type LogCursor,
  newerThan,
  type OpenOutcome,
  type ReadVersion,
} from '../../ports/ChangeLog.ts';
import type { ObjectsAndChangeLogs } from './ObjectsAndChangeLogs.ts';
import type { ReaderTurns } from './ReaderTurns.ts';
import type { ResourceChangeLog } from './ResourceChangeLog.ts';
import type { StoreHealth } from './StoreHealth.ts';

/** The logs of the embedded store, in the order of versions. An object and its change become readable at the same moment. */
export class EmbeddedChangeLog implements ChangeLog {
  readonly isNeverBehind = true;
  readonly #state: ObjectsAndChangeLogs;
  readonly #health: StoreHealth;
  readonly #turns: ReaderTurns | undefined;

  /** Without turns, all readers go on at once. */
  constructor(state: ObjectsAndChangeLogs, health: StoreHealth, turns?: ReaderTurns) {
    this.#state = state;
    this.#health = health;
    this.#turns = turns;
  }

  async head(resource: GroupResource): Promise<number> {
    this.#health.assertUsable();
    return this.#state.of(resource).log.head;
  }

  async reached(resource: GroupResource, version: number, signal: AbortSignal): Promise<number | 'expired'> {
    const { log } = this.#state.of(resource);
    return (await this.#holds(log, version, signal)) ? log.head : 'expired';
  }

  /** The log is never behind the objects, so what was read is held. */
  async catchUp(resource: GroupResource, from: number, reads: readonly ReadVersion[]): Promise<CaughtUp | 'expired'> {
    const changes = await this.changesSince(resource, from);
    if (changes === 'expired') return changes;
    return { position: changes.at(-1)?.version ?? from, changes: newerThan(reads, changes), holdsReads: true };
  }

  async changesSince(resource: GroupResource, position: number): Promise<readonly Change[] | 'expired'> {
    this.#health.assertUsable();
    const { log } = this.#state.of(resource);
    return position < log.floor ? 'expired' : log.from(log.sequenceAfter(position));
  }

  async open(resource: GroupResource, version: number, signal: AbortSignal): Promise<OpenOutcome> {
    const { log } = this.#state.of(resource);
    if (!(await this.#holds(log, version, signal))) return { status: 'future' };
    if (version < log.floor) return { status: 'expired' };
    return { status: 'open', cursor: new EmbeddedCursor(log, this.#health, version, this.#turns) };
  }

  /** Waits until the log holds all changes up to `version`; false if `signal` was aborted first. */
  async #holds(log: ResourceChangeLog, version: number, signal: AbortSignal): Promise<boolean> {
    this.#health.assertUsable();
    while (log.head < version) {
      if (signal.aborted) return false;
      await log.appended.wait(signal);
      this.#health.assertUsable();
    }
    return true;
  }
}

class EmbeddedCursor implements LogCursor {
  readonly #log: ResourceChangeLog;
  readonly #health: StoreHealth;
  readonly #turns: ReaderTurns | undefined;
  #position: number;
  #sequence: number;

  constructor(log: ResourceChangeLog, health: StoreHealth, version: number, turns?: ReaderTurns) {
    this.#log = log;
    this.#health = health;
    this.#turns = turns;
    this.#position = version;
    this.#sequence = log.sequenceAfter(version);
  }

  get position(): number {
    return this.#position;
  }

  async next(signal: AbortSignal): Promise<readonly Change[] | 'expired'> {
    for (;;) {
      this.#health.assertUsable();
      if (this.#log.hasAny(this.#sequence)) {
        if (this.#turns) await this.#turns.take();
        const changes = this.#log.some(this.#sequence);
        return changes === 'expired' ? changes : this.#pass(changes);
      }
      if (signal.aborted) return [];
      await this.#log.appended.wait(signal);
    }
  }

  /** Does nothing: a cursor holds no resources. */
  close(): void {}

  #pass(changes: readonly Change[]): readonly Change[] {
    this.#sequence += changes.length;
    this.#position = changes.at(-1)?.version ?? this.#position;
    return changes;
  }
}
