import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { ListOptions, ObjectList } from '../../ports/ObjectStore.ts';
import { firstNotBelow, NamedObjects } from './NamedObjects.ts';

interface NamespaceObjects {
  readonly namespace: string;
  readonly objects: NamedObjects;
}

/** Objects sorted by namespace, then name. As long as nothing changes, the list of all objects is the same array, so that a reader of thousands of nodes can remember what it has found in it. */
export class OrderedObjects {
  readonly #byNamespace = new Map<string, NamedObjects>();
  readonly #namespaces: NamespaceObjects[] = [];
  /** The list of all objects, until one of them changes. */
  #whole: ObjectList<KubernetesObject> | undefined;

  get isEmpty(): boolean {
    return this.#namespaces.length === 0;
  }

  get first(): KubernetesObject | undefined {
    return this.#namespaces[0]?.objects.first;
  }

  get(namespace: string, name: string): KubernetesObject | undefined {
    return this.#byNamespace.get(namespace)?.get(name);
  }

  /** Stores the object, and returns the one of the same name that it replaces. */
  put(namespace: string, object: KubernetesObject): KubernetesObject | undefined {
    this.#whole = undefined;
    const objects = this.#byNamespace.get(namespace) ?? this.#addNamespace(namespace);
    return objects.put(object);
  }

  remove(namespace: string, name: string): void {
    const objects = this.#byNamespace.get(namespace);
    if (!objects?.remove(name)) return;
    this.#whole = undefined;
    if (objects.size === 0) this.#dropNamespace(namespace);
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
    for (const { objects, afterName } of this.#ranges(namespace, after)) {
      remaining += objects.readInto(items, afterName, limit - items.length);
    }
    return remaining === 0 ? { items, more: false } : { items, more: true, remaining };
  }

  /** Yields the objects of each namespace to read, with the name after which to begin. */
  *#ranges(namespace: string | undefined, after: ListOptions['after']) {
    if (namespace !== undefined) {
      const objects = this.#byNamespace.get(namespace);
      if (objects && !(after && namespace < after.namespace)) yield { objects, afterName: nameAfter(namespace, after) };
      return;
    }
    const first = after ? firstNotBelow(this.#namespaces, namespaceOf, after.namespace) : 0;
    for (const one of this.#namespaces.slice(first)) {
      yield { objects: one.objects, afterName: nameAfter(one.namespace, after) };
    }
  }

  #addNamespace(namespace: string): NamedObjects {
    const objects = new NamedObjects();
    this.#byNamespace.set(namespace, objects);
    this.#namespaces.splice(firstNotBelow(this.#namespaces, namespaceOf, namespace), 0, { namespace, objects });
    return objects;
  }

  #dropNamespace(namespace: string): void {
    this.#byNamespace.delete(namespace);
    this.#namespaces.splice(firstNotBelow(this.#namespaces, namespaceOf, namespace), 1);
  }
}

const namespaceOf = (objects: NamespaceObjects) => objects.namespace;

function nameAfter(namespace: string, after: ListOptions['after']): string | undefined {
  return namespace === after?.namespace ? after.name : undefined;
}
