import type { ControllerRevision } from '../../objects/kinds.ts';
import { equalRevision } from './templatePatch.ts';

/** Returns the revisions in the order of their numbers, then of their age, then of their names: Kubernetes' `SortControllerRevisions`. Pure. */
export function sortControllerRevisions(revisions: readonly ControllerRevision[]): ControllerRevision[] {
  return revisions.toSorted(
    (a, b) =>
      a.revision - b.revision ||
      compare(a.metadata.creationTimestamp, b.metadata.creationTimestamp) ||
      compare(a.metadata.name, b.metadata.name),
  );
}

/** Returns those of the revisions that keep the same as `needle`, in their order. Pure. */
export function findEqualRevisions(
  revisions: readonly ControllerRevision[],
  needle: { readonly data?: unknown },
): ControllerRevision[] {
  return revisions.filter((revision) => equalRevision(revision, needle));
}

/** Returns the number after that of the last of the sorted revisions; 1 for the first one. Pure. */
export function nextRevision(sorted: readonly ControllerRevision[]): number {
  return (sorted.at(-1)?.revision ?? 0) + 1;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
