import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Status } from '../response/statusOf.ts';
import type { Change } from '../../ports/ChangeLog.ts';

/** What a watcher is told; objects in storage version. */
export type WatchEvent =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly object: KubernetesObject;
      /** It was there when the watch began; nobody else is being told of it. */
      readonly initial?: true;
    }
  /** All up to this position has been sent. `initialEventsEnd` says that the list before the watch is over. */
  | { readonly type: 'BOOKMARK'; readonly position: number; readonly initialEventsEnd?: true }
  /** The last one: the watch is over. */
  | { readonly type: 'ERROR'; readonly status: Status }
  /** Nothing, so that a connection is not idle. */
  | { readonly type: 'KEEPALIVE' };

/** One object for each change, however many watchers get it, so that it is written out once for all of them. */
const departed = new WeakMap<Change, KubernetesObject>();

/**
 * What a change is to a watcher who sees only the objects that `matches`: an object that enters the selection is ADDED, one that leaves it is
 * DELETED as it last was inside, with the version of the change that took it out. `undefined`: nothing.
 */
export function watchEventOf(change: Change, matches: (object: KubernetesObject) => boolean): WatchEvent | undefined {
  const was = change.before !== undefined && matches(change.before);
  if (change.after !== undefined && matches(change.after)) {
    return { type: was ? 'MODIFIED' : 'ADDED', object: change.after };
  }
  return was ? { type: 'DELETED', object: departedObject(change, change.before) } : undefined;
}

function departedObject(change: Change, before: KubernetesObject): KubernetesObject {
  const known = departed.get(change);
  if (known) return known;
  const object = { ...before, metadata: { ...before.metadata, resourceVersion: String(change.version) } };
  departed.set(change, object);
  return object;
}
