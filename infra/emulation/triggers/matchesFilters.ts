/**
 * Whether Lambda would hand a record over, by the mapping's filter patterns (JSON): any may match; none at all matches everything. Knows lists of exact values,
 * nested in objects; throws for the operators that the stack does not use. Pure.
 */
export function matchesFilters(record: object, patterns: readonly string[]): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matches(record, JSON.parse(pattern)));
}

function matches(value: unknown, pattern: unknown): boolean {
  if (Array.isArray(pattern)) return pattern.some((wanted) => isSame(value, wanted));
  return Object.entries(pattern as object).every(([name, inner]) =>
    matches((value as Readonly<Record<string, unknown>> | undefined)?.[name], inner),
  );
}

function isSame(value: unknown, wanted: unknown): boolean {
  if (typeof wanted === 'object' && wanted !== null) {
    throw new Error(`the emulation knows no filter ${JSON.stringify(wanted)}`);
  }
  return value === wanted;
}
