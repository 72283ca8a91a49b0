import type { KubernetesObject, NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../lambdas/objects/ObjectKey.ts';
import type { Change } from '../../lambdas/ports/ChangeLog.ts';
import type {
  CreateOutcome,
  ListOptions,
  ObjectStore,
  RemoveOutcome,
  ReplaceOutcome,
} from '../../lambdas/ports/ObjectStore.ts';
import type { SyncTrail } from './SyncTrail.ts';
import type { World } from './World.ts';

/** Who writes, and in which sync: `by` is a controller's name, or somebody else's; only controllers have a trail. */
export interface Writer {
  readonly by: string;
  readonly trail?: SyncTrail | undefined;
}

/** One write that was stored. */
export interface AuditedWrite {
  readonly writer: string;
  readonly trail: SyncTrail | undefined;
  readonly change: Change;
  /** Grows with every write and with every list that a sync makes: says which came first. */
  readonly order: number;
}

/** A store whose writers give their names. */
export type WriterStore = Pick<AuditedStore, keyof AuditedStore>;

/**
 * The store that all workers share. It reports each write at the instant at which it is stored, together with its writer, and adds nothing to the store's behaviour: faults
 * are injected before it, in what workers are given.
 */
export class AuditedStore {
  #store: ObjectStore;
  readonly #world: World;
  readonly #onWrite: (write: AuditedWrite) => void;
  #order = 0;

  constructor(store: ObjectStore, world: World, onWrite: (write: AuditedWrite) => void) {
    this.#store = store;
    this.#world = world;
    this.#onWrite = onWrite;
  }

  /** Goes on with a store that was opened anew on the same journal. */
  reopen(store: ObjectStore): void {
    this.#store = store;
  }

  get<T extends KubernetesObject>(key: ObjectKey): Promise<T | undefined> {
    return this.#store.get<T>(key);
  }

  list<T extends KubernetesObject>(resource: GroupResource, options?: ListOptions) {
    return this.#store.list<T>(resource, options);
  }

  /** The place of what happens now among all writes. */
  nextOrder(): number {
    this.#order += 1;
    return this.#order;
  }

  async create<T extends KubernetesObject>(
    writer: Writer,
    resource: GroupResource,
    object: NewObject,
  ): Promise<CreateOutcome<T>> {
    const outcome = await this.#store.create<T>(resource, object);
    if (outcome.status === 'stored') this.#stored(writer, resource, outcome.object);
    return outcome;
  }

  async replace<T extends KubernetesObject>(
    writer: Writer,
    resource: GroupResource,
    object: T,
  ): Promise<ReplaceOutcome<T>> {
    const outcome = await this.#store.replace(resource, object);
    if (outcome.status === 'stored') this.#stored(writer, resource, outcome.object);
    return outcome;
  }

  async remove<T extends KubernetesObject>(
    writer: Writer,
    key: ObjectKey,
    preconditions?: Parameters<ObjectStore['remove']>[1],
  ): Promise<RemoveOutcome<T>> {
    const before = this.#world.get(key.resource, key.namespace, key.name);
    const outcome = await this.#store.remove<T>(key, preconditions);
    if (outcome.status === 'removed' && before) {
      const version = Number(outcome.object.metadata.resourceVersion);
      this.#report(writer, { type: 'DELETED', resource: key.resource, version, before });
    }
    return outcome;
  }

  burn<T extends KubernetesObject>(key: ObjectKey, uid: string) {
    return this.#store.burn<T>(key, uid);
  }

  #stored(writer: Writer, resource: GroupResource, after: KubernetesObject): void {
    const { namespace = '', name, resourceVersion } = after.metadata;
    const before = this.#world.get(resource, namespace, name);
    const place = { resource, version: Number(resourceVersion) };
    this.#report(writer, before ? { ...place, type: 'MODIFIED', before, after } : { ...place, type: 'ADDED', after });
  }

  #report({ by, trail }: Writer, change: Change): void {
    this.#world.apply(change);
    this.#onWrite({ writer: by, trail, change, order: this.nextOrder() });
  }
}
