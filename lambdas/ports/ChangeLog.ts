import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { GroupResource } from '../objects/ObjectKey.ts';

/**
 * One write of the table. `before` is absent for ADDED, `after` for DELETED. A watch with a selector needs both: an object that leaves its selection
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

/** The object that a change concerns: its new state or, for a deletion, its last state. */
export function subjectOf(change: Change): KubernetesObject {
  return change.after ?? change.before;
}

/** One reader's place in the log of one resource. Not for concurrent use. */
export interface LogCursor {
  /** A cursor opened at this version misses nothing that this one has not returned yet. Bookmarks and lists may carry it. */
  readonly position: number;
  /**
   * Returns the next changes in log order, at least one. It waits for them until `signal` is aborted, and then resolves to an empty list. `expired`: the
   * reader fell so far behind that changes it has not seen are gone.
   */
  next(signal: AbortSignal): Promise<readonly Change[] | 'expired'>;
  /** Releases what the cursor holds. The code that opened the cursor calls this once. */
  close(): void;
}

export type OpenOutcome =
  | { readonly status: 'open'; readonly cursor: LogCursor }
  /** Changes after that version are gone: HTTP 410. */
  | { readonly status: 'expired' }
  /** The log still did not hold that version when `signal` was aborted. */
  | { readonly status: 'future' };

/** The position of an empty log. It is not 0, as in etcd, because client-go's RetryWatcher refuses to watch from version 0. */
export const FIRST_POSITION = 1;

/**
 * The changes of each resource in one total order, the same for every reader. Versions are integers above `FIRST_POSITION` and below 2^53. They are unique within the
 * resource and grow with each write of an object. For changes of different objects, the order of the log may differ from the order of the numbers.
 *
 * A version expires when a change after it is gone, never by age alone.
 */
export interface ChangeLog {
  /** Returns the position of the newest change, or `FIRST_POSITION` for an empty log. A list reads the head first and must not answer with less. */
  head(resource: GroupResource): Promise<number>;

  /**
   * Waits until the log holds all changes up to `version`. Resolves to the position with which a list can answer whose objects have versions up to
   * `version`. `expired` if `signal` is aborted first, or the log began again meanwhile.
   */
  reached(resource: GroupResource, version: number, signal: AbortSignal): Promise<number | 'expired'>;

  /**
   * Opens a cursor that returns everything logged after `version`, and also what was logged earlier under a higher number: a change may come twice,
   * and none is lost. If the log does not hold `version` yet, waits for it until `signal` is aborted.
   */
  open(resource: GroupResource, version: number, signal: AbortSignal): Promise<OpenOutcome>;
}
