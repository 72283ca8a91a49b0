import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../objects/ObjectKey.ts';

/** One write as it stands in the journal. `version` comes from the store's one counter, so the newest entry is the counter. */
export type JournalEntry = ObjectKey & { readonly version: number } & (
    | { readonly type: 'PUT'; readonly object: KubernetesObject }
    /** What stood here, or (`BURNED`) never did, under this UID, and may not come back within a day of `atMs`. */
    | { readonly type: 'DELETED' | 'BURNED'; readonly uid: string; readonly atMs: number }
  );

/** An entry on its way into the journal, with the JSON of its object, which its writer has made already to know the size. */
export interface NewEntry {
  readonly entry: JournalEntry;
  readonly json?: string;
}

/** What goes from the journal at once: the entries of these versions, and for each resource the version up to which its changes are gone. */
export interface Trimming {
  readonly versions: readonly number[];
  readonly floors: ReadonlyMap<GroupResource, number>;
}

/**
 * Where the embedded store keeps its writes: an append-only sequence of entries, from which those that say nothing any more are cut out. It has
 * one user, which reads it once, before its first append.
 */
export interface Journal {
  /** The version up to which changes are gone, by resource; none for a resource that has lost no change. */
  floors(): ReadonlyMap<GroupResource, number>;
  /** All entries, the oldest first. */
  entries(): Iterable<JournalEntry>;
  /** Resolves when no more writes should be waited for before the next append: the more go together, the fewer flushes there are. */
  gathered(): Promise<void>;
  /** Resolves when all entries are durable. If it rejects, any of them may be, and nothing more may be appended. */
  append(entries: readonly NewEntry[]): Promise<void>;
  /** All of it happens, or nothing. */
  trim(trimming: Trimming): Promise<void>;
  close(): Promise<void>;
}
