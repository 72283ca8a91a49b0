import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ApiHandler } from './createApiHandler.ts';
import type { UpgradedConnection } from '../../ports/BackendConnections.ts';

/** The paths whose connections may change their protocol. Elsewhere the request for it is ignored, as HTTP allows. */
const STREAMS =
  /^\/api\/v1\/(?:namespaces\/[^/]+\/pods\/[^/]+\/(?:exec|attach|portforward|proxy)|nodes\/[^/]+\/proxy)(?=[/?]|$)/;
/** Java's client asks for HTTP/2 with every request. Only these protocols are passed on. */
const PROTOCOLS = /^(?:spdy\/3\.1|websocket)$/i;

/**
 * Answers requests that ask to change the protocol of their connection. Node hands them over before it has read their bodies, and with a listener for them it no longer serves them itself. So those that
 * need no other protocol are put back onto their connection, without that wish.
 */
export class Upgrades {
  /** The client's ends of the connections that are no longer HTTP. */
  readonly #open = new Set<Duplex>();
  readonly #fetch: ApiHandler;

  constructor(fetch: ApiHandler) {
    this.#fetch = fetch;
  }

  /** Takes the requests of a server. */
  serve(server: Server | HttpsServer): void {
    server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, first: Buffer) => {
      const isStream = STREAMS.test(incoming.url ?? '') && PROTOCOLS.test(incoming.headers.upgrade ?? '');
      if (!isStream) putBack(server, incoming, socket as Socket, first);
      else void this.#answer(incoming, socket as Socket, first);
    });
  }

  /** Ends all connections that have changed their protocol. */
  close(): void {
    for (const socket of this.#open) socket.destroy();
  }

  async #answer(incoming: IncomingMessage, socket: Socket, first: Buffer): Promise<void> {
    // The client may leave at any time; then there is nobody to answer.
    socket.on('error', () => socket.destroy());
    const request = parseRequest(incoming, socket);
    if (!request) return await answerPlainly(incoming, socket, new Response(null, { status: 400 }));
    let isAccepted = false;
    const acceptUpgrade = (upgraded: UpgradedConnection) => {
      isAccepted = true;
      this.#connect(socket, first, upgraded);
    };
    const response = await this.#fetch(request, { incoming, acceptUpgrade });
    if (!isAccepted) await answerPlainly(incoming, socket, response);
  }

  #connect(socket: Socket, first: Buffer, { headers, stream }: UpgradedConnection): void {
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
    if (first.length > 0) stream.write(first);
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      stream.destroy();
    });
    stream.once('error', () => socket.destroy());
    stream.once('close', () => socket.end());
    socket.pipe(stream);
    stream.pipe(socket);
  }
}

/** Serves the request once more, as one that asks for no other protocol. */
function putBack(server: Server | HttpsServer, incoming: IncomingMessage, socket: Socket, first: Buffer): void {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  const lines = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !/^(?:upgrade|connection|http2-settings)$/i.test(name)
      ? [`${name}: ${rawHeaders[at + 1] ?? ''}\r\n`]
      : [],
  );
  const head = Buffer.from(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  socket.unshift(Buffer.concat([head, first]));
  server.emit(isSecure(socket) ? 'secureConnection' : 'connection', socket);
}

function isSecure(socket: Socket & { readonly encrypted?: boolean }): boolean {
  return socket.encrypted === true;
}

/** `undefined` if the host is no host, or the method none that may be sent. Node's parser lets both through, and nobody has checked yet who the client is. */
function parseRequest(incoming: IncomingMessage, socket: Socket): Request | undefined {
  try {
    return requestOf(incoming, socket);
  } catch {
    return undefined;
  }
}

function requestOf({ method = 'GET', url = '/', rawHeaders, headers }: IncomingMessage, socket: Socket): Request {
  const scheme = isSecure(socket) ? 'https' : 'http';
  const passed = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) passed.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return new Request(`${scheme}://${headers.host ?? 'localhost'}${url}`, { method, headers: passed });
}

/** Answers over a connection that stays HTTP, and ends it. */
async function answerPlainly(incoming: IncomingMessage, socket: Socket, response: Response): Promise<void> {
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  outgoing.once('finish', () => socket.end());
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  const body = response.body ? Readable.fromWeb(response.body as never) : Readable.from([]);
  // A client that leaves is no error of the server.
  await pipeline(body, outgoing).catch(() => socket.destroy());
}
