import type { Writable } from 'node:stream';
import { type AuditEvent, auditLine } from '../../objects/audit/AuditEvent.ts';
import type { AuditLog } from '../../ports/AuditLog.ts';

/** An audit log on a stream that belongs to others, such as standard output: one event a line. */
export class StreamAuditLog implements AuditLog {
  readonly #stream: Writable;
  #written: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  write(event: AuditEvent): void {
    if (this.#isClosed) return;
    this.#written = new Promise((resolve) => {
      this.#stream.write(`${auditLine(event)}\n`, () => resolve());
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
