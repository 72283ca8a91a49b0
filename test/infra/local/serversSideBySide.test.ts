import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const PROGRAM = resolve('infra/bin/startFromSource.js');

let folder = '';
const children = new Set<ChildProcess>();

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'driftless-beside-')));
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  await rm(folder, { recursive: true });
});

/** Runs a server in the folder. Resolves when it has told its kubeconfig, or has ended. */
async function run(...args: string[]) {
  const child = spawn(process.execPath, [PROGRAM, '--port', '0', ...args], { cwd: folder });
  children.add(child);
  const ended = new Promise<number | null>((found) => child.once('close', found));
  let [stdout, stderr] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await new Promise<void>((found) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (stdout.includes('export KUBECONFIG=')) found();
    });
    void ended.then(() => found());
  });
  const [, url = ''] = /listening on (\S+)/.exec(stdout) ?? [];
  const [, kubeconfig = ''] = /KUBECONFIG=(\S+)/.exec(stdout) ?? [];
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return await ended;
  };
  return { url, kubeconfig, ended, stop, stderr: () => stderr };
}

function serverIn(path: string): string | undefined {
  const { clusters } = parse(readFileSync(path, 'utf8')) as { clusters: { cluster: { server: string } }[] };
  return clusters[0]?.cluster.server;
}

describe('a second server in the folder of a running one', { timeout: 120_000 }, () => {
  test('that is ephemeral has a kubeconfig of its own, in a folder that ends with it', async () => {
    const lasting = await run();
    const [first, second] = [await run('--ephemeral'), await run('--ephemeral', '--rbac')];
    expect(lasting.kubeconfig).toBe(join(folder, '.driftless', 'kubeconfig'));
    expect(new Set([lasting, first, second].map(({ kubeconfig }) => dirname(kubeconfig))).size).toBe(3);
    for (const { url, kubeconfig } of [lasting, first]) expect(serverIn(kubeconfig)).toBe(url);
    expect(serverIn(second.kubeconfig)).toBe(second.url.replace('http:', 'https:'));
    expect(await second.stop('SIGTERM')).toBe(0);
    expect(existsSync(dirname(second.kubeconfig))).toBe(false);
    expect([existsSync(first.kubeconfig), existsSync(lasting.kubeconfig)]).toEqual([true, true]);
  });

  test.each([[[]], [['--ephemeral']]])('is refused if it names the data directory of one with %j', async (options) => {
    const directory = join(folder, 'data');
    const first = await run('--data-dir', directory, ...options);
    const second = await run('--data-dir', directory, '--ephemeral');
    expect([await second.ended, second.stderr()]).toEqual([2, expect.stringMatching(/ is in use by process \d+\n$/)]);
    expect(serverIn(first.kubeconfig)).toBe(first.url);
    await first.stop('SIGKILL');
    const third = await run('--data-dir', directory, '--ephemeral');
    expect(serverIn(third.kubeconfig)).toBe(third.url);
  });

  test('is refused if it names the kubeconfig of the running one, which a later one may have', async () => {
    const kubeconfig = join(folder, 'config');
    const first = await run('--ephemeral', '--kubeconfig', kubeconfig);
    const second = await run('--ephemeral', '--kubeconfig', kubeconfig);
    expect([await second.ended, second.stderr()]).toEqual([
      2,
      `driftless: --kubeconfig is of the server at ${first.url}, which runs; name another file\n`,
    ]);
    expect(serverIn(kubeconfig)).toBe(first.url);
    await first.stop('SIGKILL');
    const third = await run('--ephemeral', '--kubeconfig', kubeconfig);
    expect(serverIn(kubeconfig)).toBe(third.url);
  });
});
