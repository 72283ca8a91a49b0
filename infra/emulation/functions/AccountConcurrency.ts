/** The quota of concurrent executions that AWS gives to a new account. */
export const NEW_ACCOUNT_CONCURRENCY = 10;

/** What the quota needs to know about a function. */
interface Reservation {
  readonly name: string;
  readonly reservedConcurrency?: number;
}

/**
 * The account's quota of concurrent executions, as Lambda applies it: a function with reserved concurrency uses its own reservation and never more; all others
 * share what is not reserved. What exceeds it is throttled at once.
 */
export class AccountConcurrency {
  readonly #reserved: ReadonlyMap<string, number>;
  readonly #unreserved: number;
  readonly #running = new Map<string, number>();

  /** Throws if the functions reserve more than the account has. */
  constructor(limit: number, functions: readonly Reservation[]) {
    const reserved = functions.flatMap(({ name, reservedConcurrency: count }) =>
      count === undefined ? [] : [[name, count] as const],
    );
    this.#reserved = new Map(reserved);
    this.#unreserved = limit - reserved.reduce((sum, [, count]) => sum + count, 0);
    if (this.#unreserved < 0) throw new Error(`the functions reserve more than the account's ${limit} executions`);
  }

  /** Counts one execution more and returns true, or returns false if it must be throttled. */
  begin(name: string): boolean {
    if (this.#countOf(name) >= this.#limitOf(name)) return false;
    this.#running.set(name, (this.#running.get(name) ?? 0) + 1);
    return true;
  }

  end(name: string): void {
    this.#running.set(name, (this.#running.get(name) ?? 0) - 1);
  }

  #limitOf(name: string): number {
    return this.#reserved.get(name) ?? this.#unreserved;
  }

  /** The executions that count against the same limit as this function's. */
  #countOf(name: string): number {
    if (this.#reserved.has(name)) return this.#running.get(name) ?? 0;
    return [...this.#running].reduce((sum, [other, count]) => (this.#reserved.has(other) ? sum : sum + count), 0);
  }
}
