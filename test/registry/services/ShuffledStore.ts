import type { KubernetesObject, NewObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../../lambdas/objects/ObjectKey.ts';
import type { ListOptions, ObjectStore } from '../../../lambdas/ports/ObjectStore.ts';
import type { Random } from '../../simulation/Random.ts';
import type { Scheduler } from '../../simulation/Scheduler.ts';

/** How long a call is on its way, and its answer on the way back, in milliseconds. */
const LONGEST_MS = 6;

/** A store whose calls wait for a drawn time before they are carried out, and again before they are answered, so that concurrent callers overtake each other. Tells of each write that has been carried out. */
export class ShuffledStore implements ObjectStore {
  readonly #store: ObjectStore;
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #onWrite: (resource: GroupResource) => Promise<void>;

  constructor(
    store: ObjectStore,
    scheduler: Scheduler,
    random: Random,
    onWrite: (resource: GroupResource) => Promise<void>,
  ) {
    this.#store = store;
    this.#scheduler = scheduler;
    this.#random = random;
    this.#onWrite = onWrite;
  }

  get<T extends KubernetesObject>(key: ObjectKey): Promise<T | undefined> {
    return this.#call(() => this.#store.get<T>(key));
  }

  list<T extends KubernetesObject>(resource: GroupResource, options?: ListOptions) {
    return this.#call(() => this.#store.list<T>(resource, options));
  }

  create<T extends KubernetesObject>(resource: GroupResource, object: NewObject) {
    return this.#write(resource, () => this.#store.create<T>(resource, object));
  }

  replace<T extends KubernetesObject>(resource: GroupResource, object: T) {
    return this.#write(resource, () => this.#store.replace<T>(resource, object));
  }

  remove<T extends KubernetesObject>(key: ObjectKey, preconditions?: { resourceVersion?: string; uid?: string }) {
    return this.#write(key.resource, () => this.#store.remove<T>(key, preconditions));
  }

  burn<T extends KubernetesObject>(key: ObjectKey, uid: string) {
    return this.#write(key.resource, () => this.#store.burn<T>(key, uid));
  }

  #write<T>(resource: GroupResource, carryOut: () => Promise<T>): Promise<T> {
    return this.#call(async () => {
      const outcome = await carryOut();
      await this.#onWrite(resource);
      return outcome;
    });
  }

  async #call<T>(carryOut: () => Promise<T>): Promise<T> {
    await this.#travel();
    const outcome = await carryOut();
    await this.#travel();
    return outcome;
  }

  #travel(): Promise<void> {
    return this.#scheduler.wait(this.#random.integer(0, LONGEST_MS));
  }
}
