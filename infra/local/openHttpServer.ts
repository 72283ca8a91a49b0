import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { ApiHandler } from '../../lambdas/functions/api/createApiHandler.ts';
import { DualServer } from './DualServer.ts';
import type { Certificate } from './selfSignedCertificate.ts';
import { Upgrades } from './Upgrades.ts';

/** The server listens on loopback only. Unless it checks permissions, it does not authenticate its clients either. */
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

/** Serves `fetch` on loopback; port 0 picks a free one. With a certificate it speaks HTTPS too, on the same port. Rejects with Node's error, such as EADDRINUSE. */
export async function openHttpServer(
  fetch: ApiHandler,
  port: number,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
  certificate?: Certificate,
): Promise<HttpServer> {
  const serverOptions = { requestTimeout: requestTimeoutMs, connectionsCheckingInterval: requestTimeoutMs / 2 };
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false, serverOptions }) as Server;
  const upgrades = new Upgrades(fetch);
  upgrades.serve(server);
  if (certificate) return await openBoth(fetch, server, certificate, { port, serverOptions, upgrades });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server, upgrades) };
}

interface ServerSettings {
  readonly port: number;
  readonly serverOptions: object;
  readonly upgrades: Upgrades;
}

async function openBoth(
  fetch: ApiHandler,
  plain: Server,
  { certificate, privateKey }: Certificate,
  { port, serverOptions, upgrades }: ServerSettings,
): Promise<HttpServer> {
  const { createServer } = await import('node:https');
  const secure = createAdaptorServer({
    fetch,
    overrideGlobalObjects: false,
    createServer,
    serverOptions: { ...serverOptions, cert: certificate, key: privateKey },
  }) as HttpsServer;
  upgrades.serve(secure);
  const server = new DualServer(plain, secure);
  return {
    port: await server.listen(port, LOOPBACK),
    close: () => {
      upgrades.close();
      return server.close(CLOSE_GRACE_MS);
    },
  };
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
