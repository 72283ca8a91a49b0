import type { TableDefinition } from '../../../lambdas/adapters/aws/tables.ts';
import { MinHeap } from '../../../lambdas/adapters/embedded/MinHeap.ts';
import { DYNAMODB } from '../publishedLimits.ts';
import { itemBytes } from './attributeBytes.ts';
import type { Item } from './attributeValues.ts';
import { unitsOfEntry, unitsOfRead, unitsOfWrite } from './capacityUnits.ts';
import type { Operation } from './DynamoUsage.ts';
import { GlobalIndex } from './GlobalIndex.ts';
import { History } from './History.ts';
import { hashOf, type Partition, type Partitions } from './Partitions.ts';
import { type Entry, SortedEntries, type SortKey } from './SortedEntries.ts';
import { conditionFailed, validationError } from './serviceErrors.ts';
import { type Place, TableShape } from './TableShape.ts';
import type { TableWorld } from './TableWorld.ts';

/** The items of one partition key, with their entries in the local indexes. */
export interface Collection {
  readonly hash: number;
  readonly entries: SortedEntries;
  readonly local: readonly SortedEntries[];
  /** What changed a moment ago, for reads of a replica that is behind. */
  readonly history: History | undefined;
  bytes: number;
}

/** A change of one item, for the table's stream. */
export interface TableChange {
  readonly partition: Partition;
  readonly keys: Item;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  /** True if the item's time to live ended it. */
  readonly isExpiry: boolean;
}

export interface WriteRequest {
  readonly operation: Operation;
  readonly key: Item;
  /** Whether the present item fulfils the condition; absent without a condition. */
  readonly condition?: ((item: Item) => boolean) | undefined;
  /** Returns the item to be stored; `undefined` deletes it. Throws for what DynamoDB refuses. */
  readonly change: (before: Item | undefined) => Item | undefined;
  /** True if the item is returned with the error of a failed condition. */
  readonly returnsOnFailure: boolean;
}

export interface Written {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  readonly writeUnits: number;
}

const NOTHING: Item = Object.freeze({});

/** One table: its items and indexes, what they cost, and what they bear. All is done at one instant; the caller sees to time. */
export class DynamoTable {
  readonly name: string;
  readonly shape: TableShape;
  readonly partitions: Partitions;
  readonly #world: TableWorld;
  readonly #collections = new Map<string, Collection>();
  readonly #global: readonly GlobalIndex[];
  readonly #onChange: ((change: TableChange) => void) | undefined;
  readonly #expiring = new MinHeap<{ readonly dueMs: number; readonly place: Place }>((a, b) => a.dueMs < b.dueMs);

  constructor(
    name: string,
    definition: TableDefinition,
    world: TableWorld,
    partitions: Partitions,
    onChange?: (change: TableChange) => void,
  ) {
    this.name = name;
    this.shape = new TableShape(definition);
    this.partitions = partitions;
    this.#world = world;
    this.#global = this.shape.global.map(
      (shape) => new GlobalIndex(name, shape, this.shape, world, partitions.throughput),
    );
    this.#onChange = onChange;
  }

  /** Bytes stored, without indexes. */
  get bytes(): number {
    let bytes = 0;
    for (const collection of this.#collections.values()) bytes += collection.bytes;
    return bytes;
  }

  get itemCount(): number {
    let count = 0;
    for (const { entries } of this.#collections.values()) count += entries.size;
    return count;
  }

  get(
    key: Item,
    isStrong: boolean,
    operation: Operation,
  ): { item: Item | undefined; readUnits: number; bytes: number } {
    this.shape.assertKey(key);
    const { hash, sort } = this.shape.placeOf(key);
    const collection = this.collection(hash);
    const partition = this.admit('read', operation, collection?.hash ?? hashOf(hash));
    const staleFromMs = isStrong ? undefined : this.#world.staleFromMs();
    const entry =
      staleFromMs === undefined || !collection?.history
        ? collection?.entries.get(sort, '')
        : collection.history.entryAt(staleFromMs, sort, collection.entries.get(sort, ''));
    const bytes = entry?.bytes ?? 0;
    const readUnits = unitsOfRead(bytes, isStrong);
    this.charge('read', operation, partition, readUnits);
    return { item: entry?.item, readUnits, bytes };
  }

  write({ operation, key, condition, change, returnsOnFailure }: WriteRequest): Written {
    const place = this.shape.placeOf(key);
    const collection = this.collection(place.hash);
    const partition = this.admit('write', operation, collection?.hash ?? hashOf(place.hash));
    const present = collection?.entries.get(place.sort, '');
    const changed = attempt(() => change(present?.item));
    if (condition && !condition(present?.item ?? NOTHING)) {
      const bytes = Math.max(present?.bytes ?? 0, changed.after ? itemBytes(changed.after) : 0);
      this.charge('write', operation, partition, unitsOfWrite(bytes));
      throw conditionFailed(returnsOnFailure ? present?.item : undefined);
    }
    if (changed.error) throw changed.error;
    const after = changed.after && this.#entryOf(changed.after, place.sort);
    const indexed = this.#indexChanges(operation, present, after);
    const tableUnits = unitsOfWrite(Math.max(present?.bytes ?? 0, after?.bytes ?? 0));
    this.charge('write', operation, partition, tableUnits);
    const writeUnits = indexed.charge(partition) + tableUnits;
    this.#commit(place, collection ?? this.#newCollection(place.hash), present, after, partition, false);
    return { before: present?.item, after: after?.item, writeUnits };
  }

  /** Deletes the items whose time to live ended long enough ago. It costs no units. */
  expire(): void {
    const nowMs = this.#world.clock.now();
    for (let next = this.#expiring.peek(); next && next.dueMs <= nowMs; next = this.#expiring.peek()) {
      this.#expiring.pop();
      this.#expireItem(next.place, nowMs);
    }
  }

  collection(hash: string): Collection | undefined {
    if (this.shape.timeToLive !== undefined) this.expire();
    return this.#collections.get(hash);
  }

  /** Yields all items in the order of a scan, from behind a place on, each with its partition key's hash. */
  *scan(after: Place | undefined): Generator<{ readonly entry: Entry; readonly hash: number }> {
    const start = after && { key: after.sort, tie: '', side: 'after' as const };
    const place = after && hashOf(after.hash);
    const order = [...this.#collections].sort(([a, one], [b, other]) => one.hash - other.hash || (a < b ? -1 : 1));
    for (const [text, { hash, entries }] of order) {
      if (place !== undefined && (hash < place || (hash === place && text < (after?.hash ?? '')))) continue;
      for (const entry of entries.between(text === after?.hash ? start : undefined, undefined, true))
        yield { entry, hash };
    }
  }

  globalIndex(name: string): GlobalIndex | undefined {
    return this.#global.find(({ shape }) => shape.index === name);
  }

  /** Returns the partition of a partition key, if it has throughput left. Throws the throttling error if not. */
  admit(kind: 'read' | 'write', operation: Operation, hash: number): Partition {
    const partition = this.partitions.of(hash);
    this.#world.admit(this.partitions, partition, kind, { table: this.name, index: undefined, operation });
    return partition;
  }

  charge(kind: 'read' | 'write', operation: Operation, partition: Partition, units: number, index?: string): void {
    this.partitions.take(partition, kind, units);
    const row = this.#world.usage.row(this.name, index, operation);
    if (index === undefined || kind === 'read') row.calls += 1;
    if (kind === 'read') row.readUnits += units;
    else row.writeUnits += units;
  }

  #expireItem({ hash, sort }: Place, nowMs: number): void {
    const collection = this.#collections.get(hash);
    const present = collection?.entries.get(sort, '');
    const expiresAt = present?.item[this.shape.timeToLive ?? '']?.N;
    if (!collection || expiresAt === undefined || Number(expiresAt) * 1_000 > nowMs) return;
    const partition = this.partitions.of(collection.hash);
    for (const index of this.#global) index.plan(present, undefined)?.apply();
    this.#commit({ hash, sort }, collection, present, undefined, partition, true);
  }

  #entryOf(item: Item, sort: SortKey): Entry {
    this.shape.assertIndexKeys(item);
    const bytes = itemBytes(item);
    const indexed = this.shape.local.map((shape) => this.shape.indexEntry(shape, item, sort));
    if (indexed.reduce((sum, entry) => sum + (entry?.bytes ?? 0), bytes) > DYNAMODB.itemBytes) {
      throw validationError('Item size has exceeded the maximum allowed size');
    }
    return { key: sort, tie: '', item: Object.freeze(item), bytes, indexed };
  }

  /** Says what a write costs in the indexes. Throws if a global index does not bear it: then the table's write is refused too. */
  #indexChanges(operation: Operation, before: Entry | undefined, after: Entry | undefined) {
    const local = this.shape.local.map((shape, at) => {
      return { shape, units: unitsOfEntry(before?.indexed?.[at], after?.indexed?.[at]) };
    });
    const global = this.#global.flatMap((index) => index.plan(before, after) ?? []);
    for (const plan of global) plan.admit(operation);
    return {
      charge: (partition: Partition) => {
        let total = 0;
        for (const { shape, units } of local) {
          if (units === 0) continue;
          this.charge('write', operation, partition, units, shape.index);
          total += units;
        }
        for (const plan of global) {
          total += plan.charge(operation);
          plan.apply();
        }
        return total;
      },
    };
  }

  #newCollection(hash: string): Collection {
    const { staleReads } = this.#world.physics;
    const collection: Collection = {
      hash: hashOf(hash),
      entries: new SortedEntries(),
      local: this.shape.local.map(() => new SortedEntries()),
      history: staleReads > 0 ? new History(this.#world.physics.staleMs) : undefined,
      bytes: 0,
    };
    this.#collections.set(hash, collection);
    return collection;
  }

  #commit(
    place: Place,
    collection: Collection,
    before: Entry | undefined,
    after: Entry | undefined,
    partition: Partition,
    isExpiry: boolean,
  ): void {
    const nowMs = this.#world.clock.now();
    collection.history?.note(nowMs, place.sort, before);
    if (after) collection.entries.set(after);
    else collection.entries.delete(place.sort, '');
    collection.bytes += (after?.bytes ?? 0) - (before?.bytes ?? 0);
    collection.local.forEach((entries, at) => moveEntry(entries, before?.indexed?.[at], after?.indexed?.[at]));
    if (collection.entries.size === 0 && !collection.history) this.#collections.delete(place.hash);
    this.#noteExpiry(place, before, after, nowMs);
    const item = after?.item ?? before?.item;
    if (item) {
      const keys = this.shape.keyOf(item);
      this.#onChange?.({ partition, keys, before: before?.item, after: after?.item, isExpiry });
    }
  }

  #noteExpiry(place: Place, before: Entry | undefined, after: Entry | undefined, nowMs: number): void {
    const { timeToLive } = this.shape;
    const expiresAt = timeToLive === undefined ? undefined : after?.item[timeToLive]?.N;
    if (expiresAt === undefined || expiresAt === before?.item[timeToLive ?? '']?.N) return;
    const dueMs = Math.max(nowMs, Number(expiresAt) * 1_000) + this.#world.draw(this.#world.physics.timeToLiveLagMs);
    this.#expiring.push({ dueMs, place });
  }
}

function moveEntry(entries: SortedEntries, old: Entry | undefined, next: Entry | undefined): void {
  if (old && (old.key !== next?.key || old.tie !== next.tie)) entries.delete(old.key, old.tie);
  if (next) entries.set(next);
}

function attempt(change: () => Item | undefined): { readonly after?: Item | undefined; readonly error?: unknown } {
  try {
    return { after: change() };
  } catch (error) {
    return { error };
  }
}
