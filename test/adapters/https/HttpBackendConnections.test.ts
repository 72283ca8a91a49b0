import { createServer as createPlainServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSignedCertificate } from '../../../infra/host/selfSignedCertificate.ts';
import {
  type BackendConnectionsOptions,
  HttpBackendConnections,
} from '../../../lambdas/adapters/https/HttpBackendConnections.ts';
import type { Backend } from '../../../lambdas/ports/BackendConnections.ts';

const own = selfSignedCertificate(Date.now());
const CREDENTIALS = { ...own, authority: own.certificate };
let servers: Readonly<Record<'http' | 'https', Server>>;
let received = 0;

beforeAll(async () => {
  const answer: RequestListener = (_request, response) => {
    received += 1;
    response.writeHead(302, { location: '/elsewhere' }).end('hello');
  };
  servers = {
    http: createPlainServer(answer),
    https: createSecureServer({ key: own.privateKey, cert: own.certificate }, answer),
  };
  for (const server of Object.values(servers))
    await new Promise<void>((resolve) => void server.listen(0, '::', () => resolve()));
});
afterAll(() => Object.values(servers).forEach((server) => server.close()));

/** Resolves to the state of a backend's answer, and whether it received anything. */
async function outcome(backend: Omit<Backend, 'port'>, options: BackendConnectionsOptions): Promise<string> {
  const { port } = servers[backend.scheme].address() as AddressInfo;
  const before = received;
  const headers = new Headers();
  const answer = await new HttpBackendConnections(options).send({
    backend: { ...backend, port },
    method: 'GET',
    path: '/',
    headers,
  });
  if (answer.status === 'answered') await answer.response.text();
  return `${answer.status}, ${received - before} requests`;
}

const TRUSTING = { hasLocalClients: true };
const PUBLIC = { hasLocalClients: false };

describe('the address of a pod or of another port of a node', () => {
  it.each([
    '127.0.0.1',
    '::1',
    '0::1',
    '::1%lo',
    '0.0.0.0',
    '::',
    '::ffff:127.0.0.1',
    '0:0:0:0:0:ffff:7f00:1',
    '2130706433',
    '0x7f.1',
    'localhost',
    '',
  ])('is never this machine, also written as %j', async (host) => {
    const pod = { scheme: 'http', host, isKubelet: false } as const;
    expect(await outcome(pod, TRUSTING)).toBe('forbidden, 0 requests');
    expect(await outcome({ ...pod, scheme: 'https' }, { ...PUBLIC, credentials: CREDENTIALS })).toBe(
      'forbidden, 0 requests',
    );
  });

  it.each(['localhost', '2130706433', '0x7f.1'])('is not this machine by the name %s either', async (host) => {
    const named = { scheme: 'http', host, isNamed: true, isKubelet: false } as const;
    expect(await outcome(named, TRUSTING)).toBe('forbidden, 0 requests');
  });
});

describe('the address of a kubelet', () => {
  const kubelet = { scheme: 'https', host: '127.0.0.1', isKubelet: true } as const;
  const verified = { ...PUBLIC, credentials: CREDENTIALS };
  it.each([
    ['where all clients are on this machine', kubelet, TRUSTING, 'answered, 1 requests'],
    ['where the kubelet is verified', kubelet, verified, 'answered, 1 requests'],
    ['not where nobody verifies it', kubelet, PUBLIC, 'forbidden, 0 requests'],
    [
      'not where the client asks not to verify it',
      { ...kubelet, skipsVerification: true },
      verified,
      'forbidden, 0 requests',
    ],
    [
      'by a name that the node’s status calls a name',
      { ...kubelet, host: 'localhost', isNamed: true },
      verified,
      'answered, 1 requests',
    ],
    [
      'not by a name that the node’s status calls an address',
      { ...kubelet, host: 'localhost' },
      verified,
      'forbidden, 0 requests',
    ],
  ] as const)('may be this machine %s', async (_fact, backend, options, expected) => {
    expect(await outcome(backend, options)).toBe(expected);
  });

  it.each(['169.254.169.254', '0.0.0.0', '::', 'fe80::1%lo', 'fd00:ec2::254'])('is never %s', async (host) =>
    expect(await outcome({ ...kubelet, host }, TRUSTING)).toBe('forbidden, 0 requests'),
  );
});
