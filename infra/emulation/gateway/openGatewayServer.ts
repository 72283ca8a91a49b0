import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { DualServer } from '../../local/DualServer.ts';
import { type HttpServer, LOOPBACK } from '../../local/openHttpServer.ts';
import type { Certificate } from '../../local/selfSignedCertificate.ts';

/** Serves HTTP and HTTPS on one loopback port. Port 0 picks a free one. Rejects with Node's error, such as EADDRINUSE. */
export async function openGatewayServer(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { certificate, privateKey }: Certificate,
  port: number,
): Promise<HttpServer> {
  const listener = (request: IncomingMessage, response: ServerResponse) => void answer(request, response);
  // The client decides how long a watch lasts.
  const plain = createHttpServer({ requestTimeout: 0 }, listener);
  const secure = createHttpsServer({ requestTimeout: 0, cert: certificate, key: privateKey }, listener);
  const server = new DualServer(plain, secure);
  return { port: await server.listen(port, LOOPBACK), close: () => server.close(0) };
}
