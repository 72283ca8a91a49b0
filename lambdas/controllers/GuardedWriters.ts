import type { KubernetesObject, NewObject } from '../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../objects/ObjectKey.ts';
import type { ListOptions, ObjectStore, TimeLeft } from '../ports/ObjectStore.ts';
import type {
  DeleteOptions,
  DeleteOutcome,
  Registry,
  UpdateOptions,
  WriteOptions,
  WriteOutcome,
} from '../registry/Registry.ts';

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
