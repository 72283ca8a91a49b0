import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** The first byte of a TLS connection: a handshake record. */
const TLS_HANDSHAKE = 0x16;

/** How long a client may take to send its first byte. */
const FIRST_BYTE_TIMEOUT_MS = 60_000;

/**
 * Serves HTTP and HTTPS on one port and tells them apart by the first byte: kubectl sends a bearer token over TLS only, and the printed URL should work without a certificate. The two servers must
 * not listen themselves.
 */
export class DualServer {
  readonly #listener: Server;
  /** All connections, before TLS. */
  readonly #connections = new Set<Socket>();
  /** The connections that can carry requests: of HTTPS, those whose handshake is done. */
  readonly #open = new Set<Socket>();
  /** The connections on which a request is being answered. */
  readonly #busy = new Set<Socket>();
  readonly #servers: readonly [HttpServer, HttpsServer];
  readonly #firstByteTimeoutMs: number;
  #isClosing = false;

  /** `firstByteTimeoutMs`: how long a connection stays open on which nothing is sent. */
  constructor(plain: HttpServer, secure: HttpsServer, firstByteTimeoutMs: number = FIRST_BYTE_TIMEOUT_MS) {
    this.#servers = [plain, secure];
    this.#firstByteTimeoutMs = firstByteTimeoutMs;
    this.#listener = createServer((socket) => this.#accept(socket, plain, secure));
    for (const server of [plain, secure]) {
      server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#track(request, response));
    }
    plain.on('connection', (socket: Socket) => keepWhileOpen(this.#open, socket));
    secure.on('secureConnection', (socket: Socket) => keepWhileOpen(this.#open, socket));
  }

  /** Port 0 picks a free one; returns the port. Rejects with Node's error, such as EADDRINUSE. */
  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#listener.once('error', reject);
      this.#listener.listen(port, host, () => {
        this.#listener.off('error', reject);
        resolve();
      });
    });
    // A server of Node looks for connections that take too long only from when it listens, which these two never do.
    for (const server of this.#servers) server.emit('listening');
    return (this.#listener.address() as AddressInfo).port;
  }

  /** Accepts no more connections and ends the idle ones. The others may go on until they have answered, at most for `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    const cut = setTimeout(() => destroyAll(this.#connections), graceMs);
    const closed = new Promise((resolve) => this.#listener.close(resolve));
    destroyAll([...this.#open].filter((socket) => !this.#busy.has(socket)));
    await closed;
    // Ends their looking for connections that take too long.
    for (const server of this.#servers) server.close();
    clearTimeout(cut);
  }

  #accept(socket: Socket, plain: HttpServer, secure: HttpsServer): void {
    keepWhileOpen(this.#connections, socket);
    // The client may disconnect before it sends anything.
    socket.once('error', () => socket.destroy());
    const giveUp = () => void socket.destroy();
    socket.setTimeout(this.#firstByteTimeoutMs, giveUp);
    socket.once('data', (first: Buffer) => {
      socket.setTimeout(0).off('timeout', giveUp);
      if (first[0] !== TLS_HANDSHAKE && !isLocal(socket)) return void socket.destroy();
      socket.pause();
      socket.unshift(first);
      (first[0] === TLS_HANDSHAKE ? secure : plain).emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  }

  #track({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#busy.add(socket);
    response.once('close', () => {
      this.#busy.delete(socket);
      if (this.#isClosing) socket.destroy();
    });
  }
}

/** Tokens must not cross a network in the clear, so other machines have to use HTTPS. */
function isLocal({ remoteAddress = '', localAddress }: Socket): boolean {
  return remoteAddress === localAddress || /^(?:::ffff:)?127\.|^::1$/.test(remoteAddress);
}

function keepWhileOpen(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
}

function destroyAll(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.destroy();
}
