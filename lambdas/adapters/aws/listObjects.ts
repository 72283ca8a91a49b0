import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { ListOptions, ObjectList } from '../../ports/ObjectStore.ts';
import type { KnownNamespace, KnownNamespaces } from './KnownNamespaces.ts';
import type { ObjectQueries } from './ObjectQueries.ts';
import type { UnloggedVersions } from './UnloggedVersions.ts';

export interface ListParts {
  readonly queries: ObjectQueries;
  readonly namespaces: KnownNamespaces;
  readonly unlogged: UnloggedVersions | undefined;
}

/** How many namespaces an unlimited list reads at the same time. */
const CONCURRENCY = 8;

/** Lists objects by namespace and name. A list over all namespaces makes one strong query for each namespace that may hold objects. */
export async function listObjects(
  parts: ListParts,
  resource: GroupResource,
  options: ListOptions,
): Promise<ObjectList<KubernetesObject>> {
  const { after, limit = Number.POSITIVE_INFINITY } = options;
  const namespaces = await namespacesToRead(parts, resource, options);
  const items: KubernetesObject[] = [];
  const concurrency = Number.isFinite(limit) ? 1 : CONCURRENCY;
  for (let at = 0; at < namespaces.length && items.length <= limit; at += concurrency) {
    const reads = namespaces.slice(at, at + concurrency).map((known) => {
      const from = known.namespace === after?.namespace ? after.name : undefined;
      return readNamespace(parts, resource, known, options, { after: from, wanted: limit - items.length });
    });
    for (const objects of await Promise.all(reads)) for (const object of objects) items.push(object);
  }
  return items.length > limit ? { items: items.slice(0, limit), more: true } : { items, more: false };
}

async function namespacesToRead(
  { namespaces }: ListParts,
  resource: GroupResource,
  { namespace, after }: ListOptions,
): Promise<readonly (KnownNamespace & { readonly listed?: boolean })[]> {
  const all =
    namespace === undefined
      ? (await namespaces.list(resource)).map((known) => ({ ...known, listed: true }))
      : [{ namespace }];
  return all.filter((known) => !after || known.namespace >= after.namespace);
}

/** Returns up to one object more than is wanted, which shows that there are more. */
async function readNamespace(
  { queries, namespaces, unlogged }: ListParts,
  resource: GroupResource,
  known: KnownNamespace & { readonly listed?: boolean },
  { index }: ListOptions,
  { after, wanted }: { readonly after: string | undefined; readonly wanted: number },
): Promise<readonly KubernetesObject[]> {
  const objects: KubernetesObject[] = [];
  let isEmpty = index === undefined && after === undefined;
  for await (const page of queries.pages({ resource, namespace: known.namespace, index, after, wanted })) {
    for (const version of page.versions) unlogged?.note(resource, version);
    for (const object of page.objects) objects.push(object);
    isEmpty &&= page.versions.length === 0;
    if (objects.length > wanted) break;
  }
  if (isEmpty && known.listed) await namespaces.noteEmpty(resource, known);
  return objects;
}
