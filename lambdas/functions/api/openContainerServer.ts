import type { IncomingMessage, Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Clock } from '../../ports/Clock.ts';
import type { ApiHandler } from './createApiHandler.ts';
import { timeoutsOf } from './timeoutsOf.ts';
import { userOfHeaders } from './userOfHeaders.ts';

export interface ContainerServerOptions {
  readonly fetch: ApiHandler;
  readonly clock: Clock;
  /** A port of all interfaces, 0 for a free one, or the path of a Unix socket. */
  readonly listen: string;
  /** The first part of the paths, which API Gateway passes on: `k8s`. */
  readonly stage: string;
  /** How long a client may take to send a request with its body. Default: a minute. */
  readonly requestTimeoutMs?: number;
}

export interface ContainerServer {
  /** The port, or the path of the socket. */
  readonly address: string;
  /** Accepts no more connections and gives the open requests a moment to end. */
  close(): Promise<void>;
}

/** How long a client may take to send a request with its body. */
export const REQUEST_TIMEOUT_MS = 60_000;
/** Longer than the load balancer keeps idle connections: otherwise it would send requests into connections that are being closed. */
export const KEEP_ALIVE_MS = 150_000;
const CLOSE_GRACE_MS = 1_500;

/** Serves the API to API Gateway. A client that leaves closes its request at once, so its watch ends. Rejects with Node's error, such as EADDRINUSE. */
export async function openContainerServer(options: ContainerServerOptions): Promise<ContainerServer> {
  const server = createAdaptorServer({
    fetch: (request, environment) => {
      const { rawHeaders, socket } = environment.incoming as IncomingMessage;
      return options.fetch(request, { user: userOfHeaders(rawHeaders), remoteAddress: socket.remoteAddress });
    },
    overrideGlobalObjects: false,
    serverOptions: { ...timeoutsOf(options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS), keepAliveTimeout: KEEP_ALIVE_MS },
  }) as Server;
  server.prependListener('request', (incoming: IncomingMessage) => {
    incoming.url = withoutStage(incoming.url ?? '/', options.stage);
  });
  return { address: await listen(server, options.listen), close: () => closeServer(server, options.clock) };
}

/** Resolves to the address on which the server listens: a port, or the path of a Unix socket. */
export async function listen(server: Server | HttpsServer, place: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(/^\d+$/.test(place) ? Number(place) : place, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return addressOf(server);
}

/** API Gateway passes the stage on to private integrations. `/k8s/api?a=1` becomes `/api?a=1`. A client of a custom domain that asks for the URL of the signing keys sends the stage itself, too. */
export function withoutStage(url: string, stage: string): string {
  const [, rest] = new RegExp(`^(?:/${stage})+(?=$|[/?])(.*)$`, 's').exec(url) ?? [];
  if (rest === undefined) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function addressOf(server: Server | HttpsServer): string {
  const address = server.address() as AddressInfo | string;
  return typeof address === 'string' ? address : `${address.port}`;
}

/** Accepts no more connections and gives the open requests a moment to end. */
export function closeServer(server: Server | HttpsServer, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.setTimer(CLOSE_GRACE_MS, () => server.closeAllConnections());
    server.close(() => {
      cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
}
