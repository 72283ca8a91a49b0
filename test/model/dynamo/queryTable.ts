import { DYNAMODB } from '../publishedLimits.ts';
import type { Item } from './attributeValues.ts';
import { unitsOfRead } from './capacityUnits.ts';
import type { DynamoTable } from './DynamoTable.ts';
import type { KeyRange } from './keyRange.ts';
import { hashOf } from './Partitions.ts';
import { type Bound, type Entry, SortedEntries, type SortKey } from './SortedEntries.ts';
import { validationError } from './serviceErrors.ts';
import { type Shape, sortKeyOf } from './TableShape.ts';
import type { TableWorld } from './TableWorld.ts';

export interface QueryRequest {
  /** The table or the index that is read. */
  readonly shape: Shape;
  readonly range: KeyRange;
  readonly isForward: boolean;
  readonly isStrong: boolean;
  readonly limit: number;
  readonly startAfter: Item | undefined;
}

export interface QueryPage {
  readonly items: readonly Item[];
  /** The key from which the next page begins; absent if the range was read to its end. */
  readonly lastKey: Item | undefined;
  readonly readUnits: number;
}

/** Reads one page of a range. It ends before the entry that would make it larger than a megabyte, or at the limit. */
export function queryTable(table: DynamoTable, world: TableWorld, request: QueryRequest): QueryPage {
  const { shape, range, isStrong, limit } = request;
  const source = openSource(table, world, request);
  const items: Item[] = [];
  let bytes = 0;
  let isComplete = true;
  for (const entry of source.entries(...boundsOf(table, range, request))) {
    if (bytes + entry.bytes > DYNAMODB.pageBytes && items.length > 0) {
      isComplete = false;
      break;
    }
    items.push(entry.item);
    bytes += entry.bytes;
    if (items.length >= limit) {
      isComplete = false;
      break;
    }
  }
  const readUnits = unitsOfRead(bytes, isStrong);
  source.charge(readUnits);
  const last = items.at(-1);
  return { items, lastKey: isComplete || !last ? undefined : keyIn(table, shape, last), readUnits };
}

interface Source {
  readonly entries: (from: Bound | undefined, to: Bound | undefined) => Iterable<Entry>;
  readonly charge: (readUnits: number) => void;
}

function openSource(
  table: DynamoTable,
  world: TableWorld,
  { shape, range, isForward, isStrong }: QueryRequest,
): Source {
  const global = shape.index === undefined ? undefined : table.globalIndex(shape.index);
  if (global) {
    if (isStrong) throw validationError('Consistent reads are not supported on global secondary indexes');
    const partition = global.admitRead(range.hash, 'query');
    const entries = global.entries(range.hash);
    return {
      entries: (from, to) => entries?.between(from, to, isForward) ?? [],
      charge: (units) => {
        global.partitions.take(partition, 'read', units);
        const row = world.usage.row(table.name, shape.index, 'query');
        row.calls += 1;
        row.readUnits += units;
      },
    };
  }
  const collection = table.collection(range.hash);
  const partition = table.admit('read', 'query', collection?.hash ?? hashOf(range.hash));
  const place = table.shape.local.indexOf(shape);
  const entries = place < 0 ? collection?.entries : collection?.local[place];
  const staleFromMs = isStrong ? undefined : world.staleFromMs();
  // Nobody promises a snapshot: each item that has changed since may be the old or the new one.
  const isOld = () => world.chance(0.7);
  const past = staleFromMs === undefined ? undefined : collection?.history?.differencesAt(staleFromMs, isOld);
  return {
    entries: (from, to) => {
      const present = entries?.between(from, to, isForward) ?? [];
      return past && past.size > 0 ? inThePast(present, past, place, from, to, isForward) : present;
    },
    charge: (units) => table.charge('read', 'query', partition, units, shape.index),
  };
}

/** Yields the entries as they were: those that have changed since are replaced by what they were then. */
function* inThePast(
  present: Iterable<Entry>,
  past: ReadonlyMap<SortKey, Entry | undefined>,
  place: number,
  from: Bound | undefined,
  to: Bound | undefined,
  isForward: boolean,
): Generator<Entry> {
  const old = new SortedEntries();
  for (const entry of past.values()) {
    const indexed = place < 0 ? entry : entry?.indexed?.[place];
    if (indexed) old.set(indexed);
  }
  const olds = [...old.between(from, to, isForward)];
  const sign = isForward ? 1 : -1;
  for (const entry of present) {
    if (past.has(place < 0 ? entry.key : entry.tie)) continue;
    for (let next = olds[0]; next && sign * compareEntries(next, entry) < 0; next = olds[0]) {
      olds.shift();
      yield next;
    }
    yield entry;
  }
  yield* olds;
}

function compareEntries(a: Entry, b: Entry): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.tie < b.tie ? -1 : Number(a.tie > b.tie);
}

/** Returns the range that is left behind the key with which a query goes on. */
function boundsOf(table: DynamoTable, { from, to }: KeyRange, { shape, startAfter, isForward }: QueryRequest) {
  if (!startAfter) return [from, to] as const;
  const { hash, sort } = table.shape.placeOf(startAfter);
  const tie = shape.index === undefined ? '' : table.globalIndex(shape.index) ? `${hash}\u0000${sort}` : sort;
  const value = shape.sortKey && startAfter[shape.sortKey.name];
  if (shape.sortKey && !value) throw validationError('The provided starting key is invalid');
  const key = value ? sortKeyOf(value) : '';
  return isForward ? ([{ key, tie, side: 'after' }, to] as const) : ([from, { key, tie, side: 'before' }] as const);
}

function keyIn(table: DynamoTable, shape: Shape, item: Item): Item {
  const keys = table.shape.keyOf(item);
  if (shape.index === undefined) return keys;
  const names = [shape.partitionKey.name, ...(shape.sortKey ? [shape.sortKey.name] : [])];
  return { ...keys, ...Object.fromEntries(names.flatMap((name) => (item[name] ? [[name, item[name]]] : []))) };
}
