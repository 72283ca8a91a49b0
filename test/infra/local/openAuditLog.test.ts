import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../../infra/host/UsageError.ts';
import { openAuditLog } from '../../../infra/local/openAuditLog.ts';

const directory = mkdtempSync(join(tmpdir(), 'driftless-audit-'));
afterAll(() => rmSync(directory, { recursive: true }));

const SIZES = { maxSizeMb: 100, maxBackups: 0, maxAgeDays: 0 };
const HEAD = 'apiVersion: audit.k8s.io/v1\nkind: Policy\n';

function policyFile(name: string, rules: string): string {
  const path = join(directory, name);
  writeFileSync(path, `${HEAD}rules: [${rules}]\n`);
  return path;
}

describe('the audit log of the command line', () => {
  const policy = policyFile('policy.yaml', '{level: Metadata}');
  const wrong = policyFile('wrong.yaml', '{level: All}');

  test('is opened with its policy', async () => {
    const logPath = join(directory, 'logs', 'audit.log');
    const opened = openAuditLog({ policyFile: policy, logPath, ...SIZES }, () => {});
    expect(opened?.policy).toEqual({ rules: [{ level: 'Metadata' }] });
    expect(opened?.remoteAddressOf({ incoming: { socket: { remoteAddress: '10.0.0.1' } } })).toBe('10.0.0.1');
    expect(opened?.remoteAddressOf(undefined)).toBeUndefined();
    await opened?.log.close();
  });

  test.each([
    [{ policyFile: policy }, '--audit-log-path'],
    [{ logPath: join(directory, 'audit.log') }, '--audit-policy-file'],
  ])('is not opened without both options, which is said: %o', (settings, missing) => {
    const lines: unknown[] = [];
    expect(openAuditLog({ ...settings, ...SIZES }, (line) => lines.push(line))).toBeUndefined();
    expect(lines).toEqual([{ level: 'warn', msg: `no audit events are recorded without ${missing}` }]);
  });

  test.each([
    [wrong, 'audit.log', `loading audit policy file: rules[0].level: Unsupported value: "All"`],
    [join(directory, 'none.yaml'), 'audit.log', 'loading audit policy file: failed to read file path: ENOENT'],
    [policy, '.', '--audit-log-path cannot be written: EISDIR'],
  ])('ends the start with one line: %s, %s', (policyPath, log, message) => {
    const open = () => openAuditLog({ policyFile: policyPath, logPath: join(directory, log), ...SIZES }, () => {});
    expect(open).toThrow(UsageError);
    expect(open).toThrow(message);
  });

  // Node's own recursive mkdir never returns there.
  test.skipIf(!existsSync('/proc'))('ends the start in a folder that cannot be made', () => {
    const open = () => openAuditLog({ policyFile: policy, logPath: '/proc/none/audit.log', ...SIZES }, () => {});
    expect(open).toThrow('--audit-log-path cannot be written: ENOENT');
  });
});
