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
import type { World } from './World.ts';

/** Whose request a write is: a controller's name, or who else writes. */
export type Writer = string;

/** One write as it landed. */
export interface AuditedWrite {
  readonly writer: Writer;
  readonly change: Change;
}

/**
 * The store that all workers share, with an auditor who sees each write at the instant at which it lands, together with its writer. It adds nothing to the store's
 * behaviour: faults come before it, in what workers are given.
 */
export class AuditedStore {
  readonly #store: ObjectStore;
  readonly #world: World;
  readonly #onWrite: (write: AuditedWrite) => void;

  constructor(store: ObjectStore, world: World, onWrite: (write: AuditedWrite) => void) {
    this.#store = store;
    this.#world = world;
    this.#onWrite = onWrite;
  }

  get<T extends KubernetesObject>(key: ObjectKey): Promise<T | undefined> {
    return this.#store.get<T>(key);
  }

  list<T extends KubernetesObject>(resource: GroupResource, options?: ListOptions) {
    return this.#store.list<T>(resource, options);
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
      this.#tell(writer, { type: 'DELETED', resource: key.resource, version, before });
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
    this.#tell(writer, before ? { ...place, type: 'MODIFIED', before, after } : { ...place, type: 'ADDED', after });
  }

  #tell(writer: Writer, change: Change): void {
    this.#world.apply(change);
    this.#onWrite({ writer, change });
  }
}
