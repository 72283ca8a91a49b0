/** Parses a time of RFC 3339. Returns nanoseconds since 1970; `undefined` if the text is not such a time. */
export function parseTimestamp(text: string): bigint | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:[.,](\d{1,100}))?(Z|[+-]\d{2}:\d{2})$/.exec(text);
  const [, date = '', time = '', fraction = '', zone = ''] = match ?? [];
  // Date.parse takes 24:00:00, which Go does not.
  if (match === null || time >= '24' || !isDay(date)) return undefined;
  const milliseconds = Date.parse(`${date}T${time}${zone}`);
  if (Number.isNaN(milliseconds)) return undefined;
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}

/** Date.parse takes the 31st of every month. */
function isDay(date: string): boolean {
  const milliseconds = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(date);
}
