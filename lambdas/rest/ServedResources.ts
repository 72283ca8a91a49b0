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

/** All served resources: routing looks them up, discovery lists them. */
export interface ServedResources {
  find(group: string, version: string, plural: string): ServedResource | undefined;
  /** The core group first, then in Kubernetes' order. */
  readonly groups: readonly ServedGroup[];
}

/** The order of groups in kube-apiserver's discovery. kubectl uses it to resolve a name that several groups serve. */
const GROUP_ORDER = [
  '',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'policy',
  'rbac.authorization.k8s.io',
  'coordination.k8s.io',
  'extensions',
];

/** Indexes the resources of these entries by group and version. */
export function createServedResources(entries: readonly ResourceEntry[]): ServedResources {
  const resources = entries.flatMap((entry) => entry.versions.map((version) => servedResource(entry, version)));
  const byPath = new Map(resources.map((one) => [pathOf(one.group, one.version.version, one.entry.plural), one]));
  const names = [...new Set(resources.map(({ group }) => group))].sort((a, b) => rankOf(a) - rankOf(b));
  const groups = names.map((group) => ({
    group,
    versions: versionsOf(resources.filter((one) => one.group === group)),
  }));
  return { find: (group, version, plural) => byPath.get(pathOf(group, version, plural)), groups };
}

/** `apps/v1`; the core group has no slash. */
export function groupVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
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

/** Compares by Kubernetes' version priority: stable before beta before alpha, then the higher number first: v2, v1, v1beta2, v1beta1, v1alpha1. */
function compareVersions(a: string, b: string): number {
  const [stabilityA, majorA, minorA] = versionRank(a);
  const [stabilityB, majorB, minorB] = versionRank(b);
  return stabilityB - stabilityA || majorB - majorA || minorB - minorA;
}

function versionRank(version: string): [number, number, number] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!match) return [-1, 0, 0];
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
}
