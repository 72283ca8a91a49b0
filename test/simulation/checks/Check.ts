import type { AuditedWrite } from '../AuditedStore.ts';

/** Looks at each write as it lands; answers with a sentence if the write broke a rule. */
export interface Check {
  onWrite(write: AuditedWrite, nowMs: number): string | undefined;
}
