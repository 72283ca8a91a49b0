import type { GroupResource } from '../objects/ObjectKey.ts';
import type { ResourceEntry } from '../registry/ResourceEntry.ts';
import { resourceEntries } from '../registry/resourceEntries.ts';

const BUILT_IN = new Set(resourceEntries.map(({ groupResource }) => groupResource));

/** Whether changes of this resource are about custom objects: no built-in resource of any configuration has the name. */
export function isCustom(resource: GroupResource): boolean {
  return resource.includes('.') && !BUILT_IN.has(resource);
}

/** Returns what the garbage collector looks at. It ignores events, as in Kubernetes: they own nothing and expire by themselves. */
export function collectedEntries(entries: readonly ResourceEntry[]): readonly ResourceEntry[] {
  return storedEntries(entries).filter(({ groupResource }) => groupResource !== 'events');
}

/** Returns the stored resources whose objects are in namespaces. */
export function namespacedResources(entries: readonly ResourceEntry[]): readonly GroupResource[] {
  return storedEntries(entries).flatMap(({ namespaced, groupResource }) => (namespaced ? [groupResource] : []));
}

function storedEntries(entries: readonly ResourceEntry[]): readonly ResourceEntry[] {
  return entries.filter(({ virtual }) => !virtual);
}
