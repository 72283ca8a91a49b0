import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../../infra/testCluster/startCluster.ts';

let cluster: Cluster;
/** Serves on all addresses of this machine, and must never be asked. */
let secret: Server;
let asked = 0;

beforeAll(async () => {
  secret = createServer((_request, response) => {
    asked += 1;
    response.end('secret');
  });
  await new Promise<void>((resolve) => void secret.listen(0, '::', resolve));
  cluster = await startCluster({ nodes: 0 });
  await send('POST', '/api/v1/nodes', { metadata: { name: 'worker' } });
  const spec = { nodeName: 'worker', containers: [{ name: 'main', image: 'busybox:1' }] };
  await send('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'web' }, spec });
}, 60_000);
afterAll(async () => {
  secret.close();
  await cluster.stop();
});

const port = () => (secret.address() as AddressInfo).port;

async function send(method: string, path: string, body?: object): Promise<{ code: number; message: string }> {
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const response = await cluster.request(path, {
    method,
    headers: { 'content-type': contentType },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { message = text } = response.headers.get('content-type')?.includes('json')
    ? (JSON.parse(text) as { message?: string })
    : {};
  return { code: response.status, message };
}

const WAYS_TO_SAY_LOOPBACK = [
  '127.0.0.1',
  '::1',
  '0::1',
  '::1%lo',
  '::ffff:127.0.0.1',
  '0:0:0:0:0:ffff:7f00:1',
  '2130706433',
  '0x7f.1',
  'localhost',
  '0.0.0.0',
  '::',
];

describe('a proxy', () => {
  it.each(WAYS_TO_SAY_LOOPBACK)('to a pod does not reach this machine by %s', async (podIP) => {
    const written = await send('PATCH', '/api/v1/namespaces/default/pods/web/status', {
      status: { phase: 'Running', podIP, podIPs: [{ ip: podIP }] },
    });
    const answer = await send('GET', `/api/v1/namespaces/default/pods/web:${port()}/proxy/`);
    // What Kubernetes refuses in a status cannot be there to connect to.
    expect(written.code === 422 || answer.message === 'address not allowed', JSON.stringify([written, answer])).toBe(
      true,
    );
    expect(asked).toBe(0);
  });

  it.each(
    WAYS_TO_SAY_LOOPBACK.flatMap((address) => ['InternalIP', 'Hostname'].map((type) => [type, address] as const)),
  )('to a port of a node does not reach this machine by %s %s', async (type, address) => {
    const status = { addresses: [{ type, address }] };
    expect((await send('PATCH', '/api/v1/nodes/worker/status', { status })).code).toBe(200);
    expect(await send('GET', `/api/v1/nodes/worker:${port()}/proxy/`)).toEqual({
      code: 400,
      message: 'address not allowed',
    });
    expect(asked).toBe(0);
  });
});
