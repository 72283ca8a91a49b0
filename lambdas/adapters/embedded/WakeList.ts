/** The callers that wait for one event. A waiter leaves no listener behind when it is woken or aborted. */
export class WakeList {
  readonly #wakes = new Set<() => void>();

  /** Resolves at the next `wake`, or as soon as `signal` is aborted. */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const finish = () => {
        this.#wakes.delete(finish);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      this.#wakes.add(finish);
      signal.addEventListener('abort', finish, { once: true });
    });
  }

  wake(): void {
    for (const finish of this.#wakes) finish();
  }
}
