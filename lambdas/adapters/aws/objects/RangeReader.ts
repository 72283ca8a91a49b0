import type { ReadVersion } from '../../../ports/ChangeLog.ts';
import type { ListedObject } from '../../../ports/ObjectStore.ts';
import type { Tombstone } from './dropTombstones.ts';
import type { RangePage } from './ObjectQueries.ts';

/** Reads one range page by page, as far as its objects are taken. Not for concurrent use. */
export class RangeReader {
  readonly #pages: AsyncGenerator<RangePage>;
  #objects: readonly ListedObject[] = [];
  #at = 0;
  #hasEnded = false;
  /** Whether nothing at all was read so far, not even a tombstone. */
  isEmpty = true;
  /** All tombstones read so far. */
  readonly tombstones: Tombstone[] = [];
  /** All objects read so far that have ended by themselves. */
  readonly ended: ReadVersion[] = [];

  constructor(pages: AsyncGenerator<RangePage>) {
    this.#pages = pages;
  }

  /** The next object; `undefined` if another page must be read first, or the range has ended. */
  get next(): ListedObject | undefined {
    return this.#objects[this.#at];
  }

  skip(): void {
    this.#at += 1;
  }

  /** Reads on until there is a next object, or none. */
  async fill(): Promise<void> {
    while (!this.next && !this.#hasEnded) this.#objects = await this.#readPage();
  }

  /** Returns all objects that were not taken. */
  async rest(): Promise<ListedObject[]> {
    const rest = this.#objects.slice(this.#at);
    while (!this.#hasEnded) for (const object of await this.#readPage()) rest.push(object);
    return rest;
  }

  async #readPage(): Promise<readonly ListedObject[]> {
    const { done, value } = await this.#pages.next();
    this.#at = 0;
    this.#hasEnded = done === true;
    if (done) return [];
    this.isEmpty &&= value.isEmpty;
    for (const one of value.tombstones) this.tombstones.push(one);
    for (const one of value.ended) this.ended.push(one);
    return value.objects;
  }
}

/**
 * Returns the first objects of several ranges in the order of names, each once: at most `wanted` and one more, which shows that there are more. An object that was adopted or released
 * meanwhile may be in two ranges; its newer state counts.
 */
export async function mergeRanges(readers: readonly RangeReader[], wanted: number): Promise<ListedObject[]> {
  return Number.isFinite(wanted) ? mergeFirst(readers, wanted) : mergeAll(readers);
}

async function mergeAll(readers: readonly RangeReader[]): Promise<ListedObject[]> {
  const [first = [], ...others] = await Promise.all(readers.map((reader) => reader.rest()));
  if (others.every((objects) => objects.length === 0)) return first;
  const merged = new Map(first.map((object) => [object.name, object]));
  for (const object of others.flat()) {
    const { name } = object;
    merged.set(name, newer(merged.get(name), object));
  }
  return [...merged.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function mergeFirst(readers: readonly RangeReader[], wanted: number): Promise<ListedObject[]> {
  const merged: ListedObject[] = [];
  for (;;) {
    await Promise.all(readers.map((reader) => reader.fill()));
    const reader = readerOfFirst(readers);
    if (!reader?.next) return merged;
    const last = merged.at(-1);
    if (last?.name === reader.next.name) merged[merged.length - 1] = newer(last, reader.next);
    else if (merged.length > wanted) return merged;
    else merged.push(reader.next);
    reader.skip();
  }
}

/** Returns the reader whose next object has the first name. */
function readerOfFirst(readers: readonly RangeReader[]): RangeReader | undefined {
  let first: RangeReader | undefined;
  for (const reader of readers) {
    if (reader.next && (!first?.next || reader.next.name < first.next.name)) first = reader;
  }
  return first;
}

function newer(one: ListedObject | undefined, other: ListedObject): ListedObject {
  return one && one.version > other.version ? one : other;
}
