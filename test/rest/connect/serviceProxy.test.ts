import { beforeEach, describe, expect, it } from 'vitest';
import type { Backend, BackendConnections } from '../../../lambdas/ports/BackendConnections.ts';
import { parseServiceName } from '../../../lambdas/rest/connect/serveServiceProxy.ts';
import { type Api, startApi } from '../startApi.ts';

const NAMESPACE = '/api/v1/namespaces/default';

let api: Api;
/** Where requests went, and with which paths. */
let sent: { readonly backend: Backend; readonly path: string; readonly method: string }[];

beforeEach(async () => {
  sent = [];
  const send: BackendConnections['send'] = async ({ backend, path, method }) => {
    sent.push({ backend, path, method });
    return { status: 'answered', response: new Response('hello') };
  };
  api = await startApi({ backends: { send, upgrade: send } });
  const ports = [
    { name: 'web', port: 80, targetPort: 8080 },
    { name: 'metrics', port: 9100, targetPort: 9100 },
  ];
  await api.call('POST', `${NAMESPACE}/services`, { metadata: { name: 'web' }, spec: { ports } });
  await api.call('POST', '/api/v1/nodes', { metadata: { name: 'worker' } });
  await createPod('web-1', '10.244.1.7');
});

async function createPod(name: string, podIP: string): Promise<void> {
  const spec = { nodeName: 'worker', containers: [{ name: 'main', image: 'busybox:1' }] };
  await api.call('POST', `${NAMESPACE}/pods`, { metadata: { name }, spec });
  const status = { phase: 'Running', podIP, podIPs: [{ ip: podIP }] };
  const { code } = await api.call('PATCH', `${NAMESPACE}/pods/${name}/status`, { status }, MERGE);
  expect(code).toBe(200);
}

const MERGE = { 'content-type': 'application/merge-patch+json' };

async function endpoints(...addresses: readonly object[]): Promise<void> {
  const ports = [
    { name: 'web', port: 8080 },
    { name: 'metrics', port: 9100 },
  ];
  const { code } = await api.call('POST', `${NAMESPACE}/endpoints`, {
    metadata: { name: 'web' },
    subsets: [{ addresses, ports }],
  });
  expect(code).toBe(201);
}

const pod = (name: string, ip: string, namespace = 'default') => ({ ip, targetRef: { kind: 'Pod', name, namespace } });

describe('the name in the path of a proxy to a Service', () => {
  it.each([
    ['web', { scheme: 'http', name: 'web', port: '' }],
    ['web:http', { scheme: 'http', name: 'web', port: 'http' }],
    ['https:web:443', { scheme: 'https', name: 'web', port: '443' }],
    [':web:80', { scheme: 'http', name: 'web', port: '80' }],
    ['https:web:', { scheme: 'https', name: 'web', port: '' }],
  ])('%s', (text, parsed) => expect(parseServiceName(text)).toEqual(parsed));

  it.each(['a:b:c:d', 'ftp:web:21', ':web:80:', '', '::80'])('%j is refused', (text) => {
    expect(() => parseServiceName(text)).toThrow(`invalid service request ${JSON.stringify(text)}`);
  });
});

describe('a proxy to a Service', () => {
  it.each([
    ['web:80', 'http', 8080],
    ['web:web', 'http', 8080],
    ['https:web:metrics', 'https', 9100],
    ['web:9100', 'http', 9100],
  ])('passes the request for %s on to a pod behind it', async (name, scheme, port) => {
    await endpoints(pod('web-1', '10.244.1.7'));
    const answer = await api.app.request(`http://127.0.0.1${NAMESPACE}/services/${name}/proxy/a%20b/c?d=e`);
    expect([answer.status, await answer.text()]).toEqual([200, 'hello']);
    const backend = { scheme, host: '10.244.1.7', port, isKubelet: false };
    expect(sent).toEqual([{ backend, path: '/a%20b/c?d=e', method: 'GET' }]);
  });

  it.each([
    ['web:81', 503, 'no service port 81 found for service "web"'],
    ['web:other', 503, 'no endpoints available for service "web"'],
    ['gone:80', 404, 'services "gone" not found'],
    ['gone', 404, 'endpoints "gone" not found'],
    ['a:b:c:d', 400, 'invalid service request "a:b:c:d"'],
  ])('of %s is refused with %d', async (name, code, message) => {
    await endpoints(pod('web-1', '10.244.1.7'));
    const answer = await api.call('GET', `${NAMESPACE}/services/${name}/proxy/`);
    expect([answer.code, answer.body.message]).toEqual([code, message]);
    expect(sent).toEqual([]);
  });

  it.each([
    ['is no pod', { ip: '10.0.0.1' }],
    ['is a pod that is gone', pod('web-9', '10.244.1.7')],
    ['has another address than its pod', pod('web-1', '10.0.0.1')],
    ['is in another namespace', pod('web-1', '10.244.1.7', 'other')],
  ])('does not connect to an endpoint that %s', async (_fact, address) => {
    await endpoints(address);
    const answer = await api.call('GET', `${NAMESPACE}/services/web:80/proxy/`);
    expect([answer.code, answer.body.message]).toEqual([503, 'no endpoints available for service "web"']);
    expect(sent).toEqual([]);
  });

  it('says that a simulated pod serves nothing', async () => {
    await api.call('PATCH', '/api/v1/nodes/worker', SIMULATED, MERGE);
    await endpoints(pod('web-1', '10.244.1.7'));
    const answer = await api.call('GET', `${NAMESPACE}/services/web:80/proxy/`);
    expect([answer.code, answer.body.message]).toEqual([
      400,
      'simulated pods serve nothing: there is nothing to proxy to',
    ]);
  });
});

const SIMULATED = { spec: { providerID: 'driftless://worker' } };
