import type { ChangeLog } from '../../ports/ChangeLog.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { ObjectStore } from '../../ports/ObjectStore.ts';
import { ChangeStream } from './ChangeStream.ts';
import { EmbeddedChangeLog } from './EmbeddedChangeLog.ts';
import { EmbeddedObjectStore } from './EmbeddedObjectStore.ts';
import { EmbeddedState } from './EmbeddedState.ts';
import { GroupCommit } from './GroupCommit.ts';
import type { Journal, JournalEntry } from './Journal.ts';
import { JournalTrimmer } from './JournalTrimmer.ts';
import { StoreHealth } from './StoreHealth.ts';

export interface EmbeddedStoreOptions {
  readonly journal: Journal;
  /** Tells how old tombstones are. */
  readonly clock: Clock;
  /** How many changes of each resource watchers can go back; at least 1. Up to a tenth more are kept. */
  readonly retainedChanges?: number;
  /** How many entries that say nothing any more are left in the journal before they are cut out together. */
  readonly trimAtCount?: number;
}

export interface EmbeddedStore {
  readonly objectStore: ObjectStore;
  readonly changeLog: ChangeLog;
  readonly stream: ChangeStream;
  /** Resolves if the journal can no longer be written; the process should end then. */
  readonly failed: Promise<Error>;
  /** Lets decided writes become durable, ends all readers, and closes the journal. */
  close(): Promise<void>;
}

const DEFAULT_RETAINED_CHANGES = 10_000;
const DEFAULT_TRIM_AT_COUNT = 1000;

/** Reads the journal and goes on from there. Throws what the journal throws when it cannot be read. */
export function openEmbeddedStore(options: EmbeddedStoreOptions): EmbeddedStore {
  const { journal, clock, retainedChanges = DEFAULT_RETAINED_CHANGES, trimAtCount = DEFAULT_TRIM_AT_COUNT } = options;
  const state = replay(journal, Math.max(1, retainedChanges));
  const health = new StoreHealth(() => {
    state.wakeAll();
    stream.wake();
  });
  const stream = new ChangeStream(health);
  const trimmer = new JournalTrimmer(journal, state, health, trimAtCount);
  const tidy = () => {
    state.sweepTombstones(clock.now());
    trimmer.trimIfWorthwhile();
  };
  const commits = new GroupCommit(journal, health, (entries) => {
    show(entries, state, stream);
    tidy();
  });
  tidy();
  const close = async () => {
    health.close();
    await commits.drained();
    await trimmer.drained();
    await journal.close();
  };
  const objectStore = new EmbeddedObjectStore(state, commits, health, clock);
  return { objectStore, changeLog: new EmbeddedChangeLog(state, health), stream, failed: health.failed, close };
}

function replay(journal: Journal, retainedChanges: number): EmbeddedState {
  const state = new EmbeddedState(journal.floors(), retainedChanges);
  for (const entry of journal.entries()) state.apply(entry);
  return state;
}

/** Lets readers see a batch: first all of it, then they are woken, once for each log. */
function show(entries: readonly JournalEntry[], state: EmbeddedState, stream: ChangeStream): void {
  const changes = entries.map((entry) => state.apply(entry)).filter((change) => change !== undefined);
  stream.append(changes);
  for (const resource of new Set(changes.map((change) => change.resource))) state.of(resource).log.appended.wake();
  stream.wake();
}
