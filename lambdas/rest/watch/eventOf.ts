import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { WatchEvent } from './WatchEvent.ts';

/** One object for each change, however many watchers get it, so that it is written out once for all of them. */
const departed = new WeakMap<Change, KubernetesObject>();

/**
 * What a change is to a watcher who sees only the objects that `matches`: an object that enters the selection is ADDED, one that leaves it is
 * DELETED as it last was inside, with the version of the change that took it out. `undefined`: nothing.
 */
export function eventOf(change: Change, matches: (object: KubernetesObject) => boolean): WatchEvent | undefined {
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
