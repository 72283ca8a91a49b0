import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { timeoutsOf } from '../../../lambdas/functions/api/timeoutsOf.ts';
import { DualServer } from '../../host/DualServer.ts';
import { type HttpServer, LOOPBACK } from '../../host/openHttpServer.ts';
import type { Certificate } from '../../host/selfSignedCertificate.ts';

/** How long a client may take to send its headers. */
const HEADERS_TIMEOUT_MS = 60_000;

/** Serves HTTP and HTTPS on one loopback port. Port 0 picks a free one. Rejects with Node's error, such as EADDRINUSE. */
export async function openGatewayServer(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { certificate, privateKey }: Certificate,
  port: number,
  headersTimeoutMs: number = HEADERS_TIMEOUT_MS,
): Promise<HttpServer> {
  const listener = (request: IncomingMessage, response: ServerResponse) => void answer(request, response);
  // The client decides how long a watch lasts.
  const timeouts = { ...timeoutsOf(headersTimeoutMs), requestTimeout: 0 };
  const plain = createHttpServer(timeouts, listener);
  const handshakeTimeout = headersTimeoutMs;
  const secure = createHttpsServer({ ...timeouts, handshakeTimeout, cert: certificate, key: privateKey }, listener);
  const server = new DualServer(plain, secure, headersTimeoutMs);
  return { port: await server.listen(port, LOOPBACK), close: () => server.close(0) };
}
