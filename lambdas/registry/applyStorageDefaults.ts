import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { ResourceEntry } from './ResourceEntry.ts';

/** Fills in what the storage version of this resource leaves out; what another served version would fill in was filled in before its conversion. */
export function applyStorageDefaults(entry: ResourceEntry, draft: KubernetesObject): void {
  const stored = entry.versions.find(
    ({ version, group = entry.group }) => version === entry.storageVersion && group === entry.group,
  );
  stored?.applyDefaults?.(draft);
}
