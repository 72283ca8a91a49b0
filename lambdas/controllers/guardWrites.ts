import type { KubernetesObject, NewObject } from '../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../objects/ObjectKey.ts';
import type { Clock } from '../ports/Clock.ts';
import type { ListOptions, ObjectStore } from '../ports/ObjectStore.ts';
import type { DeleteOptions, Registry, UpdateOptions, WriteOptions } from '../registry/Registry.ts';
import type { Controller, SyncContext } from './Controller.ts';

/** The registry for those who only read: what a controller holds between its syncs, and what observing gets. */
export type RegistryReader = Pick<Registry, 'get' | 'list'>;

/** The object store for those who only read. */
export type ObjectReader = Pick<ObjectStore, 'get' | 'list'>;

/** A write that was not sent, because the sync's deadline has passed: it cannot have had an effect, and never will. */
export class WriteRefusedError extends Error {
  constructor() {
    super('the time of this sync is over: what is left is for the next one');
  }
}

/** Where a controller's writes go. */
export interface Writers {
  readonly registry: Registry;
  readonly objectStore: ObjectStore;
  readonly clock: Clock;
}

/**
 * The one place where the rule is enforced that no write begins after a sync's deadline. Such a write could end after the lock did, when another worker has the key already.
 * Each sync gets writers of its own, which refuse with a WriteRefusedError from the deadline on. The writers are classes with private members, so nothing else has
 * their type: a controller cannot be given an unguarded one by mistake.
 */
export function guardWrites(
  controller: Controller<SyncContext>,
  { registry, objectStore, clock }: Writers,
): Controller {
  return {
    ...controller,
    sync(key, { deadlineMs, ...start }) {
      const mayWrite = () => clock.now() < deadlineMs;
      return controller.sync(key, {
        ...start,
        registry: new GuardedRegistry(registry, mayWrite),
        objectStore: new GuardedObjectStore(objectStore, mayWrite),
        mayWrite,
        late: {
          registry: new GuardedRegistry(registry, () => true),
          objectStore: new GuardedObjectStore(objectStore, () => true),
        },
      });
    },
  };
}

/** The registry as one sync sees it: reads pass, writes go through the guard. */
export class GuardedRegistry implements Registry {
  readonly #registry: Registry;
  readonly #mayWrite: () => boolean;

  constructor(registry: Registry, mayWrite: () => boolean) {
    this.#registry = registry;
    this.#mayWrite = mayWrite;
  }

  get<T extends KubernetesObject = KubernetesObject>(key: ObjectKey) {
    return this.#registry.get<T>(key);
  }

  list<T extends KubernetesObject = KubernetesObject>(resource: GroupResource, options?: ListOptions) {
    return this.#registry.list<T>(resource, options);
  }

  create<T extends KubernetesObject>(resource: GroupResource, object: NewObject, options?: WriteOptions) {
    return begin(this.#mayWrite, () => this.#registry.create<T>(resource, object, options));
  }

  update<T extends KubernetesObject>(resource: GroupResource, object: T, options?: UpdateOptions<T>) {
    return begin(this.#mayWrite, () => this.#registry.update<T>(resource, object, options));
  }

  delete<T extends KubernetesObject>(key: ObjectKey, options?: DeleteOptions) {
    return begin(this.#mayWrite, () => this.#registry.delete<T>(key, options));
  }
}

/** The object store as one sync sees it: reads, and what fences off the writes of an earlier holder. All else goes through the registry. */
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

/** Starts the write, or refuses it. Adds no turn of the event loop. */
function begin<T>(mayWrite: () => boolean, write: () => Promise<T>): Promise<T> {
  return mayWrite() ? write() : Promise.reject(new WriteRefusedError());
}
