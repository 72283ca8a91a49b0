/** What a sync reports to have seen, in lines: a line for what is counted of one thing, and one for each thing in a list. Pure. */
export function observedLines(observed: Readonly<Record<string, unknown>>): readonly string[] {
  const plain = Object.entries(observed).filter(([, value]) => typeof value !== 'object');
  const nested = Object.entries(observed).filter(([, value]) => typeof value === 'object' && value !== null);
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
