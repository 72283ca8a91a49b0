import { type KubernetesRelease, NEWEST_RELEASE } from '../objects/KubernetesRelease.ts';
import type { GroupResource } from '../objects/ObjectKey.ts';
import type { ResourceEntry } from './ResourceEntry.ts';

/** A custom resource, as its definition describes it now. */
export interface CustomResource {
  readonly groupResource: GroupResource;
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Whether requests for it are answered. Before that, and while other definitions hold its names, only its objects' deletion is possible. */
  readonly isEstablished: boolean;
  /** The entry by which its objects are stored. */
  readonly stored: ResourceEntry;
  /** An entry for each served version. Versions may differ in their schema, subresources, columns and selectable fields. */
  readonly served: ReadonlyMap<string, ResourceEntry>;
}

/** The custom resources, looked up when they are needed: they come and go with their definitions. */
export interface CustomResources {
  /** Looks up the definition `<plural>.<group>`. A definition that is not found is looked for again each time. */
  find(resource: GroupResource): Promise<CustomResource | undefined>;
  list(): Promise<readonly CustomResource[]>;
  /** Forgets what is known of definitions, when a write of this process to one of them has ended. */
  forget(): void;
}

/**
 * The resources that a control plane serves: the built-in ones, which never change, and the custom ones. Built-in resources are found at once, without a promise, so that custom ones cost requests
 * for them nothing.
 */
export interface ResourceCatalog {
  readonly builtIn: readonly ResourceEntry[];
  readonly custom: CustomResources;
  /** The release of Kubernetes whose API is served. */
  readonly release: KubernetesRelease;
  /** Returns a built-in resource, for reads: its strategy may lack what `entryOf` loads. */
  builtInEntry(resource: GroupResource): ResourceEntry | undefined;
  /** Returns the entry by which objects of this resource are written, its whole strategy included; for a custom resource in this version, without a version in the storage version. */
  entryOf(resource: GroupResource, version?: string): ResourceEntry | undefined | Promise<ResourceEntry | undefined>;
}

const NO_CUSTOM_RESOURCES: CustomResources = {
  find: async () => undefined,
  list: async () => [],
  forget: () => {},
};

/** Creates the catalog of these built-in resources, as that release serves them, and of custom ones; absent: there are none. */
export function createResourceCatalog(
  builtIn: readonly ResourceEntry[],
  custom: CustomResources = NO_CUSTOM_RESOURCES,
  release: KubernetesRelease = NEWEST_RELEASE,
): ResourceCatalog {
  const byResource = new Map(builtIn.map((entry) => [entry.groupResource, entry]));
  return {
    builtIn,
    custom,
    release,
    builtInEntry: (resource) => byResource.get(resource),
    entryOf: (resource, version) => {
      const entry = byResource.get(resource);
      if (!entry) return customEntry(custom, resource, version);
      return entry.loadStrategy ? wholeEntry(entry) : entry;
    },
  };
}

async function wholeEntry(entry: ResourceEntry): Promise<ResourceEntry> {
  return { ...entry, strategy: { ...entry.strategy, ...(await entry.loadStrategy?.()) } };
}

async function customEntry(
  custom: CustomResources,
  resource: GroupResource,
  version: string | undefined,
): Promise<ResourceEntry | undefined> {
  const found = await custom.find(resource);
  return version === undefined ? found?.stored : (found?.served.get(version) ?? found?.stored);
}
