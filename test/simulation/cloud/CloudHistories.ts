import { decodeStreamRecord, type StreamRecord } from '../../../lambdas/adapters/aws/decodeStreamRecord.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import { CloudHistory } from './CloudHistory.ts';

/** The histories of all resources. */
export class CloudHistories {
  readonly #byResource = new Map<string, CloudHistory>();

  of(resource: string): CloudHistory {
    const history = this.#byResource.get(resource) ?? new CloudHistory(resource);
    this.#byResource.set(resource, history);
    return history;
  }

  append(change: Change, atMs: number): void {
    this.of(change.resource).append(change, atMs);
  }

  /** Notes that the change log will never get these records of the stream. */
  lose(records: readonly StreamRecord[]): void {
    for (const record of records) {
      const decoded = decodeStreamRecord(record);
      if (decoded.status === 'change') this.of(decoded.change.resource).lose(decoded.change.version);
    }
  }

  /** Notes that hours pass. */
  age(): void {
    for (const history of this.#byResource.values()) history.age();
  }
}
