import type { CustomResources, ResourceCatalog } from '../registry/ResourceCatalog.ts';
import type { ResourceEntry, ServedVersion } from '../registry/ResourceEntry.ts';
import { groupVersionOf } from '../registry/versions/convertVersion.ts';
import { METRICS_GROUPS } from './metrics/metricsGroups.ts';
import { compareVersions } from '../registry/versions/versionPriority.ts';
import type { ServedGroup, ServedResource } from './ServedGroup.ts';

/** All served resources: routing looks them up, discovery lists them. */
export interface ServedResources {
  /** Finds a resource: a built-in one at once, a custom one by its definition. */
  find(
    group: string,
    version: string,
    plural: string,
  ): ServedResource | undefined | Promise<ServedResource | undefined>;
  /** The groups of built-in resources: the core group first, then in Kubernetes' order. */
  readonly builtInGroups: readonly ServedGroup[];
  /** All groups: those of custom resources come last, by name. */
  groups(): Promise<readonly ServedGroup[]>;
}

/** The order of groups in kube-apiserver's discovery. kubectl uses it to resolve a name that several groups serve. */
const GROUP_ORDER = [
  '',
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'metrics.k8s.io',
];

/** Indexes the resources of the catalog by group and version. */
export function createServedResources({ builtIn, custom }: ResourceCatalog): ServedResources {
  const resources = builtIn.flatMap(servedVersions);
  const byPath = new Map(resources.map((one) => [pathOf(one.group, one.version.version, one.entry.plural), one]));
  const builtInGroups = [...groupsOf(resources), ...METRICS_GROUPS];
  return {
    find: (group, version, plural) =>
      byPath.get(pathOf(group, version, plural)) ?? findCustom(custom, group, version, plural),
    builtInGroups,
    async groups() {
      const defined = (await custom.list()).filter(({ isEstablished }) => isEstablished);
      if (defined.length === 0) return builtInGroups;
      const others = defined.flatMap(({ served }) => [...served.values()].flatMap(servedVersions));
      return [...groupsOf([...resources, ...others]), ...METRICS_GROUPS];
    },
  };
}

async function findCustom(custom: CustomResources, group: string, version: string, plural: string) {
  // The group of a custom resource is a domain with a dot, so a wrong path in another group needs no look.
  if (!group.includes('.') || plural === '') return undefined;
  const found = await custom.find(`${plural}.${group}`);
  const entry = found?.isEstablished === true ? found.served.get(version) : undefined;
  return entry && servedVersions(entry)[0];
}

function groupsOf(resources: readonly ServedResource[]): readonly ServedGroup[] {
  const names = [...new Set(resources.map(({ group }) => group))].sort(compareGroups);
  return names.map((group) => ({ group, versions: versionsOf(resources.filter((one) => one.group === group)) }));
}

/** The served versions of each entry: always the same objects, since answers are cached for them. */
const servedByEntry = new WeakMap<ResourceEntry, readonly ServedResource[]>();

function servedVersions(entry: ResourceEntry): readonly ServedResource[] {
  const known = servedByEntry.get(entry) ?? entry.versions.map((version) => servedResource(entry, version));
  servedByEntry.set(entry, known);
  return known;
}

function servedResource(entry: ResourceEntry, version: ServedVersion): ServedResource {
  const group = version.group ?? entry.group;
  return {
    entry,
    version,
    group,
    apiVersion: groupVersionOf(group, version.version),
    storageApiVersion: groupVersionOf(entry.group, entry.storageVersion),
  };
}

function pathOf(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}

function compareGroups(a: string, b: string): number {
  return rankOf(a) - rankOf(b) || (a < b ? -1 : 1);
}

function rankOf(group: string): number {
  const rank = GROUP_ORDER.indexOf(group);
  return rank < 0 ? GROUP_ORDER.length : rank;
}

function versionsOf(resources: readonly ServedResource[]) {
  const versions = [...new Set(resources.map(({ version }) => version.version))].sort(compareVersions);
  return versions.map((version) => ({
    version,
    resources: resources
      .filter((one) => one.version.version === version)
      .sort((a, b) => (a.entry.plural < b.entry.plural ? -1 : 1)),
  }));
}
