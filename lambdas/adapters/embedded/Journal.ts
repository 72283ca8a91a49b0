import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../objects/ObjectKey.ts';
import type { WriteTrace } from '../../ports/TraceContext.ts';

/** One write in the journal. `version` comes from the store's single counter, so the newest entry holds the counter. */
export type JournalEntry = ObjectKey & {
  readonly version: number;
  /** It is not written: who reads the journal after a start has nothing to trace. */
  readonly trace?: WriteTrace | undefined;
} /** `bytes` is the size of the object's JSON. It is not written: it is known again when the entry is read. */ & (
    | { readonly type: 'PUT'; readonly object: KubernetesObject; readonly bytes: number }
    /** The UID that was removed under this key, or (`BURNED`) never existed there. It may not come back within a day of `atMs`. */
    | { readonly type: 'DELETED' | 'BURNED'; readonly uid: string; readonly atMs: number }
  );

/** An entry to be appended, with the JSON of its object, which the writer has already made to know its size. */
export interface NewEntry {
  readonly entry: JournalEntry;
  readonly json?: string;
}

/** One removal from the journal: the versions of the entries, and for each resource the version up to which its changes are gone. */
export interface Trimming {
  readonly versions: readonly number[];
  readonly floors: ReadonlyMap<GroupResource, number>;
}

/**
 * The durable writes of the embedded store: an append-only sequence of entries, from which obsolete ones are removed. Its single user reads it once, before
 * the first append.
 */
export interface Journal {
  /** How many writers go on in one turn of the event loop once their entries are durable. The others follow in the next turns. */
  readonly writersInTurn: number;
  /** For each resource that has lost changes, the version up to which they are gone. */
  floors(): ReadonlyMap<GroupResource, number>;
  /** Returns all entries, the oldest first. */
  entries(): Iterable<JournalEntry>;
  /** Resolves when the next append should start. Waiting a little lets more writes share one flush. */
  gathered(): Promise<void>;
  /** Resolves when all entries are durable. If it rejects, any of them may be durable, and nothing more may be appended. */
  append(entries: readonly NewEntry[]): Promise<void>;
  /** Removes everything named in `trimming`, or nothing. */
  trim(trimming: Trimming): Promise<void>;
  close(): Promise<void>;
}
