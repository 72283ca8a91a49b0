import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import { IndexedObjects } from './IndexedObjects.ts';
import type { JournalEntry, Trimming } from './Journal.ts';
import { ResourceChangeLog } from './ResourceChangeLog.ts';
import { type DeadEntry, Tombstones } from './Tombstones.ts';

/** How much of the change log is kept for watchers. Up to a tenth more is kept. */
export interface Retention {
  /** How many changes of each resource; at least 1. */
  readonly changes: number;
  /** How many bytes of objects before their changes, in the logs of all resources together. */
  readonly bytes: number;
}

interface ResourceState {
  readonly objects: IndexedObjects;
  readonly log: ResourceChangeLog;
}

/**
 * What the journal says, in memory: the objects, the change log of each resource, tombstones, and the journal's obsolete entries. It changes only by applying entries in the order of their
 * versions, either those that have just become durable, or those that the journal holds at the start. So `apply` is what writes the change log on one machine; `EmbeddedChangeLog` reads it.
 */
export class ObjectsAndChangeLogs {
  readonly tombstones = new Tombstones();
  readonly #resources = new Map<GroupResource, ResourceState>();
  readonly #floors: ReadonlyMap<GroupResource, number>;
  readonly #retention: Retention;
  /** The sizes of the current objects and of those in the logs, by their versions. */
  readonly #bytes = new Map<number, number>();
  #loggedBytes = 0;
  #newestVersion = 0;
  #garbage: number[] = [];
  #garbageBytes = 0;

  constructor(floors: ReadonlyMap<GroupResource, number>, retention: Retention) {
    this.#floors = floors;
    this.#retention = retention;
  }

  /** The newest durable version. */
  get newestVersion(): number {
    return this.#newestVersion;
  }

  get garbageCount(): number {
    return this.#garbage.length;
  }

  get garbageBytes(): number {
    return this.#garbageBytes;
  }

  /** Wakes all readers that wait for a change of any resource. */
  wakeAll(): void {
    for (const { log } of this.#resources.values()) log.appended.wake();
  }

  *objects(): Generator<readonly [GroupResource, KubernetesObject]> {
    for (const [resource, { objects }] of this.#resources) {
      for (const object of objects.list({}).items) yield [resource, object];
    }
  }

  of(resource: GroupResource): ResourceState {
    const known = this.#resources.get(resource);
    if (known) return known;
    const log = new ResourceChangeLog(this.#floors.get(resource) ?? 0);
    const added = { objects: new IndexedObjects(resource), log };
    this.#resources.set(resource, added);
    return added;
  }

  /** Applies an entry and returns the change that it makes; a burn makes none. */
  apply(entry: JournalEntry): Change | undefined {
    this.#newestVersion = entry.version;
    if (entry.type === 'PUT') this.#bytes.set(entry.version, entry.bytes);
    const { log } = this.of(entry.resource);
    const change = this.#changeBy(entry);
    if (!change) return undefined;
    if (change.version <= log.floor) this.#discard(change);
    else this.#appendToLog(change, log);
    return change;
  }

  sweepTombstones(nowMs: number): void {
    for (const entry of this.tombstones.sweep(nowMs)) {
      const inLog = entry.type === 'DELETED' && entry.version > this.of(entry.resource).log.floor;
      if (!inLog) this.#garbage.push(entry.version);
    }
  }

  /** Returns the obsolete entries, which can be removed from the journal. The newest entry always stays, since it is the version counter. */
  takeGarbage(): Trimming {
    const versions = this.#garbage.filter((version) => version !== this.#newestVersion);
    this.#garbage = this.#garbage.filter((version) => version === this.#newestVersion);
    this.#garbageBytes = 0;
    const floors = [...this.#resources].map(([resource, { log }]) => [resource, log.floor] as const);
    return { versions, floors: new Map(floors.filter(([, floor]) => floor > 0)) };
  }

  #changeBy(entry: JournalEntry): Change | undefined {
    const { resource, namespace, name, version, trace } = entry;
    const place = { resource, version, ...(trace && { trace }) };
    const { objects } = this.of(resource);
    if (entry.type === 'PUT') {
      const before = objects.put(namespace, entry.object);
      const after = entry.object;
      return before ? { type: 'MODIFIED', ...place, before, after } : { type: 'ADDED', ...place, after };
    }
    this.#bury(entry);
    const before = entry.type === 'DELETED' ? objects.remove(namespace, name) : undefined;
    return before && { type: 'DELETED', ...place, before };
  }

  #appendToLog(change: Change, log: ResourceChangeLog): void {
    const bytes = this.#bytes.get(versionBefore(change)) ?? 0;
    log.append(change, bytes);
    this.#loggedBytes += bytes;
    this.#drop(log, (from) => from.dropBeyond(this.#retention.changes));
    if (this.#loggedBytes > this.#retention.bytes * 1.1) this.#dropToBudget();
  }

  /** Drops from the largest log first, so that one resource with large objects does not cost the watchers of the others their history. */
  #dropToBudget(): void {
    while (this.#loggedBytes > this.#retention.bytes) {
      const logs = [...this.#resources.values()].map(({ log }) => log);
      const largest = logs.reduce((a, b) => (b.bytes > a.bytes ? b : a));
      this.#drop(largest, (log) => log.dropBytes(this.#loggedBytes - this.#retention.bytes));
    }
  }

  #drop(log: ResourceChangeLog, drop: (log: ResourceChangeLog) => readonly Change[]): void {
    const bytesBefore = log.bytes;
    const dropped = drop(log);
    this.#loggedBytes -= bytesBefore - log.bytes;
    for (const change of dropped) this.#discard(change);
  }

  /** Does nothing for a deletion or burn of this process, whose tombstone was added when it was decided. */
  #bury(entry: DeadEntry): void {
    if (!this.tombstones.has(entry.version)) this.tombstones.add(entry);
  }

  /** A change that has left the log makes the entry of its `before` obsolete. A deletion's own entry is obsolete too if its tombstone is gone. */
  #discard(change: Change): void {
    if (change.before) {
      const version = versionBefore(change);
      this.#garbage.push(version);
      this.#garbageBytes += this.#bytes.get(version) ?? 0;
      this.#bytes.delete(version);
    }
    if (change.type === 'DELETED' && !this.tombstones.has(change.version)) this.#garbage.push(change.version);
  }
}

/** Returns the version of the object before the change; 0 if there was none. */
function versionBefore({ before }: Change): number {
  return before ? Number(before.metadata.resourceVersion) : 0;
}
