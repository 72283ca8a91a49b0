import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LastingServer } from '../../../infra/commandLine/LastingServer.ts';

async function serve(code: number, text: string) {
  const server = createServer((_, response) => response.writeHead(code).end(text));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function openAt(server: string) {
  const directory = mkdtempSync(join(tmpdir(), 'driftless-lasting-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'kubeconfig');
  const write = (url: string) => {
    const clusters = [{ name: 'a', cluster: { server: url } }];
    const contexts = [{ name: 'a', context: { cluster: 'a' } }];
    writeFileSync(path, JSON.stringify({ clusters, contexts, 'current-context': 'a' }));
  };
  write(server);
  let nowMs = 0;
  // Each look is later than the longest wait between two.
  const lasting = await LastingServer.open({ kubeconfigs: [path] }, () => (nowMs += 60_000));
  onTestFinished(() => lasting.close());
  return { lasting, write };
}

test.each([
  ['nothing answers', undefined],
  ['the user is not known any more', 401],
])('reads the kubeconfig again when %s', async (_, code) => {
  const [first, second] = [await serve(code ?? 200, 'first'), await serve(200, 'second')];
  const { lasting, write } = await openAt(first.url);
  if (code === undefined) first.close();
  write(second.url);
  await vi.waitFor(async () => expect(await (await lasting.send('/version')).text()).toBe('second'));
  expect(lasting.found.server).toBe(second.url);
});

test('keeps its server while the kubeconfig says nothing new, or names none', async () => {
  const first = await serve(401, 'first');
  const { lasting, write } = await openAt(first.url);
  write('');
  for (let time = 0; time < 3; time += 1) expect(await (await lasting.send('/version')).text()).toBe('first');
  expect(lasting.found.server).toBe(first.url);
});
