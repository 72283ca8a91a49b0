import { type Change, FIRST_POSITION } from '../../ports/ChangeLog.ts';
import { WakeList } from './WakeList.ts';

/** Readers get the changes in blocks, so that those who are behind, and at different places, come to the same blocks. */
const BLOCK_CHANGES = 100;
/** So many blocks are kept for the next readers, with what readers make of them. */
const BLOCKS_KEPT = 8;

/**
 * The retained changes of one resource in the order of their versions, shared by all its readers. A reader keeps the sequence number of the next change that
 * it wants. Sequence numbers count from the first change that this log ever held, so they stay valid when old changes are dropped.
 */
export class ResourceChangeLog {
  readonly appended = new WakeList();
  #changes: Change[] = [];
  /** For each change, the size of the object before it. */
  #bytes: number[] = [];
  #totalBytes = 0;
  #droppedCount = 0;
  #floor: number;
  /** The latest blocks by the sequence numbers of their first change and of that after their last one. */
  readonly #blocks = new Map<string, readonly Change[]>();

  constructor(floor: number) {
    this.#floor = floor;
  }

  /** The version up to which changes are gone; 0 if all are there. */
  get floor(): number {
    return this.#floor;
  }

  get head(): number {
    return this.#changes.at(-1)?.version ?? Math.max(this.#floor, FIRST_POSITION);
  }

  /** The size of the objects that only this log still holds: those before its changes. */
  get bytes(): number {
    return this.#totalBytes;
  }

  /** `bytes` is the size of the object before the change; 0 if there was none. */
  append(change: Change, bytes: number): void {
    this.#changes.push(change);
    this.#bytes.push(bytes);
    this.#totalBytes += bytes;
  }

  /** Drops the oldest changes when there are more than `retained` plus a tenth, so that dropping is seldom needed. Returns the dropped changes. */
  dropBeyond(retained: number): readonly Change[] {
    const { length } = this.#changes;
    return length <= retained + Math.floor(retained / 10) ? [] : this.#drop(length - retained);
  }

  /** Drops the oldest changes until at least `bytes` are gone. Returns the dropped changes. */
  dropBytes(bytes: number): readonly Change[] {
    let gone = 0;
    let count = 0;
    while (gone < bytes && count < this.#changes.length) {
      gone += this.#bytes[count] ?? 0;
      count += 1;
    }
    return this.#drop(count);
  }

  /** Returns the sequence number of the first change after `version`. */
  sequenceAfter(version: number): number {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle]?.version ?? 0) <= version) low = middle + 1;
      else high = middle;
    }
    return this.#droppedCount + low;
  }

  /** Returns the changes from that sequence number on, or `expired` if the first of them is gone. */
  from(sequence: number): readonly Change[] | 'expired' {
    if (sequence < this.#droppedCount) return 'expired';
    return this.#changes.slice(sequence - this.#droppedCount);
  }

  /** True if there is a change from that sequence number on, or was one. */
  hasAny(sequence: number): boolean {
    return sequence < this.#droppedCount + this.#changes.length;
  }

  /** Returns the next changes from that sequence number on, or `expired` if the first of them is gone. Readers at the same place get the same list. */
  some(sequence: number): readonly Change[] | 'expired' {
    if (sequence < this.#droppedCount) return 'expired';
    const blockEnd = (Math.floor(sequence / BLOCK_CHANGES) + 1) * BLOCK_CHANGES;
    const end = Math.min(blockEnd, this.#droppedCount + this.#changes.length);
    const place = `${sequence}-${end}`;
    const known = this.#blocks.get(place);
    if (known) return known;
    const changes = this.#changes.slice(sequence - this.#droppedCount, end - this.#droppedCount);
    this.#keep(place, changes);
    return changes;
  }

  #keep(place: string, changes: readonly Change[]): void {
    this.#blocks.set(place, changes);
    const [oldest] = this.#blocks.keys();
    if (oldest !== undefined && this.#blocks.size > BLOCKS_KEPT) this.#blocks.delete(oldest);
  }

  #drop(count: number): readonly Change[] {
    const dropped = this.#changes.slice(0, count);
    for (const bytes of this.#bytes.slice(0, count)) this.#totalBytes -= bytes;
    this.#changes = this.#changes.slice(count);
    this.#bytes = this.#bytes.slice(count);
    this.#droppedCount += count;
    this.#floor = dropped.at(-1)?.version ?? this.#floor;
    return dropped;
  }
}
