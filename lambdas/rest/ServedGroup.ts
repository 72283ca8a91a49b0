import type { ResourceEntry, ServedVersion } from '../registry/ResourceEntry.ts';

/** One resource in one version, as a URL names it. */
export interface ServedResource {
  readonly entry: ResourceEntry;
  readonly version: ServedVersion;
  readonly group: string;
  /** `apps/v1`, `v1`. */
  readonly apiVersion: string;
  /** The apiVersion under which its objects are stored. */
  readonly storageApiVersion: string;
}

export interface ServedGroup {
  readonly group: string;
  /** In order of preference, the preferred version first. */
  readonly versions: readonly { readonly version: string; readonly resources: readonly ServedResource[] }[];
}
