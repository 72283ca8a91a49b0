import { indexValues } from '../../lambdas/objects/indexes.ts';
import type { KubernetesObject, NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../lambdas/objects/ObjectKey.ts';
import {
  type CreateOutcome,
  type ListOptions,
  MAX_OBJECT_BYTES,
  type ObjectList,
  type ObjectStore,
  type RemoveOutcome,
  type ReplaceOutcome,
} from '../../lambdas/ports/ObjectStore.ts';

/** An ObjectStore in a Map that records each call. With `beforeWrite` a test can act between a read and its write. */
export class FakeObjectStore implements ObjectStore {
  readonly calls: string[] = [];
  beforeWrite: (() => Promise<void> | void) | undefined;
  readonly #objects = new Map<string, KubernetesObject>();
  #version = 0;

  async get<T extends KubernetesObject>(key: ObjectKey): Promise<T | undefined> {
    this.calls.push(`get ${place(key)}`);
    return this.#objects.get(place(key)) as T | undefined;
  }

  async list<T extends KubernetesObject>(
    resource: GroupResource,
    { namespace, index, limit = Infinity, after }: ListOptions = {},
  ): Promise<ObjectList<T>> {
    this.calls.push(`list ${resource}`);
    const items = [...this.#objects]
      .filter(([key]) => key.startsWith(`${resource} ${namespace === undefined ? '' : `${namespace}/`}`))
      .filter(([, object]) => !index || indexValues(resource, object)[index.name] === index.value)
      .filter(([key]) => !after || key > place({ resource, ...after }))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, object]) => object as T);
    return { items: items.slice(0, limit), more: items.length > limit };
  }

  async create<T extends KubernetesObject>(resource: GroupResource, object: NewObject): Promise<CreateOutcome<T>> {
    const key = keyOf(resource, object);
    await this.#write(`create ${place(key)}`);
    const current = this.#objects.get(place(key));
    if (current) return { status: 'exists', current: current as T };
    return this.#put(key, object as T);
  }

  async replace<T extends KubernetesObject>(resource: GroupResource, object: T): Promise<ReplaceOutcome<T>> {
    const key = keyOf(resource, object);
    await this.#write(`replace ${place(key)}`);
    const current = this.#objects.get(place(key)) as T | undefined;
    if (!current) return { status: 'absent' };
    const { uid, resourceVersion } = current.metadata;
    if (uid !== object.metadata.uid || resourceVersion !== object.metadata.resourceVersion)
      return { status: 'conflict', current };
    return this.#put(key, object);
  }

  async remove<T extends KubernetesObject>(
    key: ObjectKey,
    preconditions: { readonly resourceVersion?: string; readonly uid?: string } = {},
  ): Promise<RemoveOutcome<T>> {
    await this.#write(`remove ${place(key)}`);
    const current = this.#objects.get(place(key)) as T | undefined;
    if (!current) return { status: 'absent' };
    const { uid, resourceVersion } = { ...current.metadata, ...preconditions };
    if (uid !== current.metadata.uid || resourceVersion !== current.metadata.resourceVersion)
      return { status: 'conflict', current };
    this.#objects.delete(place(key));
    return { status: 'removed', object: this.#versioned(current) };
  }

  async burn<T extends KubernetesObject>(
    key: ObjectKey,
  ): Promise<{ readonly status: 'burned' } | { readonly status: 'exists'; readonly current: T }> {
    const current = this.#objects.get(place(key)) as T | undefined;
    return current ? { status: 'exists', current } : { status: 'burned' };
  }

  async #write(call: string): Promise<void> {
    const intrude = this.beforeWrite;
    this.beforeWrite = undefined;
    await intrude?.();
    this.calls.push(call);
  }

  #put<T extends KubernetesObject>(key: ObjectKey, object: T) {
    const bytes = Buffer.byteLength(JSON.stringify(object));
    if (bytes > MAX_OBJECT_BYTES)
      return { status: 'tooLarge', part: 'object', bytes, limitBytes: MAX_OBJECT_BYTES } as const;
    const stored = deepFreeze(this.#versioned(structuredClone(object)));
    this.#objects.set(place(key), stored);
    return { status: 'stored', object: stored } as const;
  }

  #versioned<T extends KubernetesObject>(object: T): T {
    this.#version += 1;
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } };
  }
}

function keyOf(resource: GroupResource, { metadata }: NewObject): ObjectKey {
  return { resource, namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
}

function place({ resource, namespace, name }: ObjectKey): string {
  return `${resource} ${namespace}/${name}`;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}
