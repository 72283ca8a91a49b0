import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { openGatewayServer } from '../../../infra/emulation/gateway/openGatewayServer.ts';
import { openHttpServer } from '../../../infra/host/openHttpServer.ts';
import { selfSignedCertificate } from '../../../infra/host/selfSignedCertificate.ts';
import { SystemClock } from '../../../lambdas/adapters/clocks/SystemClock.ts';
import { type ContainerServer, openContainerServer } from '../../../lambdas/functions/api/openContainerServer.ts';
import { openDirectServer } from '../../../lambdas/functions/api/openDirectServer.ts';

const TIMEOUT_MS = 200;
const DRIP_MS = 20;
const CLIENTS = 50;

interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

const fetch = async (request: Request) => new Response(await request.text());
const CERTIFICATE = selfSignedCertificate(Date.now());
const clock = new SystemClock();
const common = { fetch, clock, listen: '0', stage: 'k8s', requestTimeoutMs: TIMEOUT_MS };

/** Each listener of ours. */
const LISTENERS: Readonly<Record<string, () => Promise<Listener>>> = {
  'a server of HTTP alone': () => openHttpServer(fetch, { port: 0, requestTimeoutMs: TIMEOUT_MS }),
  'a server of HTTP and HTTPS': () =>
    openHttpServer(fetch, { port: 0, requestTimeoutMs: TIMEOUT_MS, certificate: CERTIFICATE }),
  'the emulated gateway': () =>
    openGatewayServer(async (_, response) => void response.end('ok'), CERTIFICATE, 0, TIMEOUT_MS),
  "the container's server": async () => portOf(await openContainerServer(common)),
  'the server behind no gateway': async () => {
    const authenticate = async () => undefined;
    return portOf(await openDirectServer({ ...common, ...CERTIFICATE, authenticate, logError: () => {} }));
  },
};

function portOf(opened: ContainerServer): Listener {
  return { port: Number(opened.address), close: () => opened.close() };
}

/** What a slow client sends at once, and what it goes on sending a byte at a time. The next finding is one line. */
const SLOWNESS: Readonly<Record<string, readonly [start: string, drip: string]>> = {
  'never sends a byte': ['', ''],
  'drips its headers': ['GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ', 'a'],
  'drips its first line': ['GET /', 'a'],
  'stops within its headers': ['GET / HTTP/1.1\r\nHost: a\r\n', ''],
  'never ends its TLS handshake': ['\u0016\u0003\u0001', ''],
};

let server: Listener | undefined;
afterEach(() => server?.close());

function openSlowClient(port: number, [start, drip]: readonly [string, string]): Promise<unknown> {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.resume();
  if (start !== '') socket.write(start, 'latin1');
  const timer = drip === '' ? undefined : setInterval(() => socket.write(drip), DRIP_MS);
  // A busy server may reset the connection, which is an error of the socket, and closes it as well.
  return new Promise((resolve) => socket.once('close', resolve)).finally(() => clearInterval(timer));
}

describe.each(Object.entries(LISTENERS))('%s closes a client', (_, open) => {
  test.each(Object.entries(SLOWNESS))('that %s', async (_slowness, slowness) => {
    server = await open();
    const { port } = server;
    const closed = await Promise.all(Array.from({ length: CLIENTS }, () => openSlowClient(port, slowness)));
    expect(closed).toHaveLength(CLIENTS);
  });
});
