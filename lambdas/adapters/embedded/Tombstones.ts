import type { GroupResource } from '../../objects/ObjectKey.ts';
import { TOMBSTONE_LIFETIME_MS } from '../../ports/ObjectStore.ts';
import type { JournalEntry } from './Journal.ts';

export type DeadEntry = Extract<JournalEntry, { type: 'DELETED' | 'BURNED' }>;

/** The UIDs that may not come back, by the key under which they were removed or burned. */
export class Tombstones {
  readonly #byPlace = new Map<string, Map<string, DeadEntry>>();
  /** In the order in which they were added, which is also the order in which they end. */
  readonly #entries = new Map<number, DeadEntry>();

  add(entry: DeadEntry): void {
    const place = placeOf(entry);
    const dead = this.#byPlace.get(place) ?? new Map<string, DeadEntry>();
    this.#byPlace.set(place, dead.set(entry.uid, entry));
    this.#entries.set(entry.version, entry);
  }

  keepsOut(place: string, uid: string, nowMs: number): boolean {
    const entry = this.#byPlace.get(place)?.get(uid);
    return entry !== undefined && !isOver(entry, nowMs);
  }

  /** True while the tombstone of the removal with this version exists. */
  has(version: number): boolean {
    return this.#entries.has(version);
  }

  /** Drops the tombstones whose lifetime has ended, and returns them. */
  sweep(nowMs: number): readonly DeadEntry[] {
    const swept: DeadEntry[] = [];
    for (const entry of this.#entries.values()) {
      if (!isOver(entry, nowMs)) break;
      swept.push(entry);
      this.#drop(entry);
    }
    return swept;
  }

  #drop(entry: DeadEntry): void {
    this.#entries.delete(entry.version);
    const place = placeOf(entry);
    const dead = this.#byPlace.get(place);
    // Keeps the tombstone of a later burn of the same UID.
    if (dead?.get(entry.uid)?.version === entry.version) dead.delete(entry.uid);
    if (dead?.size === 0) this.#byPlace.delete(place);
  }
}

/** Encodes a key as text, for use as a map's key. Resources and namespaces contain no slash. */
export function placeOf(key: { resource: GroupResource; namespace: string; name: string }): string {
  return `${key.resource}/${key.namespace}/${key.name}`;
}

function isOver(entry: DeadEntry, nowMs: number): boolean {
  return entry.atMs + TOMBSTONE_LIFETIME_MS <= nowMs;
}
