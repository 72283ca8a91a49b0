import type { KubernetesObject, NewObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../../lambdas/objects/ObjectKey.ts';
import type {
  CreateOutcome,
  ListOptions,
  ObjectList,
  ObjectStore,
  RemoveOutcome,
  ReplaceOutcome,
  TimeLeft,
} from '../../../lambdas/ports/ObjectStore.ts';
import { listsOrphans, type Rivals } from '../GatedObjectStore.ts';
import { currentTrail, type SyncTrail } from '../SyncTrail.ts';
import { currentRequest, type ObjectRequest } from './RequestContext.ts';

export interface ObservedStoreParts {
  readonly rivals: Rivals;
  readonly nextOrder: () => number;
  /** Lets a request that is still under way take effect. */
  readonly landFirst: (what: string) => Promise<void>;
  readonly keepsEvents: boolean;
}

/** The product's store in one function. It says what each request to the table is for, lets rivals strike at the last instant, and notes what the sync has read. */
export class ObservedStore implements ObjectStore {
  readonly #store: ObjectStore;
  readonly #parts: ObservedStoreParts;

  constructor(store: ObjectStore, parts: ObservedStoreParts) {
    this.#store = store;
    this.#parts = parts;
  }

  async get<T extends KubernetesObject>(key: ObjectKey): Promise<T | undefined> {
    const trail = currentTrail.getStore();
    const { rivals } = this.#parts;
    const object = await request(`get ${textOf(key)}`, () => this.#store.get<T>(key), {
      before: async () => {
        if (trail?.key.controller === 'garbagecollector') await rivals.beforeCollectorReads(key);
        if (trail?.inherited && !trail.subject && trail.isOwn(key))
          await rivals.beforeIntentIsSettled(key, trail.inherited);
      },
    });
    trail?.noteRead(key, object);
    return object;
  }

  list<T extends KubernetesObject>(resource: GroupResource, options?: ListOptions): Promise<ObjectList<T>> {
    const trail = currentTrail.getStore();
    const index = options?.index ? ` ${options.index.name}=${options.index.value}` : '';
    return request(
      `list ${resource}${index}`,
      () => this.#store.list<T>(resource, options),
      trail && listsOrphans(resource, options?.index) ? { before: () => this.#beforeOrphans(resource, trail) } : {},
    );
  }

  async create<T extends KubernetesObject>(resource: GroupResource, object: NewObject): Promise<CreateOutcome<T>> {
    if (resource === 'events' && !this.#parts.keepsEvents) {
      const metadata = { ...object.metadata, resourceVersion: '1' };
      return { status: 'stored', object: { ...object, metadata } as unknown as T };
    }
    const { namespace = '', name = '' } = object.metadata;
    return await request(`create ${textOf({ resource, namespace, name })}`, () =>
      this.#store.create<T>(resource, object),
    );
  }

  replace<T extends KubernetesObject>(resource: GroupResource, object: T): Promise<ReplaceOutcome<T>> {
    const { namespace = '', name, resourceVersion } = object.metadata;
    const key = { resource, namespace, name };
    return request(`replace ${textOf(key)} @${resourceVersion}`, () => this.#store.replace(resource, object), {
      before: () => this.#parts.rivals.beforeReplace(key),
    });
  }

  remove<T extends KubernetesObject>(
    key: ObjectKey,
    preconditions?: Parameters<ObjectStore['remove']>[1],
  ): Promise<RemoveOutcome<T>> {
    const act = () => this.#store.remove<T>(key, preconditions);
    return request(`remove ${textOf(key)}`, act, {
      beforeWrite: () => this.#parts.rivals.beforeReplace(key),
      removes: preconditions?.resourceVersion,
    });
  }

  burn<T extends KubernetesObject>(key: ObjectKey, uid: string) {
    return request(`burn ${textOf(key)} ${uid}`, () => this.#store.burn<T>(key, uid), {
      before: () => this.#parts.landFirst(`create ${textOf(key)}`),
    });
  }

  until(timeLeftMs: TimeLeft): ObjectStore {
    return new ObservedStore(this.#store.until?.(timeLeftMs) ?? this.#store, this.#parts);
  }

  async #beforeOrphans(resource: GroupResource, trail: SyncTrail): Promise<void> {
    if (trail.subject) await this.#parts.rivals.beforeOrphansAreListed(resource, trail.subject);
    trail.listedOrder = this.#parts.nextOrder();
  }
}

function request<T>(what: string, act: () => Promise<T>, more: Omit<ObjectRequest, 'what'> = {}): Promise<T> {
  const by = currentTrail.getStore()?.key.controller ?? 'cloud';
  return currentRequest.run({ what: `[${by}] ${what}`, ...more }, act);
}

function textOf({ resource, namespace, name }: ObjectKey): string {
  return `${resource} ${namespace}/${name}`;
}
