import { once } from 'node:events';
import { request, type RequestOptions } from 'node:https';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSignedCertificate } from '../../../infra/host/selfSignedCertificate.ts';
import { SystemClock } from '../../../lambdas/adapters/clocks/SystemClock.ts';
import type { ApiEnvironment } from '../../../lambdas/functions/api/fromProxyEvent.ts';
import type { ContainerServer } from '../../../lambdas/functions/api/openContainerServer.ts';
import { openDirectServer } from '../../../lambdas/functions/api/openDirectServer.ts';
import type { UpgradableEnvironment } from '../../../lambdas/rest/createApiApp.ts';

const USERS: Readonly<Record<string, string>> = { 'Bearer jane': 'jane' };
const { certificate, privateKey } = selfSignedCertificate(Date.now());
const logged: string[] = [];
let server: ContainerServer;

/** An API that answers who asks for what, and whose streams send everything back. */
async function fetch(asked: Request, environment: unknown): Promise<Response> {
  const { user, acceptUpgrade } = environment as ApiEnvironment & Partial<UpgradableEnvironment>;
  if (acceptUpgrade && user) {
    acceptUpgrade({ status: 'upgraded', headers: [['Upgrade', 'SPDY/3.1']], stream: new PassThrough() });
    return new Response(null);
  }
  return Response.json({ user: user?.username, path: new URL(asked.url).pathname }, { status: user ? 200 : 401 });
}

beforeAll(async () => {
  server = await openDirectServer({
    fetch,
    authenticate: async ([value = '', ...others]) => {
      if (value === 'Bearer unlucky') throw new Error('STS cannot be reached');
      const username = others.length > 0 ? undefined : USERS[value];
      return username === undefined ? undefined : { username, uid: '', groups: [] };
    },
    clock: new SystemClock(),
    listen: '0',
    stage: 'k8s',
    certificate,
    privateKey,
    logError: (message) => logged.push(message),
  });
});
afterAll(() => server.close());

async function ask(path: string, headers: RequestOptions['headers'] = {}) {
  const sent = request({
    host: '127.0.0.1',
    port: Number(server.address),
    path,
    headers,
    ca: certificate,
    servername: 'localhost',
    agent: false,
  }).end();
  const [message] = await once(sent, 'response');
  return { code: message.statusCode as number, body: JSON.parse(await text(message)) as Record<string, unknown> };
}

describe('the container without API Gateway', () => {
  it('identifies its callers by their tokens', async () => {
    expect(await ask('/api/v1/pods', { authorization: 'Bearer jane' })).toEqual({
      code: 200,
      body: { user: 'jane', path: '/api/v1/pods' },
    });
  });

  it('believes no header that names a user', async () => {
    const forged = { 'x-driftless-username': 'root', 'x-driftless-groups': '["system:masters"]' };
    expect((await ask('/api/v1/pods', forged)).code).toBe(401);
    expect((await ask('/api/v1/pods', { ...forged, authorization: 'Bearer jane' })).body['user']).toBe('jane');
  });

  it('serves the paths of API Gateway, too', async () => {
    const { body } = await ask('/k8s/api/v1/pods', { authorization: 'Bearer jane' });
    expect(body['path']).toBe('/api/v1/pods');
  });

  it('answers 500 if it cannot find out who calls, and says so in the log', async () => {
    const { code, body } = await ask('/api/v1/pods', { authorization: 'Bearer unlucky' });
    expect([code, body['kind'], body['reason']]).toEqual([500, 'Status', 'InternalError']);
    expect(logged).toEqual(['the caller could not be identified']);
  });

  it.each(['', '/k8s'])('opens streams, with %j before the path', async (stage) => {
    const socket = connect({
      host: '127.0.0.1',
      port: Number(server.address),
      ca: certificate,
      servername: 'localhost',
    });
    const head = ['Host: localhost', 'Authorization: Bearer jane', 'Connection: Upgrade', 'Upgrade: SPDY/3.1'].join(
      '\r\n',
    );
    socket.write(`POST ${stage}/api/v1/namespaces/default/pods/web/exec?command=ls HTTP/1.1\r\n${head}\r\n\r\n`);
    let received = '';
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received += chunk.toString('latin1');
      if (received.endsWith('\r\n\r\n')) socket.write('hello');
      if (received.endsWith('hello')) break;
    }
    expect(received).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/);
  });

  it.each([
    ['a host that is none', 'POST', '['],
    ['a method that no API has', 'TRACE', 'localhost'],
  ])('answers 400 to a stream with %s', async (_, method, host) => {
    const socket = connect({
      host: '127.0.0.1',
      port: Number(server.address),
      ca: certificate,
      servername: 'localhost',
    });
    const head = [`Host: ${host}`, 'Connection: Upgrade', 'Upgrade: SPDY/3.1'].join('\r\n');
    socket.write(`${method} /api/v1/namespaces/default/pods/web/exec?command=ls HTTP/1.1\r\n${head}\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(first.toString('latin1')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });
});
