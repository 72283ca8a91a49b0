import type { GuardedObjectStore } from '../GuardedWriters.ts';
import { type AutoscalerMemory, withScaleEvent } from './AutoscalerMemory.ts';

type Pending = NonNullable<AutoscalerMemory['pending']>;

/** Returns the memory without the write that was under way. Pure. */
export function withoutPending(memory: AutoscalerMemory): AutoscalerMemory {
  const { pending: _, ...rest } = memory;
  return rest;
}

/**
 * Finds out what became of a change of replicas that an earlier sync began and whose answer it did not note. If what is scaled still has the version that the change replaces, it is written unchanged: its new version keeps the
 * change from landing later. Otherwise the change may have been made, and counts against its rate as if it were. Comes before the scale is read.
 */
export async function settlePending(
  objectStore: GuardedObjectStore,
  namespace: string,
  memory: AutoscalerMemory,
  nowMs: number,
): Promise<AutoscalerMemory> {
  const { pending } = memory;
  if (!pending) return memory;
  const settled = withoutPending(memory);
  if (await isFenced(objectStore, namespace, pending)) return settled;
  // It may have landed just now.
  return withScaleEvent(settled, { change: pending.change, atMs: nowMs, isUncertain: true }, nowMs);
}

/** True if the change was not made and cannot be made any more. */
async function isFenced(objectStore: GuardedObjectStore, namespace: string, pending: Pending): Promise<boolean> {
  const { resource, name, uid, resourceVersion } = pending;
  const current = await objectStore.get({ resource, namespace, name });
  if (current?.metadata.uid !== uid || current.metadata.resourceVersion !== resourceVersion) return false;
  return (await objectStore.replace(resource, current)).status === 'stored';
}
