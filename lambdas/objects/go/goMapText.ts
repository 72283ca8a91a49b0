/** Prints decoded JSON as Go's `%v` does: `map[spec:map[replicas:3]]`, keys sorted, `<nil>` for null. */
export function goMapText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.map(goMapText).join(' ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${members.map(([name, member]) => `${name}:${goMapText(member)}`).join(' ')}]`;
}
