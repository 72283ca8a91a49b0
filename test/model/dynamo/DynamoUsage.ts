export type Operation = 'get' | 'query' | 'scan' | 'batchGet' | 'put' | 'update' | 'delete';

/** What one kind of operation used of a table or an index. */
export interface UsageRow {
  readonly table: string;
  /** Absent for the table itself. */
  readonly index: string | undefined;
  readonly operation: Operation;
  calls: number;
  readUnits: number;
  writeUnits: number;
  throttled: number;
}

/**
 * Throttled calls less than this apart belong to one stretch. A call that was refused comes again after half a second at the earliest (`DynamoDbCalls`), and others come every few milliseconds: a partition that refuses none of
 * them for so long serves them all.
 */
const STRETCH_MS = 500;

/** Counts capacity units and throttled calls. */
export class DynamoUsage {
  readonly #rows = new Map<string, UsageRow>();
  readonly #stretches = new Map<string, { fromMs: number; lastMs: number; longestMs: number }>();

  get rows(): readonly Readonly<UsageRow>[] {
    return [...this.#rows.values()];
  }

  row(table: string, index: string | undefined, operation: Operation): UsageRow {
    const name = index === undefined ? `${table} ${operation}` : `${table}/${index} ${operation}`;
    let row = this.#rows.get(name);
    if (!row) {
      row = { table, index, operation, calls: 0, readUnits: 0, writeUnits: 0, throttled: 0 };
      this.#rows.set(name, row);
    }
    return row;
  }

  /** `where` names the partition whose limit was met, or the whole table or index. */
  throttle(row: UsageRow, where: string, nowMs: number): void {
    row.throttled += 1;
    const stretch = this.#stretches.get(where) ?? { fromMs: nowMs, lastMs: nowMs, longestMs: 0 };
    if (nowMs - stretch.lastMs > STRETCH_MS) stretch.fromMs = nowMs;
    stretch.lastMs = nowMs;
    stretch.longestMs = Math.max(stretch.longestMs, nowMs - stretch.fromMs);
    this.#stretches.set(where, stretch);
  }

  /** For each partition that was throttled, the longest time during which calls were refused again and again. */
  get longestThrottledMs(): ReadonlyMap<string, number> {
    return new Map([...this.#stretches].map(([where, { longestMs }]) => [where, longestMs]));
  }

  /** Forgets everything, to count a phase of its own. */
  reset(): void {
    this.#rows.clear();
    this.#stretches.clear();
  }
}
