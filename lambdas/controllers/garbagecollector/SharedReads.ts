/**
 * Makes one read of those that are asked for in the same turn of the event loop. No time passes within a turn, so each of those who asked learns
 * what a read of its own would have told; a batch of changes asks the same of hundreds of objects in one turn.
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
