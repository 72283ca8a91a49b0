import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('--emulate-cloud without Java ends with one line and exit code 2', () => {
  const args = ['--import', 'tsx', 'infra/bin/start.ts', '--emulate-cloud', '--port', '0'];
  const { status, stderr } = spawnSync(process.execPath, args, { env: { PATH: '' }, encoding: 'utf8' });
  expect(stderr).toBe('driftless: --emulate-cloud needs Java 17 or later for DynamoDB Local: no Java was found\n');
  expect(status).toBe(2);
});
