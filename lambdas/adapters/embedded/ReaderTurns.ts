/** What so many readers do with their changes is short enough for one turn of the event loop. */
const READERS_IN_TURN = 16;

/**
 * Lets the readers of all logs go on a few at a time. If a thousand watches went on at once, nothing else would be done meanwhile. While they wait for their turns,
 * changes gather, which each of them then gets together.
 */
export class ReaderTurns {
  readonly #giveTurn: () => Promise<void>;
  #waiting: (() => void)[] = [];
  #isRunning = false;

  /** `giveTurn` lets the event loop turn. */
  constructor(giveTurn: () => Promise<void>) {
    this.#giveTurn = giveTurn;
  }

  /** Resolves when the reader may go on: at once, unless others went on in this turn. */
  take(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      for (const goOn of this.#waiting.splice(0, READERS_IN_TURN)) goOn();
      await this.#giveTurn();
    }
    this.#isRunning = false;
  }
}
