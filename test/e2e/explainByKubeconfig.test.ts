import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseExplainOptions, runExplain } from '../../infra/commandLine/runExplain.ts';
import { UsageError } from '../../infra/host/UsageError.ts';
import { startTestCluster } from '../support/startTestCluster.ts';

const directory = mkdtempSync(join(tmpdir(), 'driftless-kubeconfig-'));
afterAll(() => rmSync(directory, { recursive: true }));

const KEY = 'namespace/default';
const EXPLAINED = /^namespace\/default, at /;
const NOWHERE = 'http://127.0.0.1:1';

function write(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

function kubeconfigFor(name: string, server: string): string {
  return write(
    name,
    JSON.stringify({
      'current-context': name,
      contexts: [{ name, context: { cluster: name, user: name } }],
      clusters: [{ name, cluster: { server } }],
      users: [{ name, user: {} }],
    }),
  );
}

const explain = (args: readonly string[], KUBECONFIG: string) =>
  runExplain(parseExplainOptions([KEY, ...args], { KUBECONFIG }));

/** Answers as an API server of somebody else. */
async function startOther(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    if (request.url === '/version') response.end(JSON.stringify({ gitVersion: 'v1.34.1' }));
    else response.writeHead(404, { 'Content-Type': 'text/plain' }).end('404 page not found\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

describe('driftless explain', () => {
  test('asks the server of the kubeconfig`s current context', async () => {
    const cluster = await startTestCluster();
    expect(await explain([], cluster.kubeconfigPath)).toMatch(EXPLAINED);
  });

  test('sends the token of a server that checks permissions, over HTTPS with its own authority', async () => {
    const cluster = await startTestCluster({ rbac: true });
    expect(cluster.kubeconfig).toContain('server: https:');
    expect(await explain([], cluster.kubeconfigPath)).toMatch(EXPLAINED);
    expect(await explain(['--kubeconfig', cluster.kubeconfigPath], '')).toMatch(EXPLAINED);
    expect(await explain(['--data-dir', dirname(cluster.kubeconfigPath)], '')).toMatch(EXPLAINED);
    const denied = runExplain({ key: KEY, places: [{ server: cluster.url }] });
    await expect(denied).rejects.toThrow(/^forbidden: User "system:anonymous" cannot get path "\/debug\/explain/);
  });

  test('reads several files as kubectl does, and takes a context by its name', async () => {
    const cluster = await startTestCluster();
    const absent = join(directory, 'absent');
    const files = [absent, kubeconfigFor('first', NOWHERE), cluster.kubeconfigPath].join(':');
    expect(await explain(['--context', 'driftless'], files)).toMatch(EXPLAINED);
    await expect(explain(['--context', 'first'], files)).rejects.toThrow(
      new UsageError(`no server answers at ${NOWHERE}; name the server by --server, --context or --data-dir`),
    );
    await expect(explain(['--context', 'third'], files)).rejects.toThrow(
      `${cluster.kubeconfigPath} names no context third`,
    );
  });

  test('falls back on the data directory where another cluster, or none, answers', async () => {
    const cluster = await startTestCluster();
    const other = await startOther();
    const ofDirectory = { kubeconfigs: [cluster.kubeconfigPath] };
    for (const place of [
      { kubeconfigs: [kubeconfigFor('other', other.url)] },
      { kubeconfigs: [kubeconfigFor('nowhere', NOWHERE)] },
      { kubeconfigs: [join(directory, 'absent')] },
      { kubeconfigs: [write('broken', 'a: [')] },
    ])
      expect(await runExplain({ key: KEY, places: [place, ofDirectory] })).toMatch(EXPLAINED);
    await expect(explain(['--server', other.url], '')).rejects.toThrow(`the server at ${other.url} is not Driftless`);
    other.close();
  });

  test('believes the first Driftless that answers, though it does not know the key', async () => {
    const [first, second] = [await startTestCluster(), await startTestCluster()];
    await second.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
    const places = [{ kubeconfigs: [first.kubeconfigPath] }, { kubeconfigs: [second.kubeconfigPath] }];
    await expect(runExplain({ key: 'namespace/other', places })).rejects.toThrow(
      'namespace/other: there is no such object, and no sync of it is remembered',
    );
  });

  test.each([
    [['--server', ''], '--server must not be empty'],
    [['--context', ''], '--context must not be empty'],
    [['--server', 'a', '--data-dir', 'b'], 'name one of --server, --context (with --kubeconfig) and --data-dir'],
  ])('refuses %j', async (args, message) => {
    await expect(async () => await explain(args, '')).rejects.toThrow(new UsageError(message));
  });
});
