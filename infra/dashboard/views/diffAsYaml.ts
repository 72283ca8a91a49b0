import { diffArrays } from 'diff';
import { stringify } from 'yaml';

export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}

const LINES_AROUND = 2;

/** Returns how one object differs from another, as lines of YAML with two around each change. Empty: they are the same. Pure. */
export function diffAsYaml(from: object, to: object): readonly DiffLine[] {
  const lines = diffArrays(linesOf(from), linesOf(to)).flatMap(({ added, removed, value }) =>
    value.map((text): DiffLine => ({ sign: added ? '+' : removed ? '-' : ' ', text })),
  );
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - LINES_AROUND), index + LINES_AROUND + 1).some(({ sign }) => sign !== ' ');
  return lines.filter((_, index) => isNear(index));
}

function linesOf(object: object): string[] {
  return stringify(object, { sortMapEntries: true }).trimEnd().split('\n');
}
