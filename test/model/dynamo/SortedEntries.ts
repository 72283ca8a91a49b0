import type { Item } from './attributeValues.ts';

/** A key in its order: a text as `sortable` returns it, or a number. The keys of one table or index are of one type. */
export type SortKey = string | number;

/** An item in a table, or in an index, where it has only the attributes that the index carries. */
export interface Entry {
  readonly key: SortKey;
  /** Orders the entries of one key in an index: the table's own key. */
  readonly tie: SortKey;
  readonly item: Item;
  readonly bytes: number;
  /** The item's entries in the table's local indexes, in their order. */
  readonly indexed?: readonly (Entry | undefined)[];
}

/** A place between entries: before or after all those with a key, or with a key and a tie. */
export interface Bound {
  readonly key: SortKey;
  readonly tie?: SortKey;
  readonly side: 'before' | 'after';
}

const LARGEST_CHUNK = 512;

/** Entries in the order of their keys, in chunks, so that an insertion moves few of them. */
export class SortedEntries {
  readonly #chunks: Entry[][] = [];
  size = 0;

  get(key: SortKey, tie: SortKey): Entry | undefined {
    const chunk = this.#chunks[this.#chunkOf({ key, tie, side: 'before' })];
    const entry = chunk?.[placeIn(chunk, { key, tie, side: 'before' })];
    return entry?.key === key && entry.tie === tie ? entry : undefined;
  }

  /** Adds an entry, or replaces the one with the same key and tie. */
  set(entry: Entry): void {
    const bound = { key: entry.key, tie: entry.tie, side: 'before' } as const;
    const at = Math.min(this.#chunkOf(bound), Math.max(0, this.#chunks.length - 1));
    const chunk = this.#chunks[at];
    if (!chunk) {
      this.#chunks.push([entry]);
      this.size = 1;
      return;
    }
    const place = placeIn(chunk, bound);
    const present = chunk[place];
    if (present?.key === entry.key && present.tie === entry.tie) {
      chunk[place] = entry;
      return;
    }
    if (place === chunk.length) chunk.push(entry);
    else chunk.splice(place, 0, entry);
    this.size += 1;
    if (chunk.length > LARGEST_CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(LARGEST_CHUNK / 2));
  }

  delete(key: SortKey, tie: SortKey): void {
    const bound = { key, tie, side: 'before' } as const;
    const at = this.#chunkOf(bound);
    const chunk = this.#chunks[at];
    if (!chunk) return;
    const place = placeIn(chunk, bound);
    const present = chunk[place];
    if (present?.key !== key || present.tie !== tie) return;
    chunk.splice(place, 1);
    this.size -= 1;
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  /** Yields the entries between two bounds, in order or in reverse. They must not change meanwhile. */
  *between(from: Bound | undefined, to: Bound | undefined, isForward: boolean): Generator<Entry> {
    const step = isForward ? 1 : -1;
    const start = isForward ? from : to;
    const end = isForward ? to : from;
    let at = start ? this.#chunkOf(start) : isForward ? 0 : this.#chunks.length - 1;
    if (!isForward && at === this.#chunks.length) at -= 1;
    let chunk = this.#chunks[at];
    if (!chunk) return;
    const first = start ? placeIn(chunk, start) : isForward ? 0 : chunk.length;
    let place = isForward ? first : first - 1;
    for (; chunk; chunk = this.#chunks[at]) {
      for (let entry = chunk[place]; entry; entry = chunk[place]) {
        if (end && isBefore(entry, end) !== isForward) return;
        yield entry;
        place += step;
      }
      at += step;
      place = isForward ? 0 : (this.#chunks[at]?.length ?? 0) - 1;
    }
  }

  /** Returns the place of the first chunk that reaches beyond the bound. */
  #chunkOf(bound: Bound): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const last = this.#chunks[middle]?.at(-1);
      if (last && isBefore(last, bound)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Returns the place of the first entry behind the bound. */
function placeIn(chunk: readonly Entry[], bound: Bound): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = chunk[middle];
    if (entry && isBefore(entry, bound)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isBefore(entry: Entry, { key, tie, side }: Bound): boolean {
  if (entry.key !== key) return entry.key < key;
  if (tie !== undefined && entry.tie !== tie) return entry.tie < tie;
  return side === 'after';
}
