import type { KubernetesObject, NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../lambdas/objects/ObjectKey.ts';
import type {
  CreateOutcome,
  ListOptions,
  ObjectList,
  ObjectStore,
  RemoveOutcome,
  ReplaceOutcome,
} from '../../lambdas/ports/ObjectStore.ts';

/** How a defect changes what is read, and takes that back in what is written. */
export interface Disguise {
  /** The object as it is shown. */
  show?(object: KubernetesObject, resource: GroupResource): KubernetesObject;
  /** The object as it is written; `original` is what was stored when it was read. */
  write?(object: KubernetesObject, original: KubernetesObject | undefined, resource: GroupResource): KubernetesObject;
  /** An object that is about to be created. */
  create?(object: NewObject, resource: GroupResource): NewObject;
}

/** A store that shows and writes other objects than are there: for defects that cannot be reached otherwise than through what a controller sees. */
export class DisguisedStore implements ObjectStore {
  readonly #store: ObjectStore;
  readonly #disguise: Disguise;
  readonly #originals = new Map<string, KubernetesObject>();

  constructor(store: ObjectStore, disguise: Disguise) {
    this.#store = store;
    this.#disguise = disguise;
  }

  async get<T extends KubernetesObject>(key: ObjectKey): Promise<T | undefined> {
    const object = await this.#store.get<T>(key);
    return object && this.#shown(object, key.resource);
  }

  async list<T extends KubernetesObject>(resource: GroupResource, options?: ListOptions): Promise<ObjectList<T>> {
    const { items, more } = await this.#store.list<T>(resource, options);
    return { items: items.map((item) => this.#shown(item, resource)), more };
  }

  create<T extends KubernetesObject>(resource: GroupResource, object: NewObject): Promise<CreateOutcome<T>> {
    return this.#store.create<T>(resource, this.#disguise.create?.(object, resource) ?? object);
  }

  replace<T extends KubernetesObject>(resource: GroupResource, object: T): Promise<ReplaceOutcome<T>> {
    const original = this.#originals.get(object.metadata.uid);
    const written = this.#disguise.write?.(object, original, resource) ?? object;
    return this.#store.replace(resource, written as T);
  }

  remove<T extends KubernetesObject>(
    key: ObjectKey,
    preconditions?: Parameters<ObjectStore['remove']>[1],
  ): Promise<RemoveOutcome<T>> {
    return this.#store.remove<T>(key, preconditions);
  }

  burn<T extends KubernetesObject>(key: ObjectKey, uid: string) {
    return this.#store.burn<T>(key, uid);
  }

  #shown<T extends KubernetesObject>(object: T, resource: GroupResource): T {
    this.#originals.set(object.metadata.uid, object);
    return (this.#disguise.show?.(object, resource) ?? object) as T;
  }
}
