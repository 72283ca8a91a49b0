import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { StreamAuditLog } from '../../../lambdas/adapters/embedded/StreamAuditLog.ts';
import { auditEvent } from '../../contracts/auditLogContract.ts';

test('a reader that goes away ends nothing, and what it does not get is counted as lost', async () => {
  const gone = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  });
  const reports: unknown[] = [];
  const log = new StreamAuditLog(gone, (line) => void reports.push(line));
  for (const id of ['a', 'b']) {
    log.write(auditEvent(id));
    await log.flush();
  }
  expect(reports).toEqual([{ level: 'error', msg: 'audit events are lost', error: 'write EPIPE' }]);
});
