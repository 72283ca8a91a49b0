import type { Writable } from 'node:stream';
import { type AuditEvent, auditLine } from '../../objects/audit/AuditEvent.ts';
import { AuditLosses } from '../../objects/audit/AuditLosses.ts';
import type { AuditLog } from '../../ports/AuditLog.ts';

/** An audit log on a stream that belongs to others, such as standard output: one event a line. What the stream does not take, because its reader has gone, is lost. */
export class StreamAuditLog implements AuditLog {
  readonly #stream: Writable;
  readonly #losses: AuditLosses;
  #written: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** `report` receives a line when events begin to be lost, and when that is over. */
  constructor(stream: Writable, report: (line: Readonly<Record<string, unknown>>) => void) {
    this.#stream = stream;
    this.#losses = new AuditLosses(report);
    // Without a listener, a stream whose reader has gone would end the process. Each write is told of the error.
    stream.on('error', () => {});
  }

  write(event: AuditEvent): void {
    if (this.#isClosed) return;
    this.#written = new Promise((resolve) => {
      this.#stream.write(`${auditLine(event)}\n`, (error) => {
        if (error) this.#losses.add(1, error);
        else this.#losses.endFailure();
        resolve();
      });
    });
  }

  flush(): Promise<void> {
    return this.#written;
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#written;
  }
}
