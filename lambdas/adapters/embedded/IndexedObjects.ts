import { indexValues } from '../../objects/indexes.ts';
import { controllerOf, type KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { ListOptions, ObjectList } from '../../ports/ObjectStore.ts';
import { OrderedObjects } from './OrderedObjects.ts';

/** The objects of one resource with their indexes. Each value of an index has an ordered list of its own, so a lookup costs only what it returns. */
export class IndexedObjects {
  readonly #resource: GroupResource;
  readonly #all = new OrderedObjects();
  readonly #byIndexEntry = new Map<string, OrderedObjects>();

  constructor(resource: GroupResource) {
    this.#resource = resource;
  }

  get(namespace: string, name: string): KubernetesObject | undefined {
    return this.#all.get(namespace, name);
  }

  list({ index, ...range }: ListOptions): ObjectList<KubernetesObject> {
    const objects = index ? this.#byIndexEntry.get(indexEntry(index.name, index.value)) : this.#all;
    return objects?.list(range) ?? { items: [], more: false };
  }

  /** Returns another object of the same controller, if there is one: both were made from one template, and are likely to have much in common. */
  similarTo(object: KubernetesObject): KubernetesObject | undefined {
    const controller = readable(() => controllerOf(object));
    return controller && this.#byIndexEntry.get(indexEntry('controller', controller.uid))?.first;
  }

  /** Stores the object, and returns the one of the same name that it replaces. */
  put(namespace: string, object: KubernetesObject): KubernetesObject | undefined {
    const before = this.#all.put(namespace, object);
    const entries = this.#indexEntries(object);
    if (before) this.#unindex(namespace, before, entries);
    for (const entry of entries) this.#entryObjects(entry).put(namespace, object);
    return before;
  }

  remove(namespace: string, name: string): KubernetesObject | undefined {
    const before = this.#all.get(namespace, name);
    if (before) this.#unindex(namespace, before, new Set());
    this.#all.remove(namespace, name);
    return before;
  }

  #unindex(namespace: string, object: KubernetesObject, kept: ReadonlySet<string>): void {
    for (const entry of this.#indexEntries(object)) {
      if (kept.has(entry)) continue;
      const objects = this.#entryObjects(entry);
      objects.remove(namespace, object.metadata.name);
      if (objects.isEmpty) this.#byIndexEntry.delete(entry);
    }
  }

  #indexEntries(object: KubernetesObject): Set<string> {
    const values = readable(() => indexValues(this.#resource, object)) ?? {};
    return new Set(Object.entries(values).map(([name, value]) => indexEntry(name, value)));
  }

  #entryObjects(entry: string): OrderedObjects {
    const objects = this.#byIndexEntry.get(entry) ?? new OrderedObjects();
    this.#byIndexEntry.set(entry, objects);
    return objects;
  }
}

/** What an older release or an accident has stored may not have its kind's shape. It is in no index. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function indexEntry(name: string, value: string): string {
  return `${name}:${value}`;
}
