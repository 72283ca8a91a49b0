// Slow: an emulated cloud is deployed first, and the command rolls Deployments in it.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingJava } from '../../../infra/emulation/services/startDynamoDbJava.ts';
import { type Emulation, startEmulation } from '../../../infra/emulation/startEmulation.ts';
import { runProgram } from '../../support/runProgram.ts';

const missing = process.env['CI'] ? undefined : missingJava();
if (missing !== undefined) console.warn(`The verification of the emulated cloud is skipped: ${missing}.`);

const START_TIMEOUT_MS = 240_000;
const RUN_TIMEOUT_MS = 240_000;

describe.skipIf(missing !== undefined)('npm run verify over the emulated cloud', { timeout: RUN_TIMEOUT_MS }, () => {
  let directory: string;
  let emulation: Emulation;
  let report: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'verify-'));
    report = join(directory, 'report.md');
    emulation = await startEmulation();
    await writeFile(join(directory, 'token'), emulation.token());
    await writeFile(join(directory, 'kubeconfig'), emulation.kubeconfig(join(directory, 'token')));
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await emulation?.stop();
    await rm(directory, { recursive: true });
  }, START_TIMEOUT_MS);

  const wordsFor = (...args: readonly string[]) => [
    'run',
    '--silent',
    'verify',
    '--',
    '--kubeconfig',
    join(directory, 'kubeconfig'),
    '--report',
    report,
    ...args,
  ];

  it('passes with what the emulation has, in a new account, and says of the rest why it is not here', async () => {
    const { code, stdout, stderr } = await runProgram('npm', wordsFor('--context', 'driftless'));
    expect(stderr).toBe('');
    expect(stdout).toMatch(/\n18 not here, 4 ok\. The report is in /);
    expect(code).toBe(0);
    const text = await readFile(report, 'utf8');
    if (process.env['DRIFTLESS_SHOW_REPORT']) console.log(text);
    expect(text).toMatch(/\| `whoami` \| ok \|/);
    expect(text).toMatch(/\| `rollout` \| ok \|.*half within \d+ ms/);
    expect(text).not.toMatch(/k8s-aws-v1|000000000000/);
  });

  it.each(['watch', 'rollout'])('cleans up after Ctrl-C in %s, and ends with 130', async (step) => {
    const child = spawn(process.execPath, [
      '--import',
      'tsx',
      'infra/bin/verify.ts',
      ...wordsFor('--context', 'driftless', '--only', step).slice(4),
    ]);
    let said = '';
    const begun = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('In the namespace ')) resolve();
      });
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    await begun;
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    const namespace = /In the namespace (\S+):/.exec(said)?.[1];
    const headers = { authorization: `Bearer ${emulation.token()}` };
    const statusOf = async (name: string | undefined) =>
      (await fetch(`${emulation.url}/k8s/api/v1/namespaces/${name}`, { headers })).status;
    expect([await statusOf('default'), await statusOf(namespace)]).toEqual([200, 404]);
    expect(said).toMatch(new RegExp(`not run +${step} +Interrupted\\.`));
  });

  it.each([
    [['--context', 'other'], /^driftless: there is no context other in .*\n$/],
    [['--context', 'driftless', '--colour'], /^driftless: Unknown option '--colour'; .*\n$/],
    [[], /^driftless: --context needs the name of a context; .*\n$/],
  ])('refuses %j in one line, and ends with 2', async (args, message) => {
    const { code, stdout, stderr } = await runProgram('npm', wordsFor(...args));
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
