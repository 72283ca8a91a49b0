import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { ListOptions, ObjectList } from '../../ports/ObjectStore.ts';
import type { KnownNamespace, KnownNamespaces } from './KnownNamespaces.ts';
import type { ObjectQueries, RangePage } from './ObjectQueries.ts';
import { objectRanges } from './objectRanges.ts';
import { mergeRanges, RangeReader } from './RangeReader.ts';
import type { UnloggedVersions } from './UnloggedVersions.ts';

export interface ListParts {
  readonly queries: ObjectQueries;
  readonly namespaces: KnownNamespaces;
  readonly unlogged: UnloggedVersions | undefined;
}

/** How many namespaces an unlimited list reads at the same time. */
const CONCURRENCY = 8;
/** How many objects more than its share are read from each of several ranges. */
const SPARE = 4;

/** Lists objects by namespace and name. A list over all namespaces makes one strong query for each partition of each namespace that may hold objects. */
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
  const ranges = objectRanges(resource, known.namespace, { ...(index && { index }), after });
  // Names are spread evenly, so a little more than its share of each range is usually enough.
  const pageSize = ranges.length === 1 ? wanted + 1 : Math.ceil((wanted * 1.25) / ranges.length) + SPARE;
  const readers = ranges.map((range) => new RangeReader(noted(queries.pages(range, pageSize))));
  const objects = await mergeRanges(readers, wanted);
  const isEmpty = !index && after === undefined && readers.every((reader) => reader.isEmpty);
  if (isEmpty && known.listed) await namespaces.noteEmpty(resource, known);
  return objects;

  async function* noted(pages: AsyncGenerator<RangePage>): AsyncGenerator<RangePage> {
    for await (const page of pages) {
      for (const version of page.versions) unlogged?.note(resource, version);
      yield page;
    }
  }
}
