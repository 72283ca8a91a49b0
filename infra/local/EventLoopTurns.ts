/** So many pieces of work are done in one turn of the event loop. */
const PIECES_IN_TURN = 4;

/** Lets the event loop turn between the pieces of work that a process does without waiting for anything else, as it does with objects in memory. Otherwise no request would be served meanwhile. */
export class EventLoopTurns {
  readonly #giveTurn: () => Promise<void>;
  #pieces = 0;

  constructor(giveTurn: () => Promise<void>) {
    this.#giveTurn = giveTurn;
  }

  /** Resolves at once, or after a turn. */
  async afterWork(): Promise<void> {
    this.#pieces += 1;
    if (this.#pieces % PIECES_IN_TURN === 0) await this.#giveTurn();
  }
}
