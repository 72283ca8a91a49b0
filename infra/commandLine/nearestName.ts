/** A name with more mistakes than this, of each three letters one, is another name. */
const LETTERS_A_MISTAKE = 3;

/** Returns the known name that the user probably meant: the only one that begins with the text, or the most similar one. Allows one mistake for every three letters. `undefined` if no name is similar enough. Pure. */
export function nearestName(text: string, known: readonly string[]): string | undefined {
  const begun = known.filter((name) => text.length > 1 && name.startsWith(text));
  if (begun.length === 1) return begun[0];
  const [nearest] = known
    .map((name) => ({ name, mistakes: mistakesBetween(text, name) }))
    .filter(({ name, mistakes }) => mistakes <= Math.ceil(Math.max(name.length, text.length) / LETTERS_A_MISTAKE) - 1)
    .sort((a, b) => a.mistakes - b.mistakes);
  return nearest?.name;
}

/** The distance of Damerau and Levenshtein: how many letters must be added, left out, replaced, or swapped with their neighbour. */
function mistakesBetween(a: string, b: string): number {
  // `table[i][j]`: the mistakes between the first i letters of a and the first j of b.
  const table = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    table.push([i]);
    for (let j = 1; j <= b.length; j += 1) {
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const least = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
      table[i]?.push(least);
    }
  }
  return at(a.length, b.length);
}
