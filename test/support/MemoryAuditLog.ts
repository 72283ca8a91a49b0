import { type AuditEvent, auditLine } from '../../lambdas/objects/audit/AuditEvent.ts';
import type { AuditLog } from '../../lambdas/ports/AuditLog.ts';

/** An audit log for tests, which keeps its lines. */
export class MemoryAuditLog implements AuditLog {
  readonly lines: string[] = [];
  #isClosed = false;

  write(event: AuditEvent): void {
    if (!this.#isClosed) this.lines.push(auditLine(event));
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return Promise.resolve();
  }

  /** The events, with their objects parsed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read events of every shape
  get events(): any[] {
    return this.lines.map((line) => JSON.parse(line) as unknown);
  }
}
