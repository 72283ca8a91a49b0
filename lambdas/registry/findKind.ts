import type { ResourceCatalog } from './ResourceCatalog.ts';
import type { ResourceEntry } from './ResourceEntry.ts';

/**
 * Finds the resource of a kind in an API group, as a client does that has only an object's apiVersion and kind. Custom resources are looked for last, and only then anything is read. Without a `version` any will do, and the entry
 * of a custom resource is that of the stored version. `undefined` if nothing of that kind is served.
 */
export async function findKind(
  { builtIn, custom }: ResourceCatalog,
  group: string,
  kind: string,
  version?: string,
): Promise<ResourceEntry | undefined> {
  const found = builtIn.find(
    (entry) =>
      entry.kind === kind &&
      entry.virtual !== true &&
      entry.versions.some(
        (one) => (one.group ?? entry.group) === group && (version === undefined || one.version === version),
      ),
  );
  // The group of a custom resource is a domain with a dot.
  if (found || !group.includes('.')) return found;
  const defined = (await custom.list()).find((one) => one.isEstablished && one.kind === kind && one.group === group);
  return version === undefined ? defined?.stored : defined?.served.get(version);
}

/** Returns the group of an apiVersion: `apps` of `apps/v1`, and `''` of `v1`. Pure. */
export function apiGroupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}
