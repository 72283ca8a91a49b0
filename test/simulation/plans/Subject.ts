import type { JournalEntry } from '../../../lambdas/adapters/embedded/Journal.ts';
import { openEmbeddedStore } from '../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../../lambdas/objects/ObjectKey.ts';
import type { Clock } from '../../../lambdas/ports/Clock.ts';
import type { KeyLocks } from '../../../lambdas/ports/KeyLocks.ts';
import type { ObjectStore } from '../../../lambdas/ports/ObjectStore.ts';
import type { WorkQueue } from '../../../lambdas/ports/WorkQueue.ts';
import type { PlanTally } from './PlanTally.ts';
import type { RecordingJournal } from './RecordingJournal.ts';

interface Reached {
  readonly writesBlindly: boolean;
  readonly store: ObjectStore;
  readonly keyLocks: KeyLocks;
  readonly queue: WorkQueue;
  readonly journal: RecordingJournal;
  readonly clock: Clock;
}

/** What a process of the controller under test reaches, and what its plan does to it there. A process that has died reaches nothing any more. */
export class Subject {
  readonly #reached: Reached;
  readonly #tally: PlanTally;
  isDead = false;
  /** Reads count only then. */
  isSyncing = false;
  /** The change that an old read did not show. */
  missed: number | undefined;

  constructor(reached: Reached, tally: PlanTally) {
    this.#reached = reached;
    this.#tally = tally;
  }

  get objectStore(): ObjectStore {
    const { store } = this.#reached;
    return {
      get: async (key) => await (await this.#readFrom(key.resource, key)).get(key),
      list: async (resource, options) => await (await this.#readFrom(resource)).list(resource, options),
      create: (resource, object) => this.#write(() => store.create(resource, object)),
      replace: (resource, object) =>
        this.#write(async () => store.replace(resource, await this.#versioned(resource, object))),
      remove: (key, preconditions) => this.#write(() => store.remove(key, preconditions)),
      burn: (key, uid) => this.#write(() => store.burn(key, uid)),
    };
  }

  get keyLocks(): KeyLocks {
    const { keyLocks } = this.#reached;
    return {
      acquire: (...given) => this.#reach(() => keyLocks.acquire(...given)),
      recordIntent: (...given) => this.#write(() => keyLocks.recordIntent(...given)),
      release: (...given) => this.#reach(() => keyLocks.release(...given)),
      overdue: (...given) => this.#reach(() => keyLocks.overdue(...given)),
      peek: (key) => this.#reach(() => keyLocks.peek(key)),
    };
  }

  get queue(): WorkQueue {
    const { queue } = this.#reached;
    return {
      send: (keys) => this.#reach(() => queue.send(keys)),
      hide: (...given) => this.#reach(() => queue.hide(...given)),
      bury: (...given) => this.#reach(() => queue.bury(...given)),
    };
  }

  /** With the defect, the object has the version that is stored, and so overwrites what was not read. */
  async #versioned<T extends KubernetesObject>(resource: GroupResource, object: T): Promise<T> {
    const { namespace = '', name } = object.metadata;
    const stored = this.#reached.writesBlindly && (await this.#reached.store.get({ resource, namespace, name }));
    if (!stored) return object;
    return { ...object, metadata: { ...object.metadata, resourceVersion: stored.metadata.resourceVersion } };
  }

  async #reach<T>(call: () => Promise<T>): Promise<T> {
    if (this.isDead) throw new Error('the process has ended');
    return await call();
  }

  async #write<T>(send: () => Promise<T>): Promise<T> {
    const answer = await this.#reach(send);
    if (this.#tally.isNext('killed')) this.isDead = true;
    return await this.#reach(async () => answer);
  }

  /** Where a read gets its answer from: an old read from the store as it was before the last change of what is read. */
  async #readFrom(resource: GroupResource, key?: ObjectKey): Promise<ObjectStore> {
    const { store, journal, clock } = this.#reached;
    if (this.isDead) throw new Error('the process has ended');
    if (!this.isSyncing || resource === 'events') return store;
    const concerns = (entry: JournalEntry) =>
      entry.type !== 'BURNED' &&
      entry.resource === resource &&
      (!key || (entry.namespace === key.namespace && entry.name === key.name));
    const version = journal.lastVersion(this.#tally.sinceVersion, concerns);
    if (version === undefined || !this.#tally.isNext('oldRead')) return store;
    this.missed = version;
    return openEmbeddedStore({ journal: await journal.before(version), clock }).objectStore;
  }
}
