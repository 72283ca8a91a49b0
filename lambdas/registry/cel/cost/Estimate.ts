/** A range of sizes or costs. Nothing is above `MOST`, the largest of Go's uint64. */
export interface Estimate {
  readonly min: number;
  readonly max: number;
}

export const MOST = 2 ** 64;

/** What one character costs to look at, and one character of a pattern; from cel-go's `common/cost.go`. */
export const PER_CHARACTER = 0.1;
export const PER_PATTERN_CHARACTER = 0.25;

export const UNKNOWN: Estimate = { min: 0, max: MOST };

export function exactly(value: number): Estimate {
  return { min: value, max: value };
}

export function add(...estimates: readonly Estimate[]): Estimate {
  return estimates.reduce((a, b) => ({ min: atMost(a.min + b.min), max: atMost(a.max + b.max) }), exactly(0));
}

export function multiply(a: Estimate, b: Estimate): Estimate {
  return { min: atMost(a.min * b.min), max: atMost(a.max * b.max) };
}

/** Multiplies and rounds up. */
export function scale({ min, max }: Estimate, factor: number): Estimate {
  return { min: atMost(Math.ceil(min * factor)), max: atMost(Math.ceil(max * factor)) };
}

/** The range that covers both. */
export function union(a: Estimate, b: Estimate): Estimate {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function atMost(value: number): number {
  return Math.min(value, MOST);
}
