import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { ChangeLog } from '../../ports/ChangeLog.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { Tracing } from '../../ports/Tracing.ts';
import type { ObjectStore } from '../../ports/ObjectStore.ts';
import { ChangeStream } from './ChangeStream.ts';
import { EmbeddedChangeLog } from './EmbeddedChangeLog.ts';
import { EmbeddedObjectStore } from './EmbeddedObjectStore.ts';
import { ObjectsAndChangeLogs, type Retention } from './ObjectsAndChangeLogs.ts';
import { frozenCopy } from './frozenCopy.ts';
import { GroupCommit } from './GroupCommit.ts';
import type { Journal, JournalEntry } from './Journal.ts';
import { JournalTrimmer } from './JournalTrimmer.ts';
import { ReaderTurns } from './ReaderTurns.ts';
import { StoreHealth } from './StoreHealth.ts';

export interface EmbeddedStoreOptions {
  readonly journal: Journal;
  /** The time for tombstones. */
  readonly clock: Clock;
  /** Tells in which trace a write is made. Absent: in none. */
  readonly tracing?: Pick<Tracing, 'current'> | undefined;
  /** Lets the event loop turn between the readers of the change log. Absent, as on a virtual clock: all readers go on at once. */
  readonly giveTurn?: (() => Promise<void>) | undefined;
  /** How many changes of each resource are kept for watchers; at least 1. Up to a tenth more are kept. */
  readonly retainedChanges?: number;
  /** How many bytes of replaced and deleted objects the logs of all resources may hold together. Up to a tenth more are kept. */
  readonly retainedBytes?: number;
  /** How many obsolete entries gather in the journal before they are removed together. */
  readonly trimAtCount?: number;
  /** How many bytes of obsolete entries gather there at most before they are removed. */
  readonly trimAtBytes?: number;
}

export interface EmbeddedStore {
  readonly objectStore: ObjectStore;
  readonly changeLog: ChangeLog;
  readonly stream: ChangeStream;
  /** The objects that are stored now, with their resources. */
  objects(): Iterable<readonly [GroupResource, KubernetesObject]>;
  /** True if nothing has ever been written to it. */
  isEmpty(): boolean;
  /** Resolves when the journal cannot be written any more; then the process should end. */
  readonly failed: Promise<Error>;
  /** Ends all readers, waits until decided writes are durable, and closes the journal. */
  close(): Promise<void>;
}

const DEFAULT_RETAINED_CHANGES = 10_000;
/** A load of 10,000 changes each of pods, ReplicaSets, Deployments and events stays below it. */
const DEFAULT_RETAINED_BYTES = 128 * 2 ** 20;
const DEFAULT_TRIM_AT_COUNT = 1000;
const DEFAULT_TRIM_AT_BYTES = 16 * 2 ** 20;

/** Opens the store with the journal's state. Throws the journal's error if it cannot be read. */
export function openEmbeddedStore(options: EmbeddedStoreOptions): EmbeddedStore {
  const { journal, clock, retainedChanges = DEFAULT_RETAINED_CHANGES, trimAtCount = DEFAULT_TRIM_AT_COUNT } = options;
  const { retainedBytes = DEFAULT_RETAINED_BYTES, trimAtBytes = DEFAULT_TRIM_AT_BYTES } = options;
  const state = replay(journal, { changes: Math.max(1, retainedChanges), bytes: retainedBytes });
  const health = new StoreHealth(() => {
    state.wakeAll();
    stream.wake();
  });
  const stream = new ChangeStream(health);
  const trimmer = new JournalTrimmer(journal, state, health, { count: trimAtCount, bytes: trimAtBytes });
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
  const isEmpty = () => state.newestVersion === 0;
  const turns = options.giveTurn && new ReaderTurns(options.giveTurn);
  const objectStore = new EmbeddedObjectStore(state, commits, health, clock, options.tracing);
  return {
    objectStore,
    changeLog: new EmbeddedChangeLog(state, health, turns),
    stream,
    failed: health.failed,
    objects: () => state.objects(),
    isEmpty,
    close,
  };
}

function replay(journal: Journal, retention: Retention): ObjectsAndChangeLogs {
  const state = new ObjectsAndChangeLogs(journal.floors(), retention);
  for (const entry of journal.entries()) state.apply(entry.type === 'PUT' ? sharing(entry, state) : entry);
  return state;
}

/** What is read from a journal shares nothing. Of thousands of pods of one template, each would take several times the memory. */
function sharing(entry: JournalEntry & { type: 'PUT' }, state: ObjectsAndChangeLogs): JournalEntry {
  const { objects } = state.of(entry.resource);
  const { namespace = '', name } = entry.object.metadata;
  const similar = objects.get(namespace, name) ?? objects.similarTo(entry.object);
  return { ...entry, object: frozenCopy(entry.object, similar) };
}

/** Makes a batch readable: applies all its entries first, then wakes the readers of each log once. */
function show(entries: readonly JournalEntry[], state: ObjectsAndChangeLogs, stream: ChangeStream): void {
  const changes = entries.map((entry) => state.apply(entry)).filter((change) => change !== undefined);
  stream.append(changes);
  for (const resource of new Set(changes.map((change) => change.resource))) state.of(resource).log.appended.wake();
  stream.wake();
}
