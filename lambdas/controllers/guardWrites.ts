import type { KubernetesObject, NewObject } from '../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../objects/ObjectKey.ts';
import type { Clock } from '../ports/Clock.ts';
import { type ListOptions, type ObjectStore, type TimeLeft, WRITE_LIFETIME_MS } from '../ports/ObjectStore.ts';
import type {
  DeleteOptions,
  DeleteOutcome,
  Registry,
  RegistryUntil,
  UpdateOptions,
  WriteOptions,
  WriteOutcome,
} from '../registry/Registry.ts';
import type { Controller, SyncContext } from './Controller.ts';

/** The registry without its writes. A controller holds no more than this between its syncs, and `observe…` functions get no more. */
export type RegistryReader = Pick<Registry, 'get' | 'list'>;

/** The object store without its writes. */
export type ObjectReader = Pick<ObjectStore, 'get' | 'list'>;

/** A write that was not sent, because the sync's deadline had passed. It has no effect, now or later. */
export class WriteRefusedError extends Error {
  constructor() {
    super('the time of this sync is over: what is left is for the next one');
  }
}

/**
 * How long after a sync's deadline the last of its calls end, in milliseconds. A write that began just before the deadline has had its effect by then, or never will: it is longer than a write
 * lasts, and ends before the lock does.
 */
export const LAST_CALLS_END_MS = WRITE_LIFETIME_MS + 1_000;

/** The part of a sync's time in which it begins nothing more, so that what it has begun ends before the deadline. */
const TO_END = 1 / 6;

/** What a controller's writes go to. */
export interface Writers {
  readonly registry: Registry;
  /** Makes the registry of one sync, whose calls end with it; absent if the store always answers at once. */
  readonly registryUntil?: RegistryUntil | undefined;
  readonly objectStore: ObjectStore;
  /** The clock of the syncs' deadlines. */
  readonly clock: Clock;
}

/**
 * Gives each sync of a controller writers of its own, which refuse every write from the sync's deadline on, with a WriteRefusedError. A write that began later could end after the lock, when another
 * worker has the key already. This is the only place with this rule. The one write that it does not guard is a sync's own intent (`recordIntent`): the lock guards that. The writers are classes with private members, so no other object has their type, and a
 * controller cannot be given an unguarded one by mistake.
 */
export function guardWrites(
  controller: Controller<SyncContext>,
  { registry, registryUntil, objectStore, clock }: Writers,
): Controller {
  return {
    ...controller,
    sync(key, { deadlineMs, ...start }) {
      const leftToWriteMs = () => deadlineMs - clock.now();
      const mayWrite = () => leftToWriteMs() > 0;
      const timeLeftMs = () => leftToWriteMs() + LAST_CALLS_END_MS;
      const lastMs = leftToWriteMs() * TO_END;
      return controller.sync(key, {
        ...start,
        registry: new GuardedRegistry(registryUntil?.(timeLeftMs) ?? registry, leftToWriteMs),
        objectStore: new GuardedObjectStore(objectStore.until?.(timeLeftMs) ?? objectStore, mayWrite),
        mayGoOn: () => leftToWriteMs() > lastMs,
      });
    },
  };
}

/** The registry of one sync: reads pass, writes go through the guard. A webhook that is asked about a write must have answered by the deadline. */
export class GuardedRegistry implements Registry {
  readonly #registry: Registry;
  readonly #timeLeftMs: TimeLeft;

  constructor(registry: Registry, timeLeftMs: TimeLeft) {
    this.#registry = registry;
    this.#timeLeftMs = timeLeftMs;
  }

  get<T extends KubernetesObject = KubernetesObject>(key: ObjectKey) {
    return this.#registry.get<T>(key);
  }

  list<T extends KubernetesObject = KubernetesObject>(resource: GroupResource, options?: ListOptions) {
    return this.#registry.list<T>(resource, options);
  }

  create<T extends KubernetesObject>(resource: GroupResource, object: NewObject, options?: WriteOptions) {
    return this.#write(options, (timed) => this.#registry.create<T>(resource, object, timed));
  }

  update<T extends KubernetesObject>(resource: GroupResource, object: T, options?: UpdateOptions<T>) {
    return this.#write<UpdateOptions<T>, WriteOutcome<T>>(options, (timed) =>
      this.#registry.update<T>(resource, object, timed),
    );
  }

  delete<T extends KubernetesObject>(key: ObjectKey, options?: DeleteOptions) {
    return this.#write(options, (timed) => this.#registry.delete<T>(key, timed));
  }

  async #write<O extends WriteOptions, R extends WriteOutcome<KubernetesObject> | DeleteOutcome<KubernetesObject>>(
    options: O | undefined,
    write: (options: O & WriteOptions) => Promise<R>,
  ): Promise<R> {
    this.#assertInTime();
    const outcome = await write({ ...(options as O), timeLeftMs: this.#timeLeftMs });
    // The time ended while a webhook was asked.
    if (outcome.status === 'refused' && outcome.error.reason === 'Timeout') this.#assertInTime();
    return outcome;
  }

  #assertInTime(): void {
    if (this.#timeLeftMs() <= 0) throw new WriteRefusedError();
  }
}

/** The object store of one sync: reads, and the writes that fence off an earlier holder's writes. All other writes go through the registry. */
export class GuardedObjectStore implements Pick<ObjectStore, 'get' | 'list' | 'replace' | 'burn'> {
  readonly #objectStore: ObjectStore;
  readonly #mayWrite: () => boolean;

  constructor(objectStore: ObjectStore, mayWrite: () => boolean) {
    this.#objectStore = objectStore;
    this.#mayWrite = mayWrite;
  }

  get<T extends KubernetesObject = KubernetesObject>(key: ObjectKey) {
    return this.#objectStore.get<T>(key);
  }

  list<T extends KubernetesObject = KubernetesObject>(resource: GroupResource, options?: ListOptions) {
    return this.#objectStore.list<T>(resource, options);
  }

  replace<T extends KubernetesObject>(resource: GroupResource, object: T) {
    return begin(this.#mayWrite, () => this.#objectStore.replace<T>(resource, object));
  }

  burn<T extends KubernetesObject = KubernetesObject>(key: ObjectKey, uid: string) {
    return begin(this.#mayWrite, () => this.#objectStore.burn<T>(key, uid));
  }
}

/** Starts the write, or refuses it. */
function begin<T>(mayWrite: () => boolean, write: () => Promise<T>): Promise<T> {
  return mayWrite() ? write() : Promise.reject(new WriteRefusedError());
}
