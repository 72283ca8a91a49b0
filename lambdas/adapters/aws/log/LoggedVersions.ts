import { chunkOf, VersionSet } from './VersionSet.ts';

/**
 * Which versions are logged, as one process knows it. Versions above `base`, the log's position when the process read its head, are known from the segments
 * read since. Those up to `base` are known once the stored bitmaps are loaded; a chunk without a bitmap is complete.
 *
 * The answer is exact: neither a lag nor the number of missing versions changes it.
 */
export class LoggedVersions {
  readonly #base: number;
  readonly #bits = new VersionSet();
  /** Chunks that had a stored bitmap, and so may be incomplete below `base`. Absent: the bitmaps are not loaded. */
  #stored: Set<number> | undefined;
  #settled: number;

  /** `settled`: versions up to this one count as logged, because a stream has no records of them any more. */
  constructor(base: number, settled: number) {
    this.#base = base;
    this.#settled = settled;
    if (base <= settled) this.#stored = new Set();
  }

  /** True if the bitmaps must be loaded before `isLogged` can be asked for this version. */
  mustLoad(version: number): boolean {
    return this.#stored === undefined && version <= this.#base && version > this.#settled;
  }

  /** True if chunks up to `base` can be answered and stored. */
  get isLoaded(): boolean {
    return this.#stored !== undefined;
  }

  /** Adds the stored bitmaps, which must be those of all chunks that are not settled. */
  load(bitmaps: ReadonlyMap<number, Uint8Array>): void {
    for (const [chunk, bits] of bitmaps) this.#bits.addBits(chunk, bits);
    this.#stored = new Set(bitmaps.keys());
  }

  isLogged(version: number): boolean {
    if (version <= this.#settled) return true;
    if (version > this.#base || this.#stored === undefined) return this.#bits.has(version);
    return !this.#stored.has(chunkOf(version)) || this.#bits.has(version);
  }

  add(versions: Iterable<number>): void {
    for (const version of versions) this.#bits.add(version);
  }

  /** Counts all versions up to this one as logged, and frees their memory. */
  settle(settled: number): void {
    this.#settled = Math.max(this.#settled, settled);
    this.#bits.dropBelow(chunkOf(this.#settled));
  }

  /** Returns the bitmap of a chunk as it is to be stored. The stored bitmaps must be loaded. */
  bitsOf(chunk: number): Uint8Array {
    const complete = new VersionSet();
    complete.addBits(chunk, this.#bits.bitsOf(chunk));
    const known = this.#stored?.has(chunk) ? this.#settled : Math.max(this.#base, this.#settled);
    complete.fill(chunk, known);
    return complete.bitsOf(chunk);
  }
}
