import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { type Change, type ReadVersion, subjectOf } from '../../ports/ChangeLog.ts';
import { listed, type ListedObject, type ListOptions, type ObjectListing } from '../../ports/ObjectStore.ts';
import { placeKey } from './LaterPages.ts';
import type { ApiDependencies } from '../request/ResourceRequest.ts';

/** The objects of a resource to read, in list order: by namespace, then name. */
export interface ListQuery {
  readonly resource: GroupResource;
  /** Absent: all namespaces. */
  readonly namespace: string | undefined;
  /** Absent: all objects. */
  readonly matches?: ((object: KubernetesObject) => boolean) | undefined;
  /** 0 means no limit. */
  readonly limit: number;
  readonly after: { readonly namespace: string; readonly name: string } | undefined;
}

export interface ListPage {
  readonly items: readonly ListedObject[];
  /** The change log position that the items show: a watch from here misses nothing. */
  readonly position: number;
  /** The last object that was read, if there may be more after it. */
  readonly last?: { readonly namespace: string; readonly name: string };
  /** How many objects follow the page; absent for the last page, for a selection, and if nobody has counted them. */
  readonly remaining?: number | undefined;
}

interface TableRead {
  readonly items: ListedObject[];
  /** What was read, including what the query does not select, and removals. */
  readonly reads: readonly ReadVersion[];
  /** See `ObjectList.dropTombstones`. */
  readonly drops: readonly (() => Promise<void>)[];
  readonly last?: { readonly namespace: string; readonly name: string };
  readonly remaining?: number | undefined;
}

/** The number of times that a list is read if the log expires meanwhile. */
const ATTEMPTS = 3;

/**
 * Reads the current state. The table is read in several pieces while others write, so the result must be brought to one position: the log's head is read
 * first, then the log is followed until it holds what was read, and its changes are applied. A watch from that position loses nothing and never goes back.
 *
 * Later pages are at this page's position. So that they too show all that was written before, the first page also reads their objects, unless the log holds every write anyway. It keeps them for the later pages; if
 * another process answers those, a list of several pages costs two reads of the table.
 *
 * Returns `expired` if `signal` was aborted before.
 */
export async function readLatest(
  { registry, changeLog, laterPages, heldLists }: ApiDependencies,
  query: ListQuery,
  signal: AbortSignal,
): Promise<ListPage | 'expired'> {
  for (let attempt = 0; attempt < ATTEMPTS && !signal.aborted; attempt++) {
    const head = await changeLog.head(query.resource);
    const table = await readTable(registry, query);
    const rest = table.last && !changeLog.isNeverBehind && (await readTable(registry, restOf(query, table.last)));
    const reads = rest ? [...table.reads, ...rest.reads] : table.reads;
    const log = await changeLog.catchUp(query.resource, head, reads, signal, scopeOf(query));
    if (log === 'expired') continue;
    const drops = rest ? [...table.drops, ...rest.drops] : table.drops;
    if (log.holdsReads && drops.length > 0 && heldLists?.mayDropTombstones(query.resource, query.namespace))
      // No list fails because tombstones stay. They are met again.
      await Promise.allSettled(drops.map((drop) => drop()));
    if (rest && table.last) {
      const items = applyChanges(rest, log.changes, restOf(query, table.last));
      laterPages?.keep({ ...query, position: log.position }, placeKey(table.last), items);
    }
    const remaining = query.matches ? undefined : rest ? rest.items.length : table.remaining;
    return {
      ...pageOf({ ...table, items: applyChanges(table, log.changes, query), remaining }),
      position: log.position,
    };
  }
  return 'expired';
}

/**
 * Reads the state at `position`: the table as it is now, with all changes since then undone. Returns `expired` if the log no longer holds all those
 * changes, or left out some of them for another list.
 */
export async function readAt(
  { registry, changeLog, laterPages }: ApiDependencies,
  query: ListQuery,
  position: number,
  signal: AbortSignal,
): Promise<ListPage | 'expired'> {
  const kept = query.after && laterPages?.after({ ...query, position }, placeKey(query.after));
  if (kept) return { ...pageOfKept(kept, query), position };
  const whole = await readTable(registry, { ...query, matches: undefined });
  const table = query.matches ? { ...whole, remaining: undefined } : whole;
  const changes = await changeLog.changesSince(query.resource, position, table.reads, signal, scopeOf(query));
  if (changes === 'expired' || changes.some((change) => change.merged && change.version > position)) return 'expired';
  return { ...pageOf({ ...table, items: undoChanges(table, changes, query) }), position };
}

/** The query for all objects after the first page, whatever they are. */
function restOf(query: ListQuery, after: NonNullable<TableRead['last']>): ListQuery {
  return { ...query, after, limit: 0, matches: undefined };
}

/** Returns the page with the first of the kept objects. */
function pageOfKept(kept: readonly ListedObject[], query: ListQuery): Omit<ListPage, 'position'> {
  const items: ListedObject[] = [];
  for (const [at, object] of kept.entries()) {
    if (isSelected(query, object)) items.push(object);
    const isFull = query.limit > 0 && items.length === query.limit;
    const remaining = kept.length - 1 - at;
    if (isFull && remaining > 0) return pageOf({ items, last: placeOf(object), ...(!query.matches && { remaining }) });
  }
  return { items };
}

function pageOf({ items, last, remaining }: Omit<TableRead, 'reads' | 'drops'>): Omit<ListPage, 'position'> {
  return { items, ...(last && { last, ...(remaining !== undefined && { remaining }) }) };
}

async function readTable(registry: ApiDependencies['registry'], query: ListQuery): Promise<TableRead> {
  const items: ListedObject[] = [];
  const reads: ReadVersion[] = [];
  const drops: (() => Promise<void>)[] = [];
  let after = query.after;
  while (true) {
    const missing = query.limit - items.length;
    const page = await listEncoded(registry, query.resource, {
      ...(query.namespace !== undefined && { namespace: query.namespace }),
      ...(query.limit > 0 && { limit: missing }),
      ...(after && { after }),
    });
    for (const object of page.items) {
      reads.push({ ...placeOf(object), version: object.version });
      if (isSelected(query, object)) items.push(object);
    }
    for (const removal of page.removed ?? []) reads.push(removal);
    if (page.dropTombstones) drops.push(page.dropTombstones);
    const end = page.items.at(-1);
    if (!page.more || !end) return { items, reads, drops };
    after = placeOf(end);
    if (query.limit > 0 && items.length >= query.limit)
      return { items, reads, drops, last: after, ...(!query.matches && { remaining: page.remaining }) };
  }
}

/** The items stay encoded if the registry can do that: a list of 20,000 pods takes 30 MB then instead of 150. */
async function listEncoded(
  registry: ApiDependencies['registry'],
  resource: GroupResource,
  options: ListOptions,
): Promise<ObjectListing> {
  if (registry.listEncoded) return await registry.listEncoded(resource, options);
  const { items, ...rest } = await registry.list(resource, options);
  return { ...rest, items: items.map(listed) };
}

function isSelected({ matches }: ListQuery, object: ListedObject): boolean {
  return matches === undefined || matches(object.load());
}

/** The items with later changes applied. */
function applyChanges(table: TableRead, changes: readonly Change[], query: ListQuery): ListedObject[] {
  // The table is read in the order of lists.
  if (changes.length === 0) return table.items;
  const items = new Map(table.items.map((item) => [placeKey(item), item]));
  for (const change of changes) {
    const key = placeKey(listed(subjectOf(change)));
    if (!isInside(change, table, query)) continue;
    const after = change.after && listed(change.after);
    if (after && isSelected(query, after)) items.set(key, after);
    else items.delete(key);
  }
  return inOrder(items);
}

/**
 * The items with changes undone: at that position, an object had the state before the first change since then. A merged change is one that a list had shown when the
 * position was reached, so its object had the state after it.
 */
function undoChanges(table: TableRead, changes: readonly Change[], query: ListQuery): ListedObject[] {
  const items = new Map(table.items.map((item) => [placeKey(item), item]));
  const undone = new Set<string>();
  for (const change of changes) {
    const key = placeKey(listed(subjectOf(change)));
    if (!isInside(change, table, query) || undone.has(key)) continue;
    undone.add(key);
    const then = change.merged ? change.after : change.before;
    if (then) items.set(key, listed(then));
    else items.delete(key);
  }
  return inOrder(items).filter((object) => isSelected(query, object));
}

function isInside(change: Change, table: TableRead, query: ListQuery): boolean {
  const subject = subjectOf(change);
  if (query.namespace !== undefined && subject.metadata.namespace !== query.namespace) return false;
  const key = placeKey(listed(subject));
  if (query.after && key <= placeKey(query.after)) return false;
  return !table.last || key <= placeKey(table.last);
}

function inOrder(items: Map<string, ListedObject>): ListedObject[] {
  return [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

function scopeOf({ namespace }: ListQuery) {
  return namespace === undefined ? {} : { namespace };
}

function placeOf({ namespace, name }: ListedObject) {
  return { namespace, name };
}
