import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { ApiHandler } from '../../lambdas/functions/api/createApiHandler.ts';
import { timeoutsOf } from '../../lambdas/functions/api/timeoutsOf.ts';
import { DualServer } from './DualServer.ts';
import type { Certificate } from './selfSignedCertificate.ts';
import { Upgrades } from '../../lambdas/functions/api/Upgrades.ts';

/** The address on which a server listens that authenticates nobody. */
export const LOOPBACK = '127.0.0.1';

/** How long open requests may continue when the server closes; watches never end by themselves. */
const CLOSE_GRACE_MS = 500;

/** How long a client may take to send a request with its body, as apiserver's request timeout. An answer, such as a watch, may last as long as it likes. */
const REQUEST_TIMEOUT_MS = 60_000;

const SWEEP_INTERVAL_MS = 20;

export interface HttpServer {
  readonly port: number;
  /** Accepts no more requests, gives the open ones a moment to end, then closes their connections. */
  close(): Promise<void>;
}

export interface HttpServerOptions {
  /** 0 picks a free one. */
  readonly port: number;
  /** The address to listen on. Default: loopback. From other machines, only HTTPS is accepted. */
  readonly address?: string | undefined;
  readonly requestTimeoutMs?: number;
  /** With a certificate the server speaks HTTPS too, on the same port. */
  readonly certificate?: Certificate | undefined;
  /** The authority of clients' certificates, in PEM. Absent: clients are not asked for certificates. */
  readonly clientAuthority?: string | undefined;
}

/** Serves `fetch`. Rejects with Node's error, such as EADDRINUSE. */
export async function openHttpServer(fetch: ApiHandler, options: HttpServerOptions): Promise<HttpServer> {
  const { port, address = LOOPBACK, requestTimeoutMs = REQUEST_TIMEOUT_MS, certificate } = options;
  const serverOptions = timeoutsOf(requestTimeoutMs);
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false, serverOptions }) as Server;
  const upgrades = new Upgrades(fetch);
  upgrades.serve(server);
  if (certificate) return await openBoth(fetch, server, certificate, { ...options, serverOptions, upgrades });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server, upgrades) };
}

interface ServerSettings extends HttpServerOptions {
  readonly serverOptions: object;
  readonly upgrades: Upgrades;
}

async function openBoth(
  fetch: ApiHandler,
  plain: Server,
  { certificate, privateKey }: Certificate,
  { port, address = LOOPBACK, clientAuthority, serverOptions, upgrades, requestTimeoutMs }: ServerSettings,
): Promise<HttpServer> {
  const { createServer } = await import('node:https');
  const secure = createAdaptorServer({
    fetch,
    overrideGlobalObjects: false,
    createServer,
    serverOptions: {
      ...serverOptions,
      handshakeTimeout: requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
      cert: certificate,
      key: privateKey,
      ...askingFor(clientAuthority),
    },
  }) as HttpsServer;
  upgrades.serve(secure);
  const server = new DualServer(plain, secure, requestTimeoutMs);
  return {
    port: await server.listen(port, address),
    close: () => {
      upgrades.close();
      return server.close(CLOSE_GRACE_MS);
    },
  };
}

/** A client without a certificate, or with a wrong one, is connected: whether it may do anything is decided with each request. */
function askingFor(clientAuthority: string | undefined): object {
  return clientAuthority === undefined ? {} : { ca: clientAuthority, requestCert: true, rejectUnauthorized: false };
}

function closeServer(server: Server, upgrades: Upgrades): Promise<void> {
  return new Promise((resolve) => {
    upgrades.close();
    const cut = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    // Connections are kept alive after a request, but the next request would not be answered.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL_MS);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(sweep);
      resolve();
    });
  });
}
