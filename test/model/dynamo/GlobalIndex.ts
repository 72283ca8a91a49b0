import { unitsOfEntry } from './capacityUnits.ts';
import type { Operation } from './DynamoUsage.ts';
import { hashOf, type Partition, Partitions, type Throughput } from './Partitions.ts';
import { type Entry, SortedEntries } from './SortedEntries.ts';
import { keyText, type Shape, type TableShape } from './TableShape.ts';
import type { TableWorld } from './TableWorld.ts';

interface GlobalEntry extends Entry {
  readonly hash: string;
}

/** What one write of the table changes in the index. */
export interface IndexPlan {
  /** Throws the throttling error if the index does not bear the change. */
  readonly admit: (operation: Operation) => void;
  /** Returns the units. */
  readonly charge: (operation: Operation) => number;
  readonly apply: () => void;
}

/** A global index: entries in partitions of their own, a moment behind the table. */
export class GlobalIndex {
  readonly shape: Shape;
  readonly partitions: Partitions;
  readonly #table: string;
  readonly #tableShape: TableShape;
  readonly #world: TableWorld;
  readonly #byHash = new Map<string, SortedEntries>();
  #pending: { readonly atMs: number; readonly old: GlobalEntry | undefined; readonly next: GlobalEntry | undefined }[] =
    [];
  #settled = 0;

  constructor(table: string, shape: Shape, tableShape: TableShape, world: TableWorld, throughput: Throughput) {
    this.#table = table;
    this.shape = shape;
    this.#tableShape = tableShape;
    this.#world = world;
    this.partitions = new Partitions(throughput, world.clock.now());
  }

  /** Says what a write changes; nothing if the item is not in the index, or its entry stays as it is. */
  plan(before: Entry | undefined, after: Entry | undefined): IndexPlan | undefined {
    const [old, next] = [this.#entryOf(before), this.#entryOf(after)];
    const sameHash = old?.hash === next?.hash;
    const units = sameHash ? unitsOfEntry(old, next) : unitsOfEntry(old, undefined) + unitsOfEntry(undefined, next);
    if (units === 0) return undefined;
    const hashes = [...new Set([old?.hash, next?.hash])].flatMap((hash) => (hash === undefined ? [] : [hash]));
    const partitions = hashes.map((hash) => this.partitions.of(hashOf(hash)));
    const target = { table: this.#table, index: this.shape.index };
    return {
      admit: (operation) => {
        for (const one of partitions) this.#world.admit(this.partitions, one, 'write', { ...target, operation });
      },
      charge: (operation) => {
        for (const one of partitions) this.partitions.take(one, 'write', units / partitions.length);
        this.#world.usage.row(target.table, target.index, operation).writeUnits += units;
        return units;
      },
      apply: () => this.#enqueue(old, next),
    };
  }

  /** Returns the entries of a partition key, as far as the index has come. */
  entries(hash: string): SortedEntries | undefined {
    this.#settle();
    return this.#byHash.get(hash);
  }

  admitRead(hash: string, operation: Operation): Partition {
    const partition = this.partitions.of(hashOf(hash));
    this.#world.admit(this.partitions, partition, 'read', { table: this.#table, index: this.shape.index, operation });
    return partition;
  }

  #entryOf(entry: Entry | undefined): GlobalEntry | undefined {
    const { partitionKey } = this.shape;
    const value = entry?.item[partitionKey.name];
    if (!entry || !value) return undefined;
    // Entries of one key are in the order of the table's keys.
    const { hash, sort } = this.#tableShape.placeOf(entry.item);
    const indexed = this.#tableShape.indexEntry(this.shape, entry.item, `${hash}\u0000${sort}`);
    return indexed && { ...indexed, hash: keyText(value) };
  }

  #enqueue(old: GlobalEntry | undefined, next: GlobalEntry | undefined): void {
    const lastMs = this.#pending.at(-1)?.atMs ?? 0;
    const atMs = this.#world.clock.now() + this.#world.draw(this.#world.physics.indexLagMs);
    this.#pending.push({ atMs: Math.max(lastMs, atMs), old, next });
    this.#settle();
  }

  #settle(): void {
    const nowMs = this.#world.clock.now();
    for (
      let change = this.#pending[this.#settled];
      change && change.atMs <= nowMs;
      change = this.#pending[this.#settled]
    ) {
      this.#settled += 1;
      this.#apply(change.old, change.next);
    }
    if (this.#settled > 1_000 || this.#settled === this.#pending.length) {
      this.#pending = this.#pending.slice(this.#settled);
      this.#settled = 0;
    }
  }

  #apply(old: GlobalEntry | undefined, next: GlobalEntry | undefined): void {
    if (old) this.#byHash.get(old.hash)?.delete(old.key, old.tie);
    if (!next) return;
    const entries = this.#byHash.get(next.hash) ?? new SortedEntries();
    entries.set(next);
    this.#byHash.set(next.hash, entries);
  }
}
