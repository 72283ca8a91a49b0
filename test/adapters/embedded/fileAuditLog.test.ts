import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { type AuditFileOptions, FileAuditLog } from '../../../lambdas/adapters/embedded/FileAuditLog.ts';
import { auditLine } from '../../../lambdas/objects/audit/AuditEvent.ts';
import { auditEvent } from '../../contracts/auditLogContract.ts';

const DAY_MS = 86_400_000;
const directories: string[] = [];
afterAll(() => directories.forEach((directory) => rmSync(directory, { recursive: true })));

let directory: string;
let clock: VirtualClock;
let reports: Record<string, unknown>[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'driftless-audit-'));
  directories.push(directory);
  clock = new VirtualClock(Date.UTC(2026, 0, 1));
  reports = [];
});

function open(more: Partial<AuditFileOptions> = {}): FileAuditLog {
  const path = join(directory, 'audit.log');
  const report = (line: Readonly<Record<string, unknown>>) => void reports.push(line);
  return new FileAuditLog({ path, maxSizeMb: 100, maxBackups: 0, maxAgeDays: 0, clock, report, ...more });
}

const lineOf = (id: string) => `${auditLine(auditEvent(id))}\n`;
const textOf = (file: string) => readFileSync(join(directory, file), 'utf8');

describe('a file', () => {
  test('is continued after a restart', async () => {
    for (const id of ['one', 'two']) {
      const log = open();
      log.write(auditEvent(id));
      await log.close();
    }
    expect(textOf('audit.log')).toBe(lineOf('one') + lineOf('two'));
  });

  test('that ends in a part of a line, as after a crash, gets the next line on a line of its own', async () => {
    writeFileSync(join(directory, 'audit.log'), `${lineOf('one')}{"kind":"Ev`);
    const log = open();
    log.write(auditEvent('two'));
    log.write(auditEvent('three'));
    await log.close();
    expect(textOf('audit.log')).toBe(`${lineOf('one')}{"kind":"Ev\n${lineOf('two')}${lineOf('three')}`);
  });

  test('that cannot be opened is told at once', () => {
    expect(() => open({ path: directory })).toThrow('EISDIR');
  });

  test.skipIf(!existsSync('/dev/full'))('on a full disk loses lines, which is said once', () => {
    const log = open({ path: '/dev/full' });
    log.write(auditEvent('one'));
    log.write(auditEvent('two'));
    expect(reports).toEqual([
      { level: 'error', msg: 'audit events are lost', error: expect.stringContaining('ENOSPC') as unknown },
    ]);
  });
});

describe('a file that has grown', () => {
  const MB = 1024 * 1024;
  const large = (id: string) => auditEvent(id, { userAgent: 'x'.repeat(0.6 * MB) });

  test('is renamed after the time, and another one begun; no name is used twice', async () => {
    const log = open({ maxSizeMb: 1 });
    for (const id of ['one', 'two', 'three']) log.write(large(id));
    await log.close();
    expect(readdirSync(directory).sort()).toEqual([
      'audit-2026-01-01T00-00-00.000.log',
      'audit-2026-01-01T00-00-00.001.log',
      'audit.log',
    ]);
    expect(textOf('audit-2026-01-01T00-00-00.000.log')).toContain('"one"');
    expect(textOf('audit.log')).toContain('"three"');
  });

  test('is renamed although one line is larger than a file may be, and the line is kept', async () => {
    const log = open({ maxSizeMb: 1 });
    log.write(auditEvent('one'));
    log.write(auditEvent('two', { userAgent: 'x'.repeat(2 * MB) }));
    await log.close();
    expect(textOf('audit.log')).toContain('"two"');
    expect(readdirSync(directory)).toHaveLength(2);
  });

  test.each([
    ['as many as are to be kept', { maxBackups: 2 }, ['2026-01-03', '2026-01-04']],
    ['as old as they may become', { maxAgeDays: 1 }, ['2026-01-03', '2026-01-04']],
    ['all', {}, ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04']],
  ])('leaves %s, and no other file is removed', async (_, options, days) => {
    writeFileSync(join(directory, 'audit-notes.log'), 'mine');
    const log = open({ maxSizeMb: 1, ...options });
    log.write(large('first'));
    for (const id of ['1', '2', '3', '4']) {
      log.write(large(id));
      if (id !== '4') clock.advanceTo(clock.now() + DAY_MS);
    }
    await log.close();
    const backups = days.map((day) => `audit-${day}T00-00-00.000.log`);
    expect(readdirSync(directory).sort()).toEqual([...backups, 'audit-notes.log', 'audit.log'].sort());
  });
});
