import type { Item } from './attributeValues.ts';

/** A record of a stream, as Lambda delivers it, but with bytes for binary values. */
export interface TableRecord {
  readonly eventID: string;
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly eventSource: 'aws:dynamodb';
  /** Only of an item that the time to live deleted. */
  readonly userIdentity?: { readonly type: 'Service'; readonly principalId: 'dynamodb.amazonaws.com' };
  readonly dynamodb: {
    /** In whole seconds. */
    readonly ApproximateCreationDateTime: number;
    readonly Keys: Item;
    readonly NewImage?: Item;
    readonly OldImage?: Item;
    readonly SequenceNumber: string;
    readonly StreamViewType: 'NEW_AND_OLD_IMAGES';
  };
}

interface Kept {
  readonly record: TableRecord;
  readonly writtenAtMs: number;
  /** From this time on the record can be read. */
  readonly visibleAtMs: number;
}

/** One shard: the records of one partition, in the order of its writes, while the partition is not split. */
export class StreamShard {
  readonly id: string;
  /** The shard whose records come before this one's; absent for the shards of a new table. */
  readonly parent: StreamShard | undefined;
  readonly openedAtMs: number;
  /** No record can be read before this time: the shard is slow. */
  slowUntilMs = 0;
  #isClosed = false;
  #kept: Kept[] = [];
  /** How many records were trimmed. */
  #trimmed = 0;

  constructor(id: string, parent: StreamShard | undefined, openedAtMs: number) {
    this.id = id;
    this.parent = parent;
    this.openedAtMs = openedAtMs;
  }

  /** True if no record will follow. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The places of the first record that is kept, and behind the last. */
  get first(): number {
    return this.#trimmed;
  }

  get end(): number {
    return this.#trimmed + this.#kept.length;
  }

  append(record: TableRecord, nowMs: number, lagMs: number): void {
    const visibleAtMs = Math.max(nowMs + lagMs, this.slowUntilMs, this.#kept.at(-1)?.visibleAtMs ?? 0);
    this.#kept.push({ record, writtenAtMs: nowMs, visibleAtMs });
  }

  close(): void {
    this.#isClosed = true;
  }

  /**
   * Returns the records behind the one with that sequence number, or from the oldest on, that can be read now: at most `limit`. Records that were trimmed before
   * they were read are lost.
   */
  read(after: string | undefined, limit: number, nowMs: number): readonly TableRecord[] {
    const records: TableRecord[] = [];
    for (let at = after === undefined ? 0 : this.#behind(after); records.length < limit; at += 1) {
      const kept = this.#kept[at];
      if (!kept || kept.visibleAtMs > nowMs) break;
      records.push(kept.record);
    }
    return records;
  }

  /** Returns all records behind the one with that sequence number that are kept, also those that cannot be read yet. */
  keptAfter(after: string | undefined): readonly TableRecord[] {
    return this.#kept.slice(after === undefined ? 0 : this.#behind(after)).map(({ record }) => record);
  }

  /** Returns when the record at a place can be read; `undefined` if the place has no record yet, or has lost it. */
  visibleAtMs(place: number): number | undefined {
    return this.#kept[place - this.#trimmed]?.visibleAtMs;
  }

  /** Drops the records written before that time. */
  trim(beforeMs: number): void {
    const kept = this.#kept.findIndex(({ writtenAtMs }) => writtenAtMs >= beforeMs);
    const count = kept < 0 ? this.#kept.length : kept;
    if (count === 0) return;
    this.#kept = this.#kept.slice(count);
    this.#trimmed += count;
  }

  /** Sequence numbers of one stream have as many digits, so that their texts are in their order. */
  #behind(sequence: string): number {
    let low = 0;
    let high = this.#kept.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#kept[middle]?.record.dynamodb.SequenceNumber ?? '') <= sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
