/** The elements of Go's RFC 3339 layout in order: the pattern that the text must match, and the element's name in errors. */
const ELEMENTS: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}/, '2006'],
  [/^-/, '-'],
  [/^(?:0[1-9]|1[0-2])/, '01'],
  [/^-/, '-'],
  [/^\d{2}/, '02'],
  [/^T/, 'T'],
  [/^(?:[01]\d|2[0-3])/, '15'],
  [/^:/, ':'],
  [/^[0-5]\d/, '04'],
  [/^:/, ':'],
  [/^[0-5]\d(?:[.,]\d+)?/, '05'],
  [/^(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/, 'Z07:00'],
];

const LAYOUTS = { Time: '2006-01-02T15:04:05Z07:00', MicroTime: '2006-01-02T15:04:05.000000Z07:00' } as const;

export type GoTime = { readonly text: string } | { readonly error: string };

/**
 * Reads a timestamp like metav1.Time (whole seconds) or MicroTime (six digits), and returns it in their form, in UTC. For an invalid timestamp it returns Go's
 * error, which names the first layout element that does not match.
 */
export function parseGoTime(text: string, type: 'Time' | 'MicroTime'): GoTime {
  const problem = findProblem(text, type);
  if (problem !== undefined) return { error: `parsing time "${text}"${problem}` };
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && type === 'Time') return { text };
  const micros = (/[.,](\d+)/.exec(text)?.[1] ?? '').padEnd(6, '0').slice(0, 6);
  const seconds = new Date(text.replace(/[.,]\d+/, '')).toISOString().slice(0, 19);
  return { text: type === 'Time' ? `${seconds}Z` : `${seconds}.${micros}Z` };
}

/** The rest of Go's sentence, or undefined for a time. */
function findProblem(text: string, type: 'Time' | 'MicroTime'): string | undefined {
  let rest = text;
  for (const [pattern, name] of ELEMENTS) {
    const match = pattern.exec(rest);
    if (match === null) return ` as "${LAYOUTS[type]}": cannot parse "${rest}" as "${name}"`;
    rest = rest.slice(match[0].length);
  }
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  const inMonth = day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  return inMonth ? undefined : ': day out of range';
}
