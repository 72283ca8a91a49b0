import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
`;
const CONFIG_MAP = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {colour: green}
`;

let directory = '';
const children = new Set<ChildProcess>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'driftless-start-'));
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

interface Run {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<number | null>;
  /** Resolves when standard output holds this; rejects if the process ends first. */
  says(text: string): Promise<void>;
}

function run(...args: string[]): Run {
  const child = spawn(process.execPath, ['infra/bin/startFromSource.js', ...args]);
  children.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => stdout.includes(text) && resolve();
      child.stdout.on('data', look);
      look();
      void ended.then(() => reject(new Error(`ended without saying ${text}: ${stdout}${stderr}`)));
    });
  return { child, stdout: () => stdout, stderr: () => stderr, ended, says };
}

function urlOf(server: Run): string {
  return /listening on (\S+)\n/.exec(server.stdout())?.[1] ?? '';
}

async function start(...args: string[]): Promise<Run> {
  const server = run('--port', '0', ...args);
  await server.says('export KUBECONFIG=');
  return server;
}

describe('npm start', () => {
  test('prints its URL, its kubeconfig and its dashboard in three lines, and writes that kubeconfig', async () => {
    const dataDir = join(directory, 'three lines');
    const server = await start('--data-dir', dataDir);
    const url = urlOf(server);
    await server.says('dashboard on');
    expect(server.stdout().split('\n')).toEqual([
      `driftless listening on ${url}`,
      `export KUBECONFIG='${dataDir}/kubeconfig'`,
      `dashboard on ${url}/dashboard`,
      '',
    ]);
    const config = parse(readFileSync(join(dataDir, 'kubeconfig'), 'utf8')) as {
      clusters: { cluster: { server: string } }[];
    };
    expect(config.clusters[0]?.cluster.server).toBe(url);
    expect(statSync(join(dataDir, 'kubeconfig')).mode & 0o077).toBe(0);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'ends cleanly within two seconds after %s, with all watches',
    async (signal) => {
      const server = await start('--ephemeral', '--data-dir', join(directory, signal));
      const watch = await fetch(`${urlOf(server)}/api/v1/pods?watch=true`);
      const events = watch.text();
      const begunMs = performance.now();
      server.child.kill(signal);
      expect(await server.ended).toBe(0);
      expect(performance.now() - begunMs).toBeLessThan(2_000);
      expect(await events).toBe('');
      expect(server.stderr()).toBe('');
    },
  );

  test('loses no acknowledged write by kill -9, and continues the rollout after a restart', async () => {
    const dataDir = join(directory, 'killed');
    const first = await start('--data-dir', dataDir);
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const body = JSON.stringify(parse(DEPLOYMENT));
    const headers = { 'Content-Type': 'application/json' };
    const created = await fetch(urlOf(first) + path, { method: 'POST', headers, body });
    expect(created.status).toBe(201);
    first.child.kill('SIGKILL');
    await first.ended;

    const second = await start('--data-dir', dataDir);
    const watch = await fetch(`${urlOf(second)}${path}?watch=true`);
    let seen = '';
    for await (const chunk of watch.body ?? []) {
      seen += Buffer.from(chunk).toString();
      if (seen.includes('"availableReplicas":3')) break;
    }
    expect(seen).toContain('"availableReplicas":3');
  });

  test('with --filename applies a manifest of several documents, shows its rollout, and goes on serving', async () => {
    const file = join(directory, 'web.yaml');
    await writeFile(file, `${CONFIG_MAP}---${DEPLOYMENT}`);
    const server = await start('--ephemeral', '--data-dir', join(directory, 'applied'), '--filename', file);
    await server.says('rolled out');
    expect(server.stdout()).toContain('configmap/settings created\ndeployment.apps/web created\n');
    expect(server.stdout()).toContain('3 updated · 3 of 3 available · rolled out\n');
    const stored = await fetch(`${urlOf(server)}/apis/apps/v1/namespaces/default/deployments/web`);
    expect(await stored.json()).toMatchObject({ status: { updatedReplicas: 3, availableReplicas: 3 } });
    const settings = await fetch(`${urlOf(server)}/api/v1/namespaces/default/configmaps/settings`);
    expect(await settings.json()).toMatchObject({ data: { colour: 'green' } });
    expect((await fetch(`${urlOf(server)}/readyz`)).status).toBe(200);
  });

  test('with --filename updates an object that exists', async () => {
    const file = join(directory, 'settings.yaml');
    const dataDir = join(directory, 'configured');
    await writeFile(file, CONFIG_MAP);
    const first = await start('--data-dir', dataDir, '--filename', file);
    await first.says('configmap/settings created');
    first.child.kill('SIGTERM');
    await first.ended;
    await writeFile(file, CONFIG_MAP.replace('green', 'blue'));
    const second = await start('--data-dir', dataDir, '--filename', file);
    await second.says('configmap/settings configured');
    const response = await fetch(`${urlOf(second)}/api/v1/namespaces/default/configmaps/settings`);
    expect(await response.json()).toMatchObject({ data: { colour: 'blue' } });
  });

  test('with --ephemeral keeps only the kubeconfig', async () => {
    const dataDir = join(directory, 'ephemeral');
    const file = join(directory, 'ephemeral.yaml');
    await writeFile(file, CONFIG_MAP);
    const first = await start('--ephemeral', '--data-dir', dataDir, '--filename', file);
    await first.says('configmap/settings created');
    first.child.kill('SIGTERM');
    await first.ended;
    const second = await start('--ephemeral', '--data-dir', dataDir);
    const response = await fetch(`${urlOf(second)}/api/v1/namespaces/default/configmaps/settings`);
    expect(response.status).toBe(404);
  });
});

describe('npm start ends with one line and exit code 2 for', () => {
  const refuses = async (args: string[], message: RegExp) => {
    const refused = run(...args);
    expect(await refused.ended).toBe(2);
    expect(refused.stderr()).toMatch(message);
    expect(refused.stderr().trimEnd().split('\n')).toHaveLength(1);
    expect(refused.stdout()).not.toContain('created');
  };

  test('a wrong option', async () => {
    await refuses(['--bogus'], /^driftless: unknown option --bogus; /);
  });

  test('a data directory below a file', async () => {
    await refuses(['--port', '0', '--data-dir', '/dev/null/x'], /^driftless: data directory \/dev\/null\/x /);
  });

  test.each(['--port=0', '--ephemeral'])('a data directory that cannot be created, with %s', async (option) => {
    const args = ['--port', '0', '--data-dir', '/proc/none/such', option];
    await refuses(args, /^driftless: data directory \/proc\/none\/such /);
  });

  test('a kubeconfig that cannot be written', async () => {
    const args = ['--port', '0', '--ephemeral', '--data-dir', '/dev/null/x'];
    await refuses(args, /^driftless: data directory \/dev\/null\/x /);
  });

  test('a manifest that the server refuses', async () => {
    const file = join(directory, 'refused.yaml');
    await writeFile(file, DEPLOYMENT.replace('replicas: 3', 'replicas: -1'));
    const args = ['--port', '0', '--ephemeral', '--data-dir', join(directory, 'refused'), '--filename', file];
    await refuses(args, /deployment.apps\/web was refused: .*replicas/);
  });

  test('a manifest of a kind that is not served, before the server listens', async () => {
    const file = join(directory, 'unserved.yaml');
    await writeFile(file, `${CONFIG_MAP}---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\n`);
    const refused = run('--port', '0', '--ephemeral', '--data-dir', join(directory, 'unserved'), '--filename', file);
    expect(await refused.ended).toBe(2);
    expect(refused.stderr()).toBe('driftless: no matches for kind "Widget" in version "example.com/v1"\n');
    expect(refused.stdout()).toBe('');
  });

  test('a port in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    await refuses(
      ['--port', `${port}`, '--ephemeral'],
      new RegExp(`^driftless: port ${port} is in use; name another one, or 0 for one that is free$`, 'm'),
    );
    other.close();
  });

  test('a data directory in use', async () => {
    const dataDir = join(directory, 'in use');
    await start('--data-dir', dataDir);
    await refuses(['--port', '0', '--data-dir', dataDir], /^driftless: data directory .* is in use by process \d+$/m);
  });
});
