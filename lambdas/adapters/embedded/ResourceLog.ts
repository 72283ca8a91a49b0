import { type Change, FIRST_POSITION } from '../../ports/ChangeLog.ts';
import { WakeList } from './WakeList.ts';

/** A longer list is not kept for other readers, since what they make of it is kept with it. */
const MOST_SHARED = 1_000;

/**
 * The retained changes of one resource in the order of their versions, shared by all its readers. A reader keeps the sequence number of the next change that
 * it wants. Sequence numbers count from the first change that this log ever held, so they stay valid when old changes are dropped.
 */
export class ResourceLog {
  readonly appended = new WakeList();
  #changes: Change[] = [];
  /** For each change, the size of the object before it. */
  #bytes: number[] = [];
  #totalBytes = 0;
  #droppedCount = 0;
  #floor: number;
  /** What the last reader was given. Readers that wait are all at the same place, and get the same list. */
  #lastRead: { readonly sequence: number; readonly end: number; readonly changes: readonly Change[] } | undefined;

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

  /** Returns the changes from that sequence number on, or `expired` if the first of them is gone. Readers at the same place get the same list. */
  from(sequence: number): readonly Change[] | 'expired' {
    if (sequence < this.#droppedCount) return 'expired';
    const end = this.#droppedCount + this.#changes.length;
    if (this.#lastRead?.sequence === sequence && this.#lastRead.end === end) return this.#lastRead.changes;
    const changes = this.#changes.slice(sequence - this.#droppedCount);
    if (changes.length <= MOST_SHARED) this.#lastRead = { sequence, end, changes };
    return changes;
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
