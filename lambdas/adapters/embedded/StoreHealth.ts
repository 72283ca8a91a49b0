/**
 * Knows whether the embedded store can be used. After a failed write it is unknown what is durable, so the store stops: every later request throws, and the
 * composition, which awaits `failed`, ends the process. A restart reads what is durable.
 */
export class StoreHealth {
  readonly failed: Promise<Error>;
  readonly #onEnd: () => void;
  #resolveFailed: (error: Error) => void = () => {};
  #failure: Error | undefined;
  #closed = false;

  /** `onEnd` is called when the store fails or is closed, to wake the readers, which would otherwise wait for ever. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    this.failed = new Promise((resolve) => {
      this.#resolveFailed = resolve;
    });
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  fail(cause: unknown): void {
    if (this.#failure) return;
    this.#failure = new Error('the embedded store could not write its journal', { cause });
    this.#resolveFailed(this.#failure);
    this.#onEnd();
  }

  close(): void {
    this.#closed = true;
    this.#onEnd();
  }

  assertUsable(): void {
    if (this.#failure) throw new Error(this.#failure.message, { cause: this.#failure });
    if (this.#closed) throw new Error('the embedded store is closed');
  }
}
