import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { ListOptions, ObjectList } from '../../ports/ObjectStore.ts';

interface NamespaceObjects {
  readonly namespace: string;
  /** By name, in code-unit order. */
  readonly objects: KubernetesObject[];
}

/** Objects sorted by namespace, then name. A list is a slice, and a write is a binary search. As long as nothing changes, the list of all objects is the same array, so that a reader of thousands of nodes can remember what it has found in it. */
export class OrderedObjects {
  readonly #byNamespace = new Map<string, NamespaceObjects>();
  readonly #namespaces: NamespaceObjects[] = [];
  /** The list of all objects, until one of them changes. */
  #whole: ObjectList<KubernetesObject> | undefined;

  get isEmpty(): boolean {
    return this.#namespaces.length === 0;
  }

  get first(): KubernetesObject | undefined {
    return this.#namespaces[0]?.objects[0];
  }

  get(namespace: string, name: string): KubernetesObject | undefined {
    const objects = this.#byNamespace.get(namespace)?.objects ?? [];
    const found = objects[firstNotBelow(objects, nameOf, name)];
    return found?.metadata.name === name ? found : undefined;
  }

  /** Stores the object, and returns the one of the same name that it replaces. */
  put(namespace: string, object: KubernetesObject): KubernetesObject | undefined {
    this.#whole = undefined;
    const { objects } = this.#byNamespace.get(namespace) ?? this.#addNamespace(namespace);
    const { name } = object.metadata;
    const place = firstNotBelow(objects, nameOf, name);
    const before = objects[place];
    if (before?.metadata.name === name) {
      objects[place] = object;
      return before;
    }
    objects.splice(place, 0, object);
    return undefined;
  }

  remove(namespace: string, name: string): void {
    const objects = this.#byNamespace.get(namespace)?.objects ?? [];
    const place = firstNotBelow(objects, nameOf, name);
    if (objects[place]?.metadata.name !== name) return;
    this.#whole = undefined;
    objects.splice(place, 1);
    if (objects.length === 0) this.#dropNamespace(namespace);
  }

  list(range: Omit<ListOptions, 'index'>): ObjectList<KubernetesObject> {
    const isWhole = range.namespace === undefined && range.after === undefined && range.limit === undefined;
    if (!isWhole) return this.#read(range);
    this.#whole ??= this.#read(range);
    return this.#whole;
  }

  #read({
    namespace,
    after,
    limit = Number.POSITIVE_INFINITY,
  }: Omit<ListOptions, 'index'>): ObjectList<KubernetesObject> {
    const items: KubernetesObject[] = [];
    let remaining = 0;
    for (const { objects, from } of this.#ranges(namespace, after)) {
      const wanted = limit - items.length;
      if (wanted > 0) for (const object of objects.slice(from, from + wanted)) items.push(object);
      remaining += Math.max(objects.length - from - wanted, 0);
    }
    return remaining === 0 ? { items, more: false } : { items, more: true, remaining };
  }

  /** Yields the objects of each namespace to read, with the index of the first one to return. */
  *#ranges(namespace: string | undefined, after: ListOptions['after']) {
    const first = after ? firstNotBelow(this.#namespaces, namespaceOf, after.namespace) : 0;
    const one = namespace === undefined ? undefined : this.#byNamespace.get(namespace);
    const all = namespace === undefined ? this.#namespaces.slice(first) : one ? [one] : [];
    for (const { namespace, objects } of all) {
      if (after && namespace < after.namespace) continue;
      yield { objects, from: namespace === after?.namespace ? firstAbove(objects, after.name) : 0 };
    }
  }

  #addNamespace(namespace: string): NamespaceObjects {
    const added = { namespace, objects: [] };
    this.#byNamespace.set(namespace, added);
    this.#namespaces.splice(firstNotBelow(this.#namespaces, namespaceOf, namespace), 0, added);
    return added;
  }

  #dropNamespace(namespace: string): void {
    this.#byNamespace.delete(namespace);
    this.#namespaces.splice(firstNotBelow(this.#namespaces, namespaceOf, namespace), 1);
  }
}

const nameOf = (object: KubernetesObject) => object.metadata.name;
const namespaceOf = (objects: NamespaceObjects) => objects.namespace;

function firstAbove(objects: readonly KubernetesObject[], name: string): number {
  const place = firstNotBelow(objects, nameOf, name);
  return objects[place]?.metadata.name === name ? place + 1 : place;
}

/** Returns the first index whose key is not below `key`, by binary search. */
function firstNotBelow<T>(items: readonly T[], keyOf: (item: T) => string, key: string): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && keyOf(item) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
