/** The observations of a sync report as lines: one for each object and each item of a list, then one for the counts beside them. Pure. */
export function observedLines(observed: Readonly<Record<string, unknown>>): readonly string[] {
  const entries = Object.entries(observed);
  const nested = entries.filter(([, value]) => typeof value === 'object' && value !== null);
  // Beside detailed lines, a count of 0 is left out.
  const plain = entries.filter(([, value]) => typeof value !== 'object' && !(value === 0 && nested.length > 0));
  const lines = nested.flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((item) => itemLine(item)) : [`${name}: ${counts(value as object)}`],
  );
  return plain.length > 0 ? [...lines, counts(Object.fromEntries(plain))] : lines;
}

function itemLine(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  const { name, ...rest } = item as { readonly name?: string };
  return name === undefined ? counts(rest) : `${name}: ${counts(rest)}`;
}

function counts(fields: object): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
}
