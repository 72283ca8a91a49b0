import type { GroupResource } from '../../../objects/ObjectKey.ts';
import type { ReadVersion } from '../../../ports/ChangeLog.ts';
import type { Clock } from '../../../ports/Clock.ts';
import type { ListedObject, ListOptions, ObjectListing } from '../../../ports/ObjectStore.ts';
import { droppable, type Tombstone } from './dropTombstones.ts';
import type { KnownNamespace, KnownNamespaces } from './KnownNamespaces.ts';
import type { ObjectQueries, RangePage } from './ObjectQueries.ts';
import { indexedResource } from './objectItem.ts';
import { type ObjectRange, objectRanges } from './objectRanges.ts';
import { mergeRanges, RangeReader } from './RangeReader.ts';

export interface ListParts {
  readonly queries: ObjectQueries;
  readonly namespaces: KnownNamespaces;
  readonly clock: Clock;
  readonly dropTombstones: (tombstones: readonly Tombstone[]) => Promise<void>;
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
): Promise<ObjectListing> {
  const { after, limit = Number.POSITIVE_INFINITY } = options;
  const namespaces = await namespacesToRead(parts, resource, options);
  const items: ListedObject[] = [];
  const tombstones: Tombstone[] = [];
  const ended: ReadVersion[] = [];
  const concurrency = Number.isFinite(limit) ? 1 : CONCURRENCY;
  for (let at = 0; at < namespaces.length && items.length <= limit; at += concurrency) {
    const reads = namespaces.slice(at, at + concurrency).map((known) => {
      const from = known.namespace === after?.namespace ? after.name : undefined;
      return readNamespace(parts, resource, known, options, { after: from, wanted: limit - items.length });
    });
    for (const read of await Promise.all(reads)) {
      for (const object of read.objects) items.push(object);
      for (const one of read.tombstones) tombstones.push(one);
      for (const one of read.ended) ended.push(one);
    }
  }
  const more = items.length > limit;
  return { items: more ? items.slice(0, limit) : items, more, ...listedRemovals(parts, tombstones, ended) };
}

/** A tombstone of a burned UID is no removal: it has no version. */
function listedRemovals(
  { clock, dropTombstones }: ListParts,
  tombstones: readonly Tombstone[],
  ended: readonly ReadVersion[],
): Pick<ObjectListing, 'removed' | 'dropTombstones'> {
  const removed = [...tombstones.filter(({ version }) => version > 0), ...ended];
  const old = droppable(tombstones, clock.now());
  return {
    ...(removed.length > 0 && { removed }),
    ...(old.length > 0 && { dropTombstones: () => dropTombstones(old) }),
  };
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

/** Returns false if the namespace is known to have no entries in the indexes that the ranges are in. */
async function hasIndexEntries(
  namespaces: KnownNamespaces,
  resource: GroupResource,
  namespace: string,
  ranges: readonly ObjectRange[],
): Promise<boolean> {
  const indexed = indexedResource(resource);
  return indexed === undefined || ranges.every(({ by }) => by === 'name') || (await namespaces.has(indexed, namespace));
}

/** Returns up to one object more than is wanted, which shows that there are more. */
async function readNamespace(
  { queries, namespaces }: ListParts,
  resource: GroupResource,
  known: KnownNamespace & { readonly listed?: boolean },
  { index }: ListOptions,
  { after, wanted }: { readonly after: string | undefined; readonly wanted: number },
): Promise<Pick<RangePage, 'objects' | 'tombstones' | 'ended'>> {
  const all = objectRanges(resource, known.namespace, { ...(index && { index }), after });
  const ranges = (await hasIndexEntries(namespaces, resource, known.namespace, all))
    ? all
    : all.filter(({ by }) => by === 'name');
  // Names are spread evenly, so a little more than its share of each range is usually enough.
  const pageSize = ranges.length === 1 ? wanted + 1 : Math.ceil((wanted * 1.25) / ranges.length) + SPARE;
  const readers = ranges.map((range) => new RangeReader(queries.pages(range, pageSize)));
  const objects = await mergeRanges(readers, wanted);
  const isEmpty = !index && after === undefined && readers.every((reader) => reader.isEmpty);
  if (isEmpty && known.listed) await namespaces.noteEmpty(resource, known);
  const tombstones = readers.flatMap((reader) => reader.tombstones);
  return { objects, tombstones, ended: readers.flatMap((reader) => reader.ended) };
}
