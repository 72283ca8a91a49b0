/**
 * Makes one read of all equal reads that are requested in the same turn of the event loop. No time passes within a turn, so each caller gets what a read of its own would have
 * returned. A batch of changes requests the same reads for hundreds of objects in one turn.
 */
export class SharedReads<T> {
  readonly #reads = new Map<string, Promise<T>>();

  /** `key` names what is read. */
  share(key: string, read: () => Promise<T>): Promise<T> {
    const shared = this.#reads.get(key);
    if (shared) return shared;
    if (this.#reads.size === 0) queueMicrotask(() => this.#reads.clear());
    const begun = read();
    this.#reads.set(key, begun);
    return begun;
  }
}
