import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { ApiDependencies } from '../request/ResourceRequest.ts';

/** A stretch of a resource's objects in the order of lists. */
export interface ListQuery {
  readonly resource: GroupResource;
  /** Absent: all of them. */
  readonly namespace: string | undefined;
  readonly matches: (object: KubernetesObject) => boolean;
  /** 0: no limit. */
  readonly limit: number;
  readonly after: { readonly namespace: string; readonly name: string } | undefined;
}

export interface ListPage {
  readonly items: readonly KubernetesObject[];
  /** From which a watch misses nothing that these items do not show. */
  readonly position: number;
  /** The last object that was looked at, if there may be more behind it. */
  readonly last?: { readonly namespace: string; readonly name: string };
}

interface TableRead {
  readonly items: KubernetesObject[];
  readonly maxVersion: number;
  readonly last?: { readonly namespace: string; readonly name: string };
}

/** How often a list begins again when the log did, before it gives up. */
const ATTEMPTS = 3;

/**
 * Reads what stands in the table now. The log's head is read first and the log is followed up to every version read, so that a table read piece by
 * piece, while others write, becomes the state at one position: whoever watches from there loses nothing and never goes back.
 *
 * `expired`: the log does not hold what the table does, though it was waited for until `signal` was aborted.
 */
export async function readLatest(
  { registry, changeLog }: ApiDependencies,
  query: ListQuery,
  signal: AbortSignal,
): Promise<ListPage | 'expired'> {
  for (let attempt = 0; attempt < ATTEMPTS && !signal.aborted; attempt++) {
    const head = await changeLog.head(query.resource);
    const table = await readTable(registry, query);
    const position = await changeLog.reached(query.resource, Math.max(head, table.maxVersion), signal);
    const log = position === 'expired' ? position : await readLog(changeLog, query.resource, head, position, signal);
    if (log === 'expired') continue;
    return { ...pageOf({ ...table, items: bringForward(table, log.changes, query) }), position: log.position };
  }
  return 'expired';
}

/**
 * Reads the state at `position`: what stands in the table now, less what the log says was changed since. `expired` if the log no longer
 * knows all that.
 */
export async function readAt(
  { registry, changeLog }: ApiDependencies,
  query: ListQuery,
  position: number,
  signal: AbortSignal,
): Promise<ListPage | 'expired'> {
  const table = await readTable(registry, { ...query, matches: () => true });
  const head = Math.max(await changeLog.head(query.resource), table.maxVersion);
  const reached = head <= position ? position : await changeLog.reached(query.resource, head, signal);
  if (reached === 'expired') return reached;
  const log = await readLog(changeLog, query.resource, position, reached, signal);
  if (log === 'expired') return log;
  return { ...pageOf({ ...table, items: bringBack(table, log.changes, query) }), position };
}

function pageOf({ items, last }: TableRead): Omit<ListPage, 'position'> {
  return { items, ...(last && { last }) };
}

async function readTable(registry: ApiDependencies['registry'], query: ListQuery): Promise<TableRead> {
  const items: KubernetesObject[] = [];
  let maxVersion = 0;
  let after = query.after;
  while (true) {
    const missing = query.limit - items.length;
    const page = await registry.list(query.resource, {
      ...(query.namespace !== undefined && { namespace: query.namespace }),
      ...(query.limit > 0 && { limit: missing }),
      ...(after && { after }),
    });
    for (const object of page.items) {
      maxVersion = Math.max(maxVersion, Number(object.metadata.resourceVersion));
      if (query.matches(object)) items.push(object);
    }
    const end = page.items.at(-1);
    if (!page.more || !end) return { items, maxVersion };
    after = placeOf(end);
    if (query.limit > 0 && items.length >= query.limit) return { items, maxVersion, last: after };
  }
}

/** The changes after `from`, at least up to `to`, and the position behind them. */
async function readLog(
  changeLog: ApiDependencies['changeLog'],
  resource: GroupResource,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<{ readonly changes: readonly Change[]; readonly position: number } | 'expired'> {
  if (to <= from) return { changes: [], position: from };
  const opened = await changeLog.open(resource, from, signal);
  if (opened.status !== 'open') return 'expired';
  const changes: Change[] = [];
  try {
    while (opened.cursor.position < to) {
      const more = await opened.cursor.next(signal);
      if (more === 'expired' || more.length === 0) return 'expired';
      changes.push(...more);
    }
    return { changes, position: opened.cursor.position };
  } finally {
    opened.cursor.close();
  }
}

/** What was read, with later changes applied. An object's own version decides what is later: a change may be older than what was read of it. */
function bringForward(table: TableRead, changes: readonly Change[], query: ListQuery): KubernetesObject[] {
  const items = new Map(table.items.map((item) => [sortKey(item), item]));
  const versions = new Map(table.items.map((item) => [sortKey(item), Number(item.metadata.resourceVersion)]));
  for (const change of changes) {
    const key = sortKey(subjectOf(change));
    if (!isInside(change, table, query) || change.version <= (versions.get(key) ?? 0)) continue;
    versions.set(key, change.version);
    if (change.after && query.matches(change.after)) items.set(key, change.after);
    else items.delete(key);
  }
  return inOrder(items);
}

/** What was read, with changes undone: an object was, at that position, what its first change since found. */
function bringBack(table: TableRead, changes: readonly Change[], query: ListQuery): KubernetesObject[] {
  const items = new Map(table.items.map((item) => [sortKey(item), item]));
  const undone = new Set<string>();
  for (const change of changes) {
    const key = sortKey(subjectOf(change));
    if (!isInside(change, table, query) || undone.has(key)) continue;
    undone.add(key);
    if (change.before) items.set(key, change.before);
    else items.delete(key);
  }
  return inOrder(items).filter(query.matches);
}

function isInside(change: Change, table: TableRead, query: ListQuery): boolean {
  const subject = subjectOf(change);
  if (query.namespace !== undefined && subject.metadata.namespace !== query.namespace) return false;
  const key = sortKey(subject);
  if (query.after && key <= placeKey(query.after)) return false;
  return !table.last || key <= placeKey(table.last);
}

function inOrder(items: Map<string, KubernetesObject>): KubernetesObject[] {
  return [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

function placeOf(object: KubernetesObject) {
  return { namespace: object.metadata.namespace ?? '', name: object.metadata.name };
}

function sortKey(object: KubernetesObject): string {
  return placeKey(placeOf(object));
}

/** Sorts as lists do, by namespace, then name: no name contains the character between them. */
function placeKey({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}\u0000${name}`;
}
