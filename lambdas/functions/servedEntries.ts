import type { ResourceEntry } from '../registry/ResourceEntry.ts';
import type { Config } from './parseConfig.ts';

/** The resources as this configuration serves them: without the versions that are switched off, and without what has no version left. Pure. */
export function servedEntries(entries: readonly ResourceEntry[], { apiVersions }: Config): readonly ResourceEntry[] {
  return entries
    .map((entry) => ({
      ...entry,
      versions: entry.versions.filter(({ group = entry.group, version }) => {
        return apiVersions[group === '' ? version : `${group}/${version}`] ?? true;
      }),
    }))
    .filter(({ versions }) => versions.length > 0);
}
