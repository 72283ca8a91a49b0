import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll } from 'vitest';
import { CloudWatchAuditLog } from '../../lambdas/adapters/aws/audit/CloudWatchAuditLog.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { FileAuditLog } from '../../lambdas/adapters/embedded/FileAuditLog.ts';
import { StreamAuditLog } from '../../lambdas/adapters/embedded/StreamAuditLog.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { LogsModel } from '../model/LogsModel.ts';
import { MemoryAuditLog } from '../support/MemoryAuditLog.ts';
import { auditLogContract } from './auditLogContract.ts';

const directory = mkdtempSync(join(tmpdir(), 'driftless-audit-'));
afterAll(() => rmSync(directory, { recursive: true }));

const linesOf = (text: string) => text.split('\n').slice(0, -1);
let opened = 0;

auditLogContract('MemoryAuditLog', () => {
  const log = new MemoryAuditLog();
  return Promise.resolve({ log, lines: () => log.lines });
});

auditLogContract('FileAuditLog', () => {
  const path = join(directory, `${(opened += 1)}`, 'audit.log');
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const log = new FileAuditLog({ path, maxSizeMb: 100, maxBackups: 0, maxAgeDays: 0, clock, report: () => {} });
  return Promise.resolve({ log, lines: () => linesOf(readFileSync(path, 'utf8')) });
});

auditLogContract('StreamAuditLog', () => {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  return Promise.resolve({ log: new StreamAuditLog(stream, () => {}), lines: () => linesOf(text) });
});

auditLogContract('CloudWatchAuditLog', () => {
  const client = new LogsModel('audit');
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const log = new CloudWatchAuditLog({ client, logGroup: 'audit', clock, ids: new SeededIds(1), report: () => {} });
  return Promise.resolve({ log, lines: () => client.messages });
});
