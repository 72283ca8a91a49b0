const FORMATS = new Map<string, Intl.DateTimeFormat>();

const FIELDS = {
  hourCycle: 'h23',
  era: 'short',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;

/**
 * True for the name of a time zone in the IANA database, such as `Europe/Berlin`, and for `UTC`. JavaScript knows the names in any case, Go as they are written: all of them begin with a capital letter. An offset such as
 * `+01:00` is no name.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Returns how far the clocks of a zone are ahead of UTC at a time, in milliseconds. Throws a RangeError for an unknown zone. */
export function offsetMsAt(timeZone: string, atMs: number): number {
  if (timeZone === 'UTC') return 0;
  const parts = new Map<string, string>(
    formatOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  const field = (type: string) => Number(parts.get(type));
  const year = parts.get('era') === 'BC' ? 1 - field('year') : field('year');
  const shown = new Date(0);
  shown.setUTCFullYear(year, field('month') - 1, field('day'));
  shown.setUTCHours(field('hour'), field('minute'), field('second'));
  return shown.getTime() - Math.floor(atMs / 1_000) * 1_000;
}

/** A format takes long to make, and is needed again. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, ...FIELDS });
  FORMATS.set(timeZone, format);
  return format;
}
