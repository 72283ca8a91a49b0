import type { KubernetesObject } from '../../objects/KubernetesObject.ts';

/** A chunk of more objects is cut in two. To put an object into one moves at most so many others. */
const MOST_IN_CHUNK = 512;

/** Objects by their names, in code-unit order. They are kept in chunks, so that to put or to remove one of fifty thousand costs little more than one of a few. */
export class NamedObjects {
  /** Sorted, and none of them is empty. */
  readonly #chunks: KubernetesObject[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): KubernetesObject | undefined {
    return this.#chunks[0]?.[0];
  }

  get(name: string): KubernetesObject | undefined {
    const chunk = this.#chunks[this.#chunkOf(name)];
    const found = chunk?.[firstNotBelow(chunk, nameOf, name)];
    return found?.metadata.name === name ? found : undefined;
  }

  /** Stores the object, and returns the one of the same name that it replaces. */
  put(object: KubernetesObject): KubernetesObject | undefined {
    const { name } = object.metadata;
    const at = this.#chunkOf(name);
    const chunk = this.#chunks[at] ?? this.#addChunk();
    const place = firstNotBelow(chunk, nameOf, name);
    const before = chunk[place];
    if (before?.metadata.name === name) {
      chunk[place] = object;
      return before;
    }
    chunk.splice(place, 0, object);
    this.#size += 1;
    if (chunk.length > MOST_IN_CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(chunk.length >>> 1));
    return undefined;
  }

  /** Returns false if there is no object of that name. */
  remove(name: string): boolean {
    const at = this.#chunkOf(name);
    const chunk = this.#chunks[at] ?? [];
    const place = firstNotBelow(chunk, nameOf, name);
    if (chunk[place]?.metadata.name !== name) return false;
    chunk.splice(place, 1);
    this.#size -= 1;
    if (chunk.length === 0) this.#chunks.splice(at, 1);
    return true;
  }

  /** Appends to `items` the objects whose names come after `after`, at most `limit` of them. Returns how many more there are. */
  readInto(items: KubernetesObject[], after: string | undefined, limit: number): number {
    let at = after === undefined ? 0 : this.#chunkOf(after);
    let from = after === undefined ? 0 : firstAbove(this.#chunks[at] ?? [], after);
    let passed = from;
    for (const chunk of this.#chunks.slice(0, at)) passed += chunk.length;
    const end = items.length + Math.max(0, limit);
    for (; at < this.#chunks.length && items.length < end; at += 1) {
      const chunk = this.#chunks[at] ?? [];
      const to = Math.min(chunk.length, from + end - items.length);
      passed += to - from;
      for (; from < to; from += 1) items.push(chunk[from] as KubernetesObject);
      from = 0;
    }
    return this.#size - passed;
  }

  /** The index of the chunk that has the name, or would get it: the first one that ends with it or after it, else the last one. */
  #chunkOf(name: string): number {
    const index = firstNotBelow(this.#chunks, lastNameOf, name);
    return Math.min(index, Math.max(0, this.#chunks.length - 1));
  }

  #addChunk(): KubernetesObject[] {
    const chunk: KubernetesObject[] = [];
    this.#chunks.push(chunk);
    return chunk;
  }
}

const nameOf = (object: KubernetesObject) => object.metadata.name;
const lastNameOf = (chunk: readonly KubernetesObject[]) => chunk[chunk.length - 1]?.metadata.name ?? '';

function firstAbove(objects: readonly KubernetesObject[], name: string): number {
  const place = firstNotBelow(objects, nameOf, name);
  return objects[place]?.metadata.name === name ? place + 1 : place;
}

/** Returns the first index whose key is not below `key`, by binary search. */
export function firstNotBelow<T>(items: readonly T[], keyOf: (item: T) => string, key: string): number {
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
