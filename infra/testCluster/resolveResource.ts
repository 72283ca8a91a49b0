import type { ResourceEntry } from '../../lambdas/registry/ResourceEntry.ts';

/** The object that a key names, and its path in the API. */
export interface ResolvedKey {
  readonly entry: ResourceEntry;
  readonly namespace: string;
  readonly name: string;
  /** `/apis/apps/v1/namespaces/default/deployments/web` */
  readonly path: string;
}

/**
 * Finds a resource by any of the names that kubectl accepts: `deployments`, `deployment`, `deploy`, `Deployment`, `deployments.apps`. Throws a TypeError if there is
 * none. Pure.
 */
export function resolveResource(entries: readonly ResourceEntry[], name: string): ResourceEntry {
  const wanted = name.toLowerCase();
  const [short = '', ...group] = wanted.split('.');
  const found = entries.find(
    (entry) =>
      [entry.plural, entry.singular, entry.kind.toLowerCase(), ...(entry.shortNames ?? [])].includes(short) &&
      (group.length === 0 || entry.group === group.join('.')),
  );
  if (!found) throw new TypeError(`there is no resource ${JSON.stringify(name)}`);
  return found;
}

/** Resolves a key: `deployment/default/web`, `deployment/web` (in `inNamespace`), `node/driftless-node-1`. Throws a TypeError for an invalid key. Pure. */
export function resolveKey(entries: readonly ResourceEntry[], key: string, inNamespace = 'default'): ResolvedKey {
  const parts = key.split('/');
  const entry = resolveResource(entries, parts[0] ?? '');
  const form = entry.namespaced ? `${entry.singular}/NAMESPACE/NAME` : `${entry.singular}/NAME`;
  const isWhole = parts.length === 2 || (parts.length === 3 && entry.namespaced);
  if (!isWhole || parts.includes('')) throw new TypeError(`${JSON.stringify(key)} must have the form ${form}`);
  const name = parts.at(-1) ?? '';
  const namespace = entry.namespaced ? (parts.length === 3 ? (parts[1] ?? '') : inNamespace) : '';
  return { entry, namespace, name, path: `${collectionPath(entry, namespace)}/${encodeURIComponent(name)}` };
}

/** Returns the path of the resource's list in one namespace or, for `''`, in all. Pure. */
export function collectionPath(
  { group, storageVersion, versions, custom, plural, namespaced }: ResourceEntry,
  namespace: string,
): string {
  // A custom resource may be stored in a version that is not served.
  const version = custom ? (versions[0]?.version ?? storageVersion) : storageVersion;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${scope}/${plural}`;
}
