import { decodeStreamRecord, type StreamRecord } from '../../../lambdas/adapters/aws/log/decodeStreamRecord.ts';
import type { CloudWrite } from './CloudAudit.ts';
import { CloudHistory } from './CloudHistory.ts';

/** The histories of all resources. */
export class CloudHistories {
  readonly #byResource = new Map<string, CloudHistory>();
  readonly #latestNowMs: () => number;
  #hasLost = false;

  /** `latestNowMs` returns the latest time that any function's clock may show now. */
  constructor(latestNowMs: () => number) {
    this.#latestNowMs = latestNowMs;
  }

  of(resource: string): CloudHistory {
    const history = this.#byResource.get(resource) ?? new CloudHistory(resource, this.#latestNowMs);
    this.#byResource.set(resource, history);
    return history;
  }

  append({ change, endsMs }: CloudWrite, atMs: number): void {
    this.of(change.resource).append(change, atMs, endsMs);
  }

  /** Whether there is such a record. */
  get hasLost(): boolean {
    return this.#hasLost;
  }

  /** Notes that the change log will never get these records of the stream. */
  lose(records: readonly StreamRecord[]): void {
    this.#hasLost ||= records.length > 0;
    for (const record of records) {
      const decoded = decodeStreamRecord(record);
      if (decoded.status === 'change') this.of(decoded.change.resource).lose(decoded.change.version);
    }
  }
}
