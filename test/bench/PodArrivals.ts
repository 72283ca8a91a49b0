import type { TableChange } from '../model/dynamo/DynamoTable.ts';

/** When pods were created, for the rate that the stack sustains. */
export class PodArrivals {
  #timesMs: number[] = [];

  /** Notes the change if it creates a pod. */
  note({ keys, before, after }: TableChange, atMs: number): void {
    const isCreation = after?.['uid'] !== undefined && before?.['uid'] === undefined;
    if (isCreation && keys['place']?.S?.startsWith('pods#')) this.#timesMs.push(atMs);
  }

  /** Returns the pods created a second, without the first and the last tenth of them, and begins anew. */
  takeRate(): number {
    const times = this.#timesMs;
    this.#timesMs = [];
    const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? 0;
    const seconds = (at(0.9) - at(0.1)) / 1_000;
    return seconds === 0 ? times.length : (times.length * 0.8) / seconds;
  }
}
