import type { ControllerRevision } from '../../objects/kinds.ts';

/** What a controller knows of its revisions when it drops old ones. */
export interface History {
  /** In the order of `sortControllerRevisions`. */
  readonly sorted: readonly ControllerRevision[];
  /** Names of those in use: by a pod, or as the current or the update revision. */
  readonly live: ReadonlySet<string>;
  /** `spec.revisionHistoryLimit`. A negative limit, which only older releases stored, keeps all. */
  readonly limit: number;
}

/** Returns the revisions to delete so that not more than `limit` are kept that nothing uses: the oldest of these. Pure. */
export function truncateHistory({ sorted, live, limit }: History): readonly ControllerRevision[] {
  const history = sorted.filter(({ metadata }) => !live.has(metadata.name));
  return limit < 0 ? [] : history.slice(0, Math.max(0, history.length - limit));
}
