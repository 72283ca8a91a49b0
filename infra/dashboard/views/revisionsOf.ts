import { stringify } from 'yaml';
import { REVISION } from '../../../lambdas/objects/deploymentAnnotations.ts';
import type { ReplicaSet } from '../../../lambdas/objects/kinds.ts';

/** A revision with how its template differs from the one before. */
export interface RevisionView {
  readonly revision: number;
  readonly replicaSet: string;
  readonly createdAtMs: number;
  readonly cause: string;
  readonly diff: readonly DiffLine[];
}

export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}

const HASH_LABEL = 'pod-template-hash';
/** Longer templates are compared line by line from both ends only, since the time of the comparison grows with the square. */
const LONGEST_COMPARED = 600;

/** The revisions of a Deployment, the newest first. Pure. */
export function revisionsOf(replicaSets: readonly ReplicaSet[]): readonly RevisionView[] {
  const ordered = replicaSets
    .map((replicaSet) => ({ replicaSet, revision: revisionOf(replicaSet) }))
    .sort((a, b) => a.revision - b.revision);
  return ordered
    .map(({ replicaSet, revision }, index) => {
      const before = ordered[index - 1];
      const { metadata } = replicaSet;
      return {
        revision,
        replicaSet: metadata.name,
        createdAtMs: Date.parse(metadata.creationTimestamp),
        cause: metadata.annotations?.['kubernetes.io/change-cause'] ?? '',
        diff: before ? diffTemplates(before.replicaSet, replicaSet) : [],
      };
    })
    .reverse();
}

/** The number of a ReplicaSet's revision; 0 if it has none. Pure. */
export function revisionOf({ metadata }: ReplicaSet): number {
  return Number(metadata.annotations?.[REVISION] ?? 0);
}

/** A ReplicaSet's template without the label that tells its pods from those of others. Pure. */
export function plainTemplate({ spec }: ReplicaSet): object {
  const { template } = spec ?? {};
  const { [HASH_LABEL]: _hash, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels } };
}

/** How one ReplicaSet's template differs from another's, as lines of YAML with two around each change. Pure. */
export function diffTemplates(from: ReplicaSet, to: ReplicaSet): readonly DiffLine[] {
  return nearChanges(diffLines(linesOf(from), linesOf(to)));
}

function linesOf(replicaSet: ReplicaSet): string[] {
  return stringify(plainTemplate(replicaSet), { sortMapEntries: true }).trimEnd().split('\n');
}

/** The shortest way from one list of lines to another, by their longest common subsequence. Pure. */
export function diffLines(from: readonly string[], to: readonly string[]): readonly DiffLine[] {
  const removed = from.map((text): DiffLine => ({ sign: '-', text }));
  const added = to.map((text): DiffLine => ({ sign: '+', text }));
  if (from.length > LONGEST_COMPARED || to.length > LONGEST_COMPARED) return [...removed, ...added];
  const width = to.length + 1;
  const common = new Uint16Array((from.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = from.length - 1; row >= 0; row -= 1)
    for (let column = to.length - 1; column >= 0; column -= 1)
      common[row * width + column] =
        from[row] === to[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < from.length && column < to.length) {
    if (from[row] === to[column]) {
      lines.push({ sign: ' ', text: from[row] ?? '' });
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) lines.push(...removed.slice(row, ++row));
    else lines.push(...added.slice(column, ++column));
  }
  return [...lines, ...removed.slice(row), ...added.slice(column)];
}

function nearChanges(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isNear = (index: number) => lines.slice(Math.max(0, index - 2), index + 3).some(({ sign }) => sign !== ' ');
  return lines.filter((_, index) => isNear(index));
}
