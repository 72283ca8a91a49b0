import { type Change, FIRST_POSITION } from '../../ports/ChangeLog.ts';
import { WakeList } from './WakeList.ts';

/**
 * The retained changes of one resource in the order of their versions, shared by all its readers. A reader keeps the sequence number of the next change that
 * it wants. Sequence numbers count from the first change that this log ever held, so they stay valid when old changes are dropped.
 */
export class ResourceLog {
  readonly appended = new WakeList();
  #changes: Change[] = [];
  #droppedCount = 0;
  #floor: number;

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

  append(change: Change): void {
    this.#changes.push(change);
  }

  /** Drops the oldest changes when there are more than `retained` plus a tenth, so that dropping is seldom needed. Returns the dropped changes. */
  dropBeyond(retained: number): readonly Change[] {
    if (this.#changes.length <= retained + Math.floor(retained / 10)) return [];
    const dropped = this.#changes.slice(0, -retained);
    this.#changes = this.#changes.slice(-retained);
    this.#droppedCount += dropped.length;
    this.#floor = dropped.at(-1)?.version ?? this.#floor;
    return dropped;
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
}
