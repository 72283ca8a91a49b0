/** Opens what the scheduler and the pod controller of one process share. */
export function openPlainBinds(): PlainBinds {
  return new PlainBinds();
}

/** The bindings of plain pods that this process has under way, from the moment at which each looks at the scheduler's notice. */
export class PlainBinds {
  readonly #underWay = new Set<Promise<unknown>>();

  /** Counts the binding as under way until it has ended. */
  async track<T>(bind: () => Promise<T>): Promise<T> {
    const running = bind();
    this.#underWay.add(running);
    try {
      return await running;
    } finally {
      this.#underWay.delete(running);
    }
  }

  /** Resolves when all have ended that are under way now. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }
}
