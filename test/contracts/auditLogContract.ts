import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../lambdas/objects/audit/AuditEvent.ts';
import type { AuditLog } from '../../lambdas/ports/AuditLog.ts';

/** An event of a request with this id. */
export function auditEvent(auditID: string, more: Partial<AuditEvent> = {}): AuditEvent {
  return {
    level: 'Metadata',
    auditID,
    stage: 'ResponseComplete',
    requestURI: '/version',
    verb: 'get',
    user: { username: 'ann' },
    requestReceivedTimestamp: '2026-01-01T00:00:00.000000Z',
    stageTimestamp: '2026-01-01T00:00:00.000000Z',
    ...more,
  };
}

export interface OpenedAuditLog {
  readonly log: AuditLog;
  /** The lines, or the entries, that are kept. */
  readonly lines: () => readonly string[];
}

/** Declares the tests that every AuditLog passes. */
export function auditLogContract(name: string, open: () => Promise<OpenedAuditLog>): void {
  describe(name, () => {
    const idsOf = (lines: readonly string[]) =>
      lines.map((line) => (JSON.parse(line) as { readonly auditID: string }).auditID);

    test('keeps events in their order, each as one line', async () => {
      const { log, lines } = await open();
      const ids = Array.from({ length: 50 }, (_, at) => `id-${at}`);
      for (const id of ids) log.write(auditEvent(id, { userAgent: 'a\nb "c" ü', requestObject: '{"a":"\\n"}' }));
      await log.flush();
      expect(idsOf(lines())).toEqual(ids);
      expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ userAgent: 'a\nb "c" ü', requestObject: { a: '\n' } });
      await log.close();
    });

    test('keeps events that come while others are written', async () => {
      const { log, lines } = await open();
      const flushed = ['a', 'b', 'c'].map((id) => {
        log.write(auditEvent(id));
        return log.flush();
      });
      await Promise.all(flushed);
      expect(idsOf(lines())).toEqual(['a', 'b', 'c']);
      await log.close();
    });

    test('keeps all that was written before it is closed, and nothing later', async () => {
      const { log, lines } = await open();
      log.write(auditEvent('before'));
      await log.close();
      log.write(auditEvent('after'));
      await log.flush();
      expect(idsOf(lines())).toEqual(['before']);
    });
  });
}
