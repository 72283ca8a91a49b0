import type { ControllerRevision, DaemonSet, Pod } from '../../objects/kinds.ts';
import { findEqualRevisions, nextRevision } from '../history/sortControllerRevisions.ts';
import { templatePatch } from '../history/templatePatch.ts';
import { REVISION_HASH_LABEL } from './daemonPodTemplate.ts';

/** A DaemonSet's revisions, and which of them keeps its template. */
export interface DaemonHistory {
  /** The newest of those that keep the present template; `undefined` if it has to be made. */
  readonly current: ControllerRevision | undefined;
  /** Others that keep it, too. */
  readonly duplicates: readonly ControllerRevision[];
  /** The oldest first. */
  readonly old: readonly ControllerRevision[];
  /** The number that the current revision must have at least. */
  readonly revision: number;
}

/** Sorts out the revisions of a DaemonSet: the first part of Kubernetes' `constructHistory`. A template that comes back makes its revision the newest one again. `sorted` as by `sortControllerRevisions`. Pure. */
export function decideHistory({ spec }: DaemonSet, sorted: readonly ControllerRevision[]): DaemonHistory {
  const matching = findEqualRevisions(sorted, { data: templatePatch(spec?.template ?? {}) });
  const old = sorted.filter((revision) => !matching.includes(revision));
  return { current: matching.at(-1), duplicates: matching.slice(0, -1), old, revision: nextRevision(old) };
}

/** Returns the revisions to delete: the oldest ones beyond `revisionHistoryLimit`, but none that a pod still has. Kubernetes' `cleanupHistory`. Pure. */
export function revisionsToDelete(
  { spec }: DaemonSet,
  old: readonly ControllerRevision[],
  pods: readonly Pod[],
): readonly ControllerRevision[] {
  const surplus = Math.max(0, old.length - (spec?.revisionHistoryLimit ?? 10));
  const live = new Set(pods.map(({ metadata }) => metadata.labels?.[REVISION_HASH_LABEL]));
  return old.filter((revision) => !live.has(hashOf(revision))).slice(0, surplus);
}

/** The label by which pods name their revision. One that somebody else made without it is named by itself. Pure. */
export function hashOf({ metadata }: ControllerRevision): string {
  return metadata.labels?.[REVISION_HASH_LABEL] ?? metadata.name;
}
