import type { AuditEvent } from '../objects/audit/AuditEvent.ts';

/**
 * Where audit events go. A log that cannot be written stops no request: what it loses, it counts, and says in the log of the process.
 *
 * - `write` takes an event and never throws. Events are kept in the order of the calls, each as one line, or as one entry of the log. An event that does not fit is cut or dropped, not the ones beside it.
 * - `flush` resolves when each event that was taken before is kept, or given up. It never rejects.
 * - `close` flushes, and frees what the log holds. Events that are written later are dropped.
 */
export interface AuditLog {
  write(event: AuditEvent): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}
