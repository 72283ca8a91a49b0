import type { Change } from '../../ports/ChangeLog.ts';
import { WakeList } from './WakeList.ts';

/**
 * The retained changes of one resource in the order of their versions, shared by all its readers. A reader keeps a sequence number: the place of the
 * next change it wants, counted from the first change that this log ever held, so that dropping old changes moves nobody.
 */
export class ResourceLog {
  readonly appended = new WakeList();
  #changes: Change[] = [];
  #droppedCount = 0;
  #floor: number;

  constructor(floor: number) {
    this.#floor = floor;
  }

  /** The version up to which changes are gone; 0 if none is. */
  get floor(): number {
    return this.#floor;
  }

  get head(): number {
    return this.#changes.at(-1)?.version ?? this.#floor;
  }

  append(change: Change): void {
    this.#changes.push(change);
  }

  /** Drops the oldest changes once there are a tenth more than `retained`, so that the cost is spread thin; returns them. */
  dropBeyond(retained: number): readonly Change[] {
    if (this.#changes.length <= retained + Math.floor(retained / 10)) return [];
    const dropped = this.#changes.slice(0, -retained);
    this.#changes = this.#changes.slice(-retained);
    this.#droppedCount += dropped.length;
    this.#floor = dropped.at(-1)?.version ?? this.#floor;
    return dropped;
  }

  /** The sequence number of the first change after `version`. */
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

  /** The changes from that sequence number on, or `expired` if the first of them is gone. */
  from(sequence: number): readonly Change[] | 'expired' {
    if (sequence < this.#droppedCount) return 'expired';
    return this.#changes.slice(sequence - this.#droppedCount);
  }
}
