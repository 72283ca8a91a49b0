/** Runs writes one after the other, in the background. An error is logged, and the next write runs. */
export class WriteQueue {
  readonly #log: (error: unknown) => void;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(log: (error: unknown) => void) {
    this.#log = log;
  }

  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  add(write: () => Promise<unknown>): void {
    this.#waiting += 1;
    this.#last = this.#after(this.#last, write);
  }

  async #after(last: Promise<void>, write: () => Promise<unknown>): Promise<void> {
    await last;
    try {
      await write();
    } catch (error) {
      this.#log(error);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Resolves when all writes that were added before have ended, and those that they added. */
  async whenIdle(): Promise<void> {
    while (!this.isIdle) await this.#last;
  }
}
