import type { ReplicaSet } from '../../objects/kinds.ts';
import { desiredReplicas } from './replicaCounts.ts';
import { revisionOf } from './revisions.ts';

/** Orders of ReplicaSets, for `toSorted`; none leaves two of them undecided. */
type Order = (a: ReplicaSet, b: ReplicaSet) => number;

/** Oldest first, then by name: creation times have whole seconds. */
export const byAge: Order = (a, b) =>
  compareText(a.metadata.creationTimestamp, b.metadata.creationTimestamp) ||
  compareText(a.metadata.name, b.metadata.name);

/** Largest first, of equal ones the newest: who gets replicas first. */
export const bySizeThenNewest: Order = (a, b) => desiredReplicas(b) - desiredReplicas(a) || byAge(b, a);

/** Largest first, of equal ones the oldest: who loses replicas first. */
export const bySizeThenOldest: Order = (a, b) => desiredReplicas(b) - desiredReplicas(a) || byAge(a, b);

/** Lowest revision first; one whose revision is no number goes by age. */
export const byRevision: Order = (a, b) => {
  const [first, second] = [revisionOf(a), revisionOf(b)];
  return first === undefined || second === undefined ? byAge(a, b) : first - second || byAge(a, b);
};

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
