/** How many versions one bitmap covers. 8 KB of bits, and a few bytes when compressed, since nearly all are set. */
export const CHUNK_VERSIONS = 2 ** 16;

const CHUNK_BYTES = CHUNK_VERSIONS / 8;

/** Returns the number of the bitmap that has this version's bit. */
export function chunkOf(version: number): number {
  return Math.floor(version / CHUNK_VERSIONS);
}

/** A set of versions that only grows, as bitmaps of `CHUNK_VERSIONS` each. */
export class VersionSet {
  readonly #chunks = new Map<number, Uint8Array>();

  has(version: number): boolean {
    const bits = this.#chunks.get(chunkOf(version));
    const at = version % CHUNK_VERSIONS;
    return bits !== undefined && ((bits[at >>> 3] ?? 0) & (1 << (at & 7))) !== 0;
  }

  add(version: number): void {
    const bits = this.#chunk(chunkOf(version));
    const at = version % CHUNK_VERSIONS;
    bits[at >>> 3] = (bits[at >>> 3] ?? 0) | (1 << (at & 7));
  }

  /** Adds every version of the chunk up to `last`. */
  fill(chunk: number, last: number): void {
    const bits = this.#chunk(chunk);
    const count = Math.min(CHUNK_VERSIONS, Math.max(0, last + 1 - chunk * CHUNK_VERSIONS));
    bits.fill(0xff, 0, count >>> 3);
    if ((count & 7) !== 0) bits[count >>> 3] = (bits[count >>> 3] ?? 0) | ((1 << (count & 7)) - 1);
  }

  /** Adds the versions of a bitmap that `bitsOf` returned. */
  addBits(chunk: number, added: Uint8Array): void {
    const bits = this.#chunk(chunk);
    for (let at = 0; at < CHUNK_BYTES; at += 1) bits[at] = (bits[at] ?? 0) | (added[at] ?? 0);
  }

  /** Returns a copy of one bitmap. */
  bitsOf(chunk: number): Uint8Array {
    return Uint8Array.from(this.#chunks.get(chunk) ?? new Uint8Array(CHUNK_BYTES));
  }

  /** Frees the memory of all versions below that chunk. They are not in the set any more. */
  dropBelow(chunk: number): void {
    for (const known of this.#chunks.keys()) if (known < chunk) this.#chunks.delete(known);
  }

  #chunk(chunk: number): Uint8Array {
    const known = this.#chunks.get(chunk);
    if (known) return known;
    const added = new Uint8Array(CHUNK_BYTES);
    this.#chunks.set(chunk, added);
    return added;
  }
}
