import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { type Change, type ChangeLog, type LogCursor, subjectOf } from '../../lambdas/ports/ChangeLog.ts';
import type { ObjectStore } from '../../lambdas/ports/ObjectStore.ts';
import { versionOf } from './objectStoreSamples.ts';

/** Opens a cursor behind `version`; throws unless that works. */
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

/** Reads on until `isLast` has come. Throws if the cursor expires or the signal is aborted first. */
export async function readUntil(cursor: LogCursor, isLast: (change: Change) => boolean, signal: AbortSignal) {
  const read: Change[] = [];
  for (;;) {
    const changes = await cursor.next(signal);
    if (changes === 'expired' || changes.length === 0) throw new Error('the last change did not come');
    read.push(...changes);
    if (changes.some(isLast)) return read;
  }
}

/** A list with the position from which a watch goes on, made as DESIGN.md says: head, objects, wait for what was read. */
export async function listWithPosition(store: ObjectStore, log: ChangeLog, resource: string, signal: AbortSignal) {
  const head = await log.head(resource);
  const { items } = await store.list(resource);
  const position = await log.reached(resource, Math.max(head, ...items.map(versionOf)), signal);
  if (position === 'expired') throw new Error(`the log of ${resource} did not reach its list`);
  return { items, position };
}

/** What an informer's cache does with a change: by name, whatever comes later in the log counts, and an older version never does. */
export function applyTo(world: Map<string, KubernetesObject>, change: Change): void {
  const { name } = subjectOf(change).metadata;
  const known = world.get(name);
  if (known && versionOf(known) >= change.version) return;
  if (change.after) world.set(name, change.after);
  else world.delete(name);
}
