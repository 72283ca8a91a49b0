/** Something wrong with an expression, at an offset into it. */
export interface CelIssue {
  readonly offset: number;
  readonly message: string;
}

const MAX_SHOWN = 100;

/** Words issues as cel-go does, each with the line and a pointer to the place. */
export function issuesMessage(issues: readonly CelIssue[], source: string): string {
  // Only what is shown is placed, since to place an issue takes as long as the text before it.
  const sorted = [...issues].sort((a, b) => a.offset - b.offset);
  const shownIssues = sorted
    .slice(0, MAX_SHOWN)
    .map(({ offset, message }) => ({ ...placeOf(offset, source), message }));
  const lines = source.split('\n');
  const shown = shownIssues.map((one) => {
    const text = (lines[one.line - 1] ?? '').replaceAll('\t', ' ');
    return `ERROR: <input>:${one.line}:${one.column + 1}: ${one.message}\n | ${text}\n | ${pointer(text, one.column)}`;
  });
  const rest = sorted.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more errors were truncated`] : [])].join('\n');
}

/** Lines count from 1, columns from 0, in characters. */
function placeOf(offset: number, source: string): { readonly line: number; readonly column: number } {
  const before = source.slice(0, offset).split('\n');
  return { line: before.length, column: Array.from(before.at(-1) ?? '').length };
}

/** Wide dots stand under characters that are not ASCII. */
function pointer(line: string, column: number): string {
  const characters = Array.from(line);
  const isWide = (character: string | undefined) => character !== undefined && character > '\u007f';
  const dots = characters.slice(0, column).map((character) => (isWide(character) ? '．' : '.'));
  return `${dots.join('')}${isWide(characters[column]) ? '＾' : '^'}`;
}
