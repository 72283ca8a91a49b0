import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type HttpServer, LOOPBACK } from '../../local/openHttpServer.ts';
import type { Certificate } from '../../local/selfSignedCertificate.ts';

/** The first byte of a TLS connection: a handshake record. */
const TLS_HANDSHAKE = 0x16;

/**
 * Serves HTTP and HTTPS on one loopback port and distinguishes them by the first byte: kubectl sends its token over TLS only, and the printed URL should work
 * without a certificate. Port 0 picks a free one. Rejects with Node's error, such as EADDRINUSE.
 */
export async function openGatewayServer(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { certificate, privateKey }: Certificate,
  port: number,
): Promise<HttpServer> {
  const listener = (request: IncomingMessage, response: ServerResponse) => void answer(request, response);
  // The client decides how long a watch lasts.
  const plain = createHttpServer({ requestTimeout: 0 }, listener);
  const secure = createHttpsServer({ requestTimeout: 0, cert: certificate, key: privateKey }, listener);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // The client may disconnect before it sends anything.
    socket.once('error', () => socket.destroy());
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      (first[0] === TLS_HANDSHAKE ? secure : plain).emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
