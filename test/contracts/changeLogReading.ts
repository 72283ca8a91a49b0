import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { type Change, type ChangeLog, type LogCursor, subjectOf } from '../../lambdas/ports/ChangeLog.ts';
import type { ObjectStore } from '../../lambdas/ports/ObjectStore.ts';
import { versionOf } from './objectStoreSamples.ts';

/** Opens a cursor at `version`; throws if that fails. */
export async function opened(
  log: ChangeLog,
  resource: string,
  version: number,
  signal: AbortSignal,
): Promise<LogCursor> {
  const outcome = await log.open(resource, version, signal);
  if (outcome.status !== 'open') throw new Error(`version ${version} of ${resource} is ${outcome.status}`);
  return outcome.cursor;
}

/** Reads until a change is `isLast`. Throws if the cursor expires or the signal is aborted first. */
export async function readUntil(cursor: LogCursor, isLast: (change: Change) => boolean, signal: AbortSignal) {
  const read: Change[] = [];
  for (;;) {
    const changes = await cursor.next(signal);
    if (changes === 'expired' || changes.length === 0) throw new Error('the last change did not come');
    read.push(...changes);
    if (changes.some(isLast)) return read;
  }
}

/**
 * Lists the objects with the position from which a watch continues: read the head, list the objects, and wait until the log has caught up with them. A
 * table that is read while others write shows some of the concurrent changes, and not all.
 */
export async function listWithPosition(store: ObjectStore, log: ChangeLog, resource: string, signal: AbortSignal) {
  const head = await log.head(resource);
  const { items, removed = [] } = await store.list(resource);
  const reads = items.map((object) => ({ ...placeOf(object), version: versionOf(object) }));
  const caughtUp = await log.catchUp(resource, head, [...reads, ...removed], signal);
  if (caughtUp === 'expired') throw new Error(`the log of ${resource} did not reach its list`);
  const world = new Map(items.map((object): [string, KubernetesObject] => [object.metadata.name, object]));
  for (const change of caughtUp.changes) applyTo(world, change);
  return { items: [...world.values()], position: caughtUp.position };
}

function placeOf({ metadata }: KubernetesObject) {
  return { namespace: metadata.namespace ?? '', name: metadata.name };
}

/** Applies a change as an informer's cache does: by name, the later change in the log wins, and an older version never does. */
export function applyTo(world: Map<string, KubernetesObject>, change: Change): void {
  const { name } = subjectOf(change).metadata;
  const known = world.get(name);
  if (known && versionOf(known) >= change.version) return;
  if (change.after) world.set(name, change.after);
  else world.delete(name);
}
