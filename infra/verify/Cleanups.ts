/** What a step has made or changed, and how to undo it. */
interface Cleanup {
  /** What a user can do if this fails: `kubectl delete namespace driftless-verify-1a2b`. */
  readonly byHand: string;
  readonly undo: () => Promise<void>;
}

/** Undoes what steps have done, the latest first, also after an interruption or an error. */
export class Cleanups {
  readonly #open: Cleanup[] = [];

  /** Call this before the change is made: nobody knows whether a request that has no answer was carried out. `undo` must do nothing if there is nothing to undo. */
  add(byHand: string, undo: () => Promise<void>): void {
    this.#open.push({ byHand, undo });
  }

  /** Resolves to what is left for the user, a line each. */
  async run(): Promise<readonly string[]> {
    const left: string[] = [];
    for (const { byHand, undo } of this.#open.splice(0).reverse()) {
      try {
        await undo();
      } catch (error) {
        left.push(`\`${byHand}\` (${(error as Error).message.split('\n', 1)[0]})`);
      }
    }
    return left;
  }
}
