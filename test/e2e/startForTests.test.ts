import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, watch } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { RemoteCluster } from '../support/RemoteCluster.ts';
import { webDeployment } from '../support/webDeployment.ts';

const CLOCK = 'clocks/cluster';

let directory = '';
let started = 0;
const children = new Set<ChildProcess>();

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'driftless-tests-'));
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  await rm(directory, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Ready {
  readonly url: string;
  readonly kubeconfig: string;
  readonly pid: number;
}

/** Starts a server for a test, and waits for its ready file as a program in any language would. */
const start = (...args: readonly string[]) => startBy([process.execPath, 'infra/bin/startFromSource.js'], args);

async function startBy([program = '', ...words]: readonly string[], args: readonly string[]) {
  const readyFile = join(directory, `ready-${(started += 1)}.json`);
  const child = spawn(program, [...words, '--port', '0', '--ready-file', readyFile, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.add(child);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const failed = ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${stderr}`)));
  failed.catch(() => {});
  await Promise.race([appears(readyFile), failed]);
  const ready = JSON.parse(readFileSync(readyFile, 'utf8')) as Ready;
  return { ready, readyFile, child, ended, remote: new RemoteCluster(ready) };
}

const appears = (path: string) => changesTo(path, true);

/** Resolves when there is such a file, or none. */
async function changesTo(path: string, wanted: boolean): Promise<void> {
  const ended = new AbortController();
  await new Promise<void>((resolve) => {
    watch(dirname(path), { signal: ended.signal }, () => existsSync(path) === wanted && resolve());
    if (existsSync(path) === wanted) resolve();
  });
  ended.abort();
}

// Each test starts a process or two.
describe('a server for tests', { timeout: 60_000 }, () => {
  test('keeps nothing but the kubeconfig and the ready file that the user names', async () => {
    const kubeconfig = join(directory, 'my kubeconfig');
    const dataDir = join(directory, 'data');
    const options = ['--ephemeral', '--clock', 'virtual', '--kubeconfig', kubeconfig, '--data-dir', dataDir];
    const { ready, readyFile, child, ended } = await start(...options);
    expect(ready).toEqual({ url: expect.stringContaining('http://127.0.0.1:') as string, kubeconfig, pid: child.pid });
    const config = parse(readFileSync(kubeconfig, 'utf8')) as { clusters: { cluster: { server: string } }[] };
    expect(config.clusters[0]?.cluster.server).toBe(ready.url);
    expect(statSync(kubeconfig).mode & 0o077).toBe(0);
    expect(readdirSync(directory).sort()).toEqual(['my kubeconfig', basename(readyFile)]);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(existsSync(readyFile)).toBe(false);
  });

  test('has written its kubeconfig when it first answers', async () => {
    const kubeconfig = join(directory, 'kubeconfig');
    // Another program may take the free port first.
    while (!(await answersOn(await freePort()))) expect(existsSync(kubeconfig)).toBe(false);
    expect(existsSync(kubeconfig)).toBe(true);
  });

  /** Starts a server on the port, and asks it until it answers or has ended. */
  async function answersOn(port: number): Promise<boolean> {
    const options = ['--ephemeral', '--port', `${port}`, '--data-dir', directory];
    const child = spawn(process.execPath, ['infra/bin/startFromSource.js', ...options], { stdio: 'ignore' });
    children.add(child);
    while (child.exitCode === null) {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      if (answer?.ok) return true;
    }
    return false;
  }

  test('ends with the npm that runs it, which passes a signal to its shell alone', async () => {
    const npm = ['npm', 'start', '--silent', '--'];
    const { readyFile, child, ended } = await startBy(npm, ['--ephemeral', '--data-dir', directory]);
    child.kill('SIGTERM');
    await Promise.all([ended, changesTo(readyFile, false)]);
  });

  test('is ready when its manifests are applied, testing objects among them, and does not wait for their rollouts', async () => {
    const file = join(directory, 'all.yaml');
    const behaviour = { apiVersion: 'testing.driftless.dev/v1', kind: 'PodBehaviour', metadata: { name: 'bad' } };
    const objects = [{ ...behaviour, spec: { behave: { failPull: true } } }, webDeployment()];
    await writeFile(file, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
    const { remote } = await start('--ephemeral', '--clock', 'virtual', '--filename', file, '--data-dir', directory);
    await remote.control('POST', `${CLOCK}/advance`, { duration: '11m' });
    const { status } = (await remote.send('GET', '/apis/apps/v1/namespaces/default/deployments/web')).body;
    expect(status).toMatchObject({
      conditions: [{ type: 'Available' }, { type: 'Progressing', reason: 'ProgressDeadlineExceeded' }],
    });
  });

  test('never goes back in time in its data directory, also after kill -9 while the clock moves', async () => {
    const options = ['--clock', 'virtual', '--start-time', '2026-03-01T00:00:00Z', '--data-dir', directory];
    const first = await start(...options);
    await first.remote.send('POST', '/apis/apps/v1/namespaces/default/deployments', webDeployment());
    await first.remote.control('POST', `${CLOCK}/advance`, { duration: '1h' });
    const moved = first.remote.control('POST', `${CLOCK}/advance`, { duration: '240h' }).catch(() => undefined);
    await first.remote.control('GET', CLOCK);
    first.child.kill('SIGKILL');
    await Promise.all([first.ended, moved]);
    const second = await start('--clock', 'virtual', '--data-dir', directory);
    const clock = (await second.remote.control('GET', CLOCK)).body as { status: { time: string } };
    expect(Date.parse(clock.status.time)).toBeGreaterThanOrEqual(Date.parse('2026-03-01T01:00:00Z'));
    const events = (await second.remote.send('GET', '/api/v1/events')).body as { items: { lastTimestamp: string }[] };
    for (const { lastTimestamp } of events.items)
      expect(Date.parse(lastTimestamp)).toBeLessThanOrEqual(Date.parse(clock.status.time));
  });

  test('on the clock of the machine serves faults with --testing, and no such group without', async () => {
    const { remote } = await start('--ephemeral', '--testing', '--data-dir', directory);
    await remote.createFault('outage', { verb: 'list', resource: 'pods', respond: { code: 503 } });
    expect((await remote.send('GET', '/api/v1/pods')).code).toBe(503);
    const groups = (await remote.send('GET', '/apis')).body as { groups: { name: string }[] };
    expect(groups.groups.map(({ name }) => name)).toContain('testing.driftless.dev');
    const plain = await start('--ephemeral');
    const others = (await plain.remote.send('GET', '/apis')).body as { groups: { name: string }[] };
    expect(others.groups.map(({ name }) => name)).not.toContain('testing.driftless.dev');
    expect((await fetch(`${plain.ready.url}/apis/testing.driftless.dev/v1/faults`)).status).toBe(404);
  });

  test('with --rbac lets only those use the group who may', async () => {
    const { ready } = await start('--ephemeral', '--clock', 'virtual', '--rbac', '--data-dir', directory);
    const config = parse(readFileSync(ready.kubeconfig, 'utf8')) as { users: { user: { token: string } }[] };
    const authorization = `Bearer ${config.users[0]?.user.token}`;
    const advance = `${ready.url}/apis/testing.driftless.dev/v1/${CLOCK}/advance`;
    const send = async (headers: Record<string, string>) => {
      const sent = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: '{"duration":"1m"}',
      };
      const { status, message } = (await (await fetch(advance, sent)).json()) as { status: unknown; message?: string };
      return message ?? status;
    };
    expect(await send({ authorization })).toMatchObject({ time: '2026-01-01T00:01:00.000Z' });
    const refusal = (user: string) =>
      `clocks.testing.driftless.dev "cluster" is forbidden: User "${user}" cannot create resource "clocks/advance" in API group "testing.driftless.dev" at the cluster scope`;
    expect(await send({})).toBe(refusal('system:anonymous'));
    expect(await send({ authorization, 'Impersonate-User': 'jane' })).toBe(refusal('jane'));
  });
});
