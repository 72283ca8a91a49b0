import type { ResourceEntry } from '../../lambdas/registry/ResourceEntry.ts';

/** An object's place: `path` is where the API serves it. */
export interface ResolvedKey {
  readonly entry: ResourceEntry;
  readonly namespace: string;
  readonly name: string;
  /** `/apis/apps/v1/namespaces/default/deployments/web` */
  readonly path: string;
}

/**
 * The resource by any of its names, as kubectl knows it: `deployments`, `deployment`, `deploy`, `Deployment`, `deployments.apps`. Throws a TypeError for what is
 * not served. Pure.
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

/** `deployment/default/web`; `deployment/web` is in namespace `default`; `node/driftless-node-1`. Throws a TypeError for a text that is no key. Pure. */
export function resolveKey(entries: readonly ResourceEntry[], key: string): ResolvedKey {
  const parts = key.split('/');
  const entry = resolveResource(entries, parts[0] ?? '');
  const form = entry.namespaced ? `${entry.singular}/NAMESPACE/NAME` : `${entry.singular}/NAME`;
  const isWhole = parts.length === 2 || (parts.length === 3 && entry.namespaced);
  if (!isWhole || parts.includes('')) throw new TypeError(`${JSON.stringify(key)} must have the form ${form}`);
  const name = parts.at(-1) ?? '';
  const namespace = entry.namespaced ? (parts.length === 3 ? (parts[1] ?? '') : 'default') : '';
  return { entry, namespace, name, path: `${collectionPath(entry, namespace)}/${encodeURIComponent(name)}` };
}

/** Where the API lists the resource: in one namespace, or, for `''`, in all. Pure. */
export function collectionPath(
  { group, storageVersion, plural, namespaced }: ResourceEntry,
  namespace: string,
): string {
  const root = group === '' ? `/api/${storageVersion}` : `/apis/${group}/${storageVersion}`;
  const scope = namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${scope}/${plural}`;
}
