import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Status } from '../response/statusOf.ts';
import type { Change } from '../../ports/ChangeLog.ts';

/** An event of a watch, with the object in its storage version. */
export type WatchEvent =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly object: KubernetesObject;
      /** The object existed when the watch began, so this event goes to one watcher only. */
      readonly initial?: true;
    }
  /** All changes up to this position have been sent. `initialEventsEnd`: all initial objects have been sent too. */
  | { readonly type: 'BOOKMARK'; readonly position: number; readonly initialEventsEnd?: true }
  /** The last event: the watch ends here. */
  | { readonly type: 'ERROR'; readonly status: Status }
  /** A sign of life that no client takes for an event. */
  | { readonly type: 'HEARTBEAT' };

/** One object per change, shared by all watchers, so that it is encoded once for all of them. */
const deletedObjects = new WeakMap<Change, KubernetesObject>();

/**
 * The event of a change for a watcher of the objects that match. An object that enters the selection is ADDED. An object that leaves it is DELETED, shown as
 * it last was inside the selection, with the version of the change. `undefined` for a change outside the selection.
 */
export function watchEventOf(change: Change, matches: (object: KubernetesObject) => boolean): WatchEvent | undefined {
  // Of a merged change it is not known whether an earlier state was in the selection. An event too many does no harm to a client.
  const was = change.before !== undefined && (change.merged === true || matches(change.before));
  if (change.after !== undefined && matches(change.after)) {
    return { type: was ? 'MODIFIED' : 'ADDED', object: change.after };
  }
  return was ? { type: 'DELETED', object: deletedObject(change, change.before) } : undefined;
}

function deletedObject(change: Change, before: KubernetesObject): KubernetesObject {
  const known = deletedObjects.get(change);
  if (known) return known;
  const object = { ...before, metadata: { ...before.metadata, resourceVersion: String(change.version) } };
  deletedObjects.set(change, object);
  return object;
}
