import { createHash } from 'node:crypto';
import type { ResourceEntry } from '../../registry/ResourceEntry.ts';
import { groupVersionOf } from '../../registry/versions/convertVersion.ts';
import type { ServedGroup, ServedResource } from '../ServedGroup.ts';

/** A subresource, as both forms of discovery describe it. */
export interface DiscoveredSubresource {
  /** The part after the slash: `scale` for `deployments/scale`. */
  readonly name: string;
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly verbs: readonly string[];
}

const STATUS_VERBS = ['get', 'patch', 'update'];

/** The subresources of pods that clients create. */
const CREATED_FOR_PODS: readonly DiscoveredSubresource[] = [
  { name: 'binding', kind: 'Binding', group: '', version: 'v1', verbs: ['create'] },
  { name: 'eviction', kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
];

/** `/api`: the versions of the core group. */
export function apiVersions(host: string): object {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: host }],
  };
}

/** `/apis`: all groups except the core group. */
export function apiGroupList(served: readonly ServedGroup[]): object {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: served.filter(({ group }) => group !== '').map(groupDocument),
  };
}

/** `/apis/apps`, or `undefined` for a group that is not served. */
export function apiGroup(served: readonly ServedGroup[], name: string): object | undefined {
  const group = served.find((one) => one.group === name && name !== '');
  return group && { kind: 'APIGroup', apiVersion: 'v1', ...groupDocument(group) };
}

/** `/api/v1`, `/apis/apps/v1`, or `undefined` for a version that is not served. */
export function apiResourceList(served: readonly ServedGroup[], group: string, version: string): object | undefined {
  const found = served.find((one) => one.group === group)?.versions.find((one) => one.version === version);
  return (
    found && {
      kind: 'APIResourceList',
      ...(group !== '' && { apiVersion: 'v1' }),
      groupVersion: groupVersionOf(group, version),
      resources: found.resources.flatMap(resourceDocuments),
    }
  );
}

/** The subresources of a resource that discovery lists. */
export function subresourcesOf({ entry, group, version }: ServedResource): DiscoveredSubresource[] {
  const own = { kind: entry.kind, group, version: version.version };
  const { scale } = entry;
  return [
    ...(entry.groupResource === 'namespaces' ? [{ ...own, name: 'finalize', verbs: ['update'] }] : []),
    ...[
      ...(entry.groupResource === 'pods' ? CREATED_FOR_PODS : []),
      ...Object.keys(entry.strategy.parts ?? {}).map((name) => ({ ...own, name, verbs: STATUS_VERBS })),
    ].sort((a, b) => (a.name < b.name ? -1 : 1)),
    ...(entry.groupResource === 'serviceaccounts'
      ? [{ name: 'token', kind: 'TokenRequest', group: 'authentication.k8s.io', version: 'v1', verbs: ['create'] }]
      : []),
    ...Object.entries(entry.actions ?? {}).map(([name, { kind }]) => ({ ...own, name, kind, verbs: ['create'] })),
    ...(entry.custom && entry.status ? [{ ...own, name: 'status', verbs: STATUS_VERBS }] : []),
    ...(scale
      ? [{ name: 'scale', kind: scale.kind, group: scale.group, version: scale.version, verbs: STATUS_VERBS }]
      : []),
    ...(entry.approval ? [{ ...own, name: 'approval', verbs: STATUS_VERBS }] : []),
    ...(entry.status && !entry.custom ? [{ ...own, name: 'status', verbs: STATUS_VERBS }] : []),
  ];
}

/** The short names and categories of a resource, where it has any. */
export function aliasesOf({ entry }: ServedResource): Pick<ResourceEntry, 'shortNames' | 'categories'> {
  return {
    ...(entry.shortNames && { shortNames: entry.shortNames }),
    ...(entry.categories && { categories: entry.categories }),
  };
}

/** Of a custom resource, Kubernetes lists the verbs in an order of its own, and those that still work while its definition is being deleted. */
const CUSTOM_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const TERMINATING_VERBS = ['delete', 'deletecollection', 'get', 'list', 'watch'];

/** The verbs in alphabetical order, as in Kubernetes' discovery. */
export function sortedVerbs({ verbs, custom }: ResourceEntry): string[] {
  if (custom)
    return (custom.isTerminating ? TERMINATING_VERBS : CUSTOM_VERBS).filter((verb) =>
      (verbs as string[]).includes(verb),
    );
  return [...verbs].sort();
}

/** Lets clients notice that objects are stored in another version: the first bytes of a hash over the group, version and kind. */
function storageVersionHash({ group, storageVersion, kind }: ResourceEntry): string {
  return createHash('sha256').update(`${group}/${storageVersion}/${kind}`).digest().subarray(0, 8).toString('base64');
}

function groupDocument({ group, versions }: ServedGroup) {
  const documents = versions.map(({ version }) => ({ groupVersion: groupVersionOf(group, version), version }));
  return { name: group, versions: documents, preferredVersion: documents[0] };
}

function resourceDocuments(resource: ServedResource): object[] {
  const { entry } = resource;
  const own = {
    name: entry.plural,
    singularName: entry.singular,
    namespaced: entry.namespaced,
    kind: entry.kind,
    verbs: sortedVerbs(entry),
    ...aliasesOf(resource),
    ...(!entry.virtual && { storageVersionHash: storageVersionHash(entry) }),
  };
  return [own, ...subresourcesOf(resource).map((subresource) => subresourceDocument(resource, subresource))];
}

/** Describes a subresource. Its group and version are given only if they differ from the list's. */
function subresourceDocument({ entry, group, version }: ServedResource, subresource: DiscoveredSubresource): object {
  const foreign = subresource.group !== group || subresource.version !== version.version;
  return {
    name: `${entry.plural}/${subresource.name}`,
    singularName: '',
    namespaced: entry.namespaced,
    ...(foreign && { group: subresource.group, version: subresource.version }),
    kind: subresource.kind,
    verbs: subresource.verbs,
  };
}
