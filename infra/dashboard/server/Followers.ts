/** Told after something has changed; `undefined` after everything may have. */
export type Changed<T> = (object: T | undefined) => void;

/** Those who are told of changes. Something runs for them while there is one. */
export class Followers<T> {
  readonly #run: (signal: AbortSignal) => Promise<void>;
  readonly #stopped: () => void;
  readonly #all = new Set<Changed<T>>();
  #running: AbortController | undefined;

  /** `run` begins with the first follower; its signal ends with the last. Then `stopped` is called. */
  constructor(run: (signal: AbortSignal) => Promise<void>, stopped: () => void) {
    this.#run = run;
    this.#stopped = stopped;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Adds one, until the returned function is called. */
  add(changed: Changed<T>): () => void {
    this.#all.add(changed);
    if (!this.#running) {
      this.#running = new AbortController();
      void this.#run(this.#running.signal);
    }
    return () => {
      this.#all.delete(changed);
      if (this.#all.size === 0) this.stop();
    };
  }

  tell(object: T | undefined): void {
    for (const changed of this.#all) changed(object);
  }

  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#stopped();
  }
}
