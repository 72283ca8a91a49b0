import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import { createAdaptorServer } from '@hono/node-server';
import type { Clock } from '../../ports/Clock.ts';
import { internalError, statusOf } from '../../rest/response/statusOf.ts';
import type { UpgradableEnvironment } from '../../rest/createApiApp.ts';
import type { Authenticate } from '../authorize/createAuthenticator.ts';
import type { ApiHandler } from './createApiHandler.ts';
import { type ContainerServer, closeServer, listen, REQUEST_TIMEOUT_MS, withoutStage } from './openContainerServer.ts';
import { timeoutsOf } from './timeoutsOf.ts';
import { Upgrades } from './Upgrades.ts';

export interface DirectServerOptions {
  readonly fetch: ApiHandler;
  /** Identifies the caller by the request's `Authorization` values. */
  readonly authenticate: Authenticate;
  readonly clock: Clock;
  /** A port of all interfaces, 0 for a free one. */
  readonly listen: string;
  readonly stage: string;
  /** In PEM. */
  readonly certificate: string;
  readonly privateKey: string;
  /** How long a client may take to send a request with its body. Default: a minute. */
  readonly requestTimeoutMs?: number;
  readonly logError: (message: string, cause: unknown) => void;
}

/** Serves the API to clients that do not come through API Gateway: over HTTPS, with connections that may change their protocol. The server itself finds out who they are. Rejects with Node's error, such as EADDRINUSE. */
export async function openDirectServer(options: DirectServerOptions): Promise<ContainerServer> {
  const { certificate: cert, privateKey: key, clock, stage } = options;
  const fetch: ApiHandler = (request, environment) => answer(options, request, environment as DirectEnvironment);
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const serverOptions = { cert, key, handshakeTimeout: requestTimeoutMs, ...timeoutsOf(requestTimeoutMs) };
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false, createServer, serverOptions }) as Server;
  const strip = (incoming: IncomingMessage) => {
    incoming.url = withoutStage(incoming.url ?? '/', stage);
  };
  server.prependListener('request', strip);
  server.prependListener('upgrade', strip);
  const upgrades = new Upgrades(fetch);
  upgrades.serve(server);
  const close = async () => {
    upgrades.close();
    await closeServer(server, clock);
  };
  return { address: await listen(server, options.listen), close };
}

type DirectEnvironment = Partial<UpgradableEnvironment> & { readonly incoming: IncomingMessage };

/** Headers that name the user count only if API Gateway sends them, which it does to the other server. */
async function answer(
  { fetch, authenticate, logError }: DirectServerOptions,
  request: Request,
  { incoming, acceptUpgrade }: DirectEnvironment,
): Promise<Response> {
  try {
    const user = await authenticate(authorizationOf(incoming.rawHeaders));
    const { remoteAddress } = incoming.socket;
    return await fetch(request, { user, remoteAddress, ...(acceptUpgrade && { acceptUpgrade }) });
  } catch (error) {
    logError('the caller could not be identified', error);
    const unexpected = internalError(error);
    return Response.json(statusOf(unexpected), { status: unexpected.code });
  }
}

function authorizationOf(rawHeaders: readonly string[]): readonly string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization');
}
