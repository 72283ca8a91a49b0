import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { GroupResource } from '../objects/ObjectKey.ts';

/**
 * One write of the table. `before` is absent for ADDED, `after` for DELETED; a selector needs both, since an object that leaves the selection
 * is DELETED to that watcher. `version` is the write's own resourceVersion, also for a deletion.
 */
export type Change =
  | (ChangePlace & { readonly type: 'ADDED'; readonly before?: undefined; readonly after: KubernetesObject })
  | (ChangePlace & { readonly type: 'MODIFIED'; readonly before: KubernetesObject; readonly after: KubernetesObject })
  | (ChangePlace & { readonly type: 'DELETED'; readonly before: KubernetesObject; readonly after?: undefined });

interface ChangePlace {
  readonly resource: GroupResource;
  readonly version: number;
}

/** The object that a change concerns: as it is now, or, once deleted, as it last was. */
export function subjectOf(change: Change): KubernetesObject {
  return change.after ?? change.before;
}

/** A place in the log of one resource from which one reader reads on. Not for concurrent use. */
export interface LogCursor {
  /** A version from which a new cursor would miss nothing that this one has not returned yet. Fit for bookmarks and lists. */
  readonly position: number;
  /**
   * The next changes in log order, at least one; waits for them until `signal` is aborted, then resolves to an empty list. `expired`: the
   * reader fell so far behind that changes it has not seen are gone.
   */
  next(signal: AbortSignal): Promise<readonly Change[] | 'expired'>;
  /** Lets go of what the cursor holds; to be called once, by whoever opened it. */
  close(): void;
}

export type OpenOutcome =
  | { readonly status: 'open'; readonly cursor: LogCursor }
  /** Changes after that version are gone: HTTP 410. */
  | { readonly status: 'expired' }
  /** The log does not hold that version, though it was waited for until `signal` was aborted. */
  | { readonly status: 'future' };

/**
 * The changes of each resource in one total order, which every reader sees alike. Versions are positive integers below 2^53, unique within the
 * resource, growing with each write of an object; the order of the log may differ from that of the numbers between different objects.
 *
 * A version is expired when a change after it is gone, never by age alone.
 */
export interface ChangeLog {
  /** The position of the newest change; 0 if there never was one. A list must not answer with less than the head it read first. */
  head(resource: GroupResource): Promise<number>;

  /**
   * Waits until the log holds all changes up to `version`, then resolves to the position that a list of objects with versions up to it can answer
   * with. `expired` if `signal` is aborted first, or the log began anew meanwhile.
   */
  reached(resource: GroupResource, version: number, signal: AbortSignal): Promise<number | 'expired'>;

  /**
   * A cursor behind `version`: it passes on everything logged after that version, and what was logged earlier under a higher number, so
   * that a change may come twice and none is lost. Waits for a version that the log does not hold yet until `signal` is aborted.
   */
  open(resource: GroupResource, version: number, signal: AbortSignal): Promise<OpenOutcome>;
}
