import { createServedResources } from '../../lambdas/rest/ServedResources.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import type { ResourceEntry } from '../../lambdas/registry/ResourceEntry.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { definedKinds } from '../host/definedKinds.ts';
import { noMatches } from '../host/applyManifest.ts';
import type { Manifest } from '../host/readManifests.ts';

/** Throws a UsageError for the first manifest of a kind that neither this release serves nor a manifest defines, so that a wrong file is refused before anything is started. `others`: what the server serves besides. */
export function requireServed(manifests: readonly Manifest[], others: readonly ResourceEntry[] = []): void {
  const { builtInGroups } = createServedResources(createResourceCatalog([...resourceEntries, ...others]));
  const resources = builtInGroups.flatMap(({ versions }) => versions.flatMap((version) => version.resources));
  const served = new Set(resources.map(({ apiVersion, entry }) => `${apiVersion} ${entry.kind}`));
  for (const { group, kind, servedVersions } of definedKinds(manifests))
    for (const version of servedVersions) served.add(`${group}/${version} ${kind}`);
  const unserved = manifests.find(({ apiVersion, kind }) => !served.has(`${apiVersion} ${kind}`));
  if (unserved) throw noMatches(unserved);
}
