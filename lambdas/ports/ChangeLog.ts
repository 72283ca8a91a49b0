import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { GroupResource } from '../objects/ObjectKey.ts';
import type { WriteTrace } from './TraceContext.ts';

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
  /**
   * Set if earlier changes of this object are not in the log: a list had shown this state before the log caught up. `before` is the last of the states left
   * out, so it does not say what a reader has seen.
   */
  readonly merged?: true;
  /** The trace in which it was written, if that is sampled. A log need not keep it. */
  readonly trace?: WriteTrace;
}

/** A change as its writer or the table's stream tells of it. `replaces`: of an object that is new under its name, the version with which the one before it was removed, if that is known. A log does not keep it. */
export type TracedChange = Change & { readonly replaces?: number };

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

/** An object at one version, as a list has read it or a change has made it. `version` is that of its removal if only that is known. */
export interface ReadVersion {
  readonly namespace: string;
  readonly name: string;
  readonly version: number;
  /** Of an object that has ended by itself, so that a list leaves it out: the version with which its end is logged, perhaps days later. */
  readonly endVersion?: number;
}

/** The objects that some changes have made, by resource. */
export type VersionsByResource = Readonly<Record<GroupResource, readonly ReadVersion[]>>;

/** Returns the changes that are newer than what was read of their objects. */
export function newerThan(reads: readonly ReadVersion[], changes: readonly Change[]): readonly Change[] {
  if (changes.length === 0) return changes;
  const versions = new Map(reads.map(({ namespace, name, version }) => [`${namespace}/${name}`, version]));
  return changes.filter((change) => {
    const { namespace = '', name } = subjectOf(change).metadata;
    return change.version > (versions.get(`${namespace}/${name}`) ?? 0);
  });
}

/** Changes that a reader needs. A log may leave out changes outside of it, so that it need not read or decode them. */
export interface LogScope {
  readonly namespace?: string;
}

/**
 * The changes of each resource in one total order, the same for every reader. Versions are integers above `FIRST_POSITION` and below 2^53. They are unique within the
 * resource and grow with each write of an object. For changes of different objects, the order of the log may differ from the order of the numbers.
 *
 * A version expires when a change after it is gone, never by age alone.
 */
export interface ChangeLog {
  /** True if a write and its change become readable at the same moment. Otherwise the log may be behind what a list reads. */
  readonly isNeverBehind?: true;

  /** Returns the position of the newest change, or `FIRST_POSITION` for an empty log. A list reads the head first and must not answer with less. */
  head(resource: GroupResource): Promise<number>;

  /** Waits until the log holds `version`; `expired` if `signal` is aborted first, or the log began again meanwhile. Resolves to a position that is not below it. */
  reached(resource: GroupResource, version: number, signal: AbortSignal): Promise<number | 'expired'>;

  /**
   * Brings a list to one position: the list read the head `from`, and then what `reads` says from the table. Returns the position with which it can answer,
   * and the changes between `from` and there that are newer than what it read. A watch from that position loses nothing and never goes back behind the list,
   * even if the log does not hold all that was read: then it leaves out older changes of those objects when it gets them.
   *
   * `expired` if the changes after `from` are gone, or `signal` is aborted first.
   */
  catchUp(
    resource: GroupResource,
    from: number,
    reads: readonly ReadVersion[],
    signal: AbortSignal,
    scope?: LogScope,
  ): Promise<CaughtUp | 'expired'>;

  /**
   * Returns all changes after `position`, at least up to the versions that were read, in log order. `expired` if those changes are gone, or `signal` is aborted,
   * or the log does not hold what was read within a few seconds. What a list had read before `position` need not be held: a watch from there shows nothing older.
   */
  changesSince(
    resource: GroupResource,
    position: number,
    reads: readonly ReadVersion[],
    signal: AbortSignal,
    scope?: LogScope,
  ): Promise<readonly Change[] | 'expired'>;

  /**
   * Opens a cursor that returns everything logged after `version`, and also what was logged earlier under a higher number: a change may come twice,
   * and none is lost. If the log does not hold `version` yet, waits for it until `signal` is aborted.
   */
  open(resource: GroupResource, version: number, signal: AbortSignal, scope?: LogScope): Promise<OpenOutcome>;
}

/** The end of a list: see `ChangeLog.catchUp`. */
export interface CaughtUp {
  readonly position: number;
  readonly changes: readonly Change[];
  /** True if the log holds every write that the list read. Otherwise it only knows that a list read some of them. */
  readonly holdsReads: boolean;
}
