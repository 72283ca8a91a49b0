/** Lets the event loop turn between the pieces of work that a process does without waiting for anything else, as it does with objects in memory. Otherwise no request would be served meanwhile. */
export class EventLoopTurns {
  readonly #giveTurn: () => Promise<void>;
  readonly #piecesInTurn: number;
  #pieces = 0;
  #turn: Promise<void> | undefined;

  /** `piecesInTurn`: so many pieces of work are done in one turn. */
  constructor(giveTurn: () => Promise<void>, piecesInTurn: number) {
    this.#giveTurn = giveTurn;
    this.#piecesInTurn = piecesInTurn;
  }

  /** Resolves at once, or after a turn. All who have done their work when a turn is due wait for the same one. */
  async afterWork(): Promise<void> {
    this.#pieces += 1;
    if (this.#pieces >= this.#piecesInTurn) this.#turn ??= this.#next();
    await this.#turn;
  }

  async #next(): Promise<void> {
    await this.#giveTurn();
    this.#pieces = 0;
    this.#turn = undefined;
  }
}
