import type { GroupResource } from '../objects/ObjectKey.ts';
import { isKnownIn } from '../objects/KubernetesRelease.ts';
import type { ResourceEntry } from '../registry/ResourceEntry.ts';
import { resourceEntries } from '../registry/resourceEntries.ts';
import { NODE_PORTS } from '../registry/services/claimHoldings.ts';
import { entryIn } from '../rest/schema/entryIn.ts';
import type { ServedConfig } from './parseServedConfig.ts';

/**
 * Returns the resources that this configuration serves: as its release of Kubernetes has them, without the versions that are switched off, and without resources of which no version is left. Pure.
 */
export function servedEntries(
  entries: readonly ResourceEntry[],
  { apiVersions, kubernetesVersion }: ServedConfig,
): readonly ResourceEntry[] {
  return entries
    .filter(({ since }) => isKnownIn(kubernetesVersion, since))
    .map((entry) => ({
      ...entryIn(kubernetesVersion, entry),
      versions: entry.versions.filter(({ group = entry.group, version }) => {
        return apiVersions[group === '' ? version : `${group}/${version}`] ?? true;
      }),
    }))
    .filter(({ versions }) => versions.length > 0);
}

/** Every resource whose objects are stored. Each has a log, whether this control plane serves it or not. */
export const storedResources: readonly GroupResource[] = [
  ...resourceEntries.filter(({ virtual }) => !virtual).map(({ groupResource }) => groupResource),
  NODE_PORTS,
];
