import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { WebSocketServer } from 'ws';
import { selfSignedCertificate } from '../../../infra/host/selfSignedCertificate.ts';
import { runCommand } from './runCommand.ts';
import { servePortForward } from './servePortForward.ts';
import { SpdyConnection, type SpdyStream } from './spdy/SpdyConnection.ts';
import { forwardPort, spdyStreams, streamTypesOf } from './spdyStreams.ts';
import { webSocketStreams } from './webSocketStreams.ts';

export interface KubeletServerOptions {
  readonly certificate: string;
  readonly privateKey: string;
  /** The authority of the clients' certificates. With one, a client without a certificate gets a 401. */
  readonly clientAuthority?: string;
}

/** What was asked of a kubelet, in the order in which it came. */
export type KubeletCalls = { readonly method: string; readonly url: string; readonly client: string | undefined }[];

/** The lines of each container's log, by `namespace/pod/container`; a line without an entry is missing. */
export type KubeletLogs = Map<string, string[]>;

const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/** The HTTPS server of a test's kubelet: `/containerLogs`, `/exec`, `/attach`, `/portForward`, `/metrics/resource`, `/healthz`. */
export class KubeletServer {
  readonly calls: KubeletCalls = [];
  readonly logs: KubeletLogs = new Map();
  /** What it answers at `/metrics/resource`. Absent: 404. */
  metrics: (() => string) | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  readonly #followers = new Set<ServerResponse>();
  readonly #webSockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => PROTOCOLS.find((one) => offered.has(one)) ?? false,
  });
  readonly #options: KubeletServerOptions;

  private constructor(options: KubeletServerOptions) {
    this.#options = options;
    const { certificate, privateKey, clientAuthority } = options;
    const asks = clientAuthority === undefined ? {} : { ca: clientAuthority, requestCert: true };
    this.#server = createServer({ cert: certificate, key: privateKey, rejectUnauthorized: false, ...asks });
    this.#server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#serve(request, response));
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(request, socket, head),
    );
    this.#server.on('secureConnection', (socket: Duplex) => this.#sockets.add(socket));
  }

  static async start(options: KubeletServerOptions = ownCertificate()): Promise<KubeletServer> {
    const server = new KubeletServer(options);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Adds a line to a log, which clients who follow it receive. */
  write(container: string, line: string): void {
    this.logs.set(container, [...(this.logs.get(container) ?? []), line]);
    for (const follower of this.#followers) follower.write(`${line}\n`);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Notes the call; returns false for a client that the kubelet does not know. */
  #admits(request: IncomingMessage): boolean {
    const socket = request.socket as TLSSocket;
    const client = socket.authorized ? String(socket.getPeerCertificate().subject.CN) : undefined;
    this.calls.push({ method: request.method ?? '', url: request.url ?? '', client });
    return this.#options.clientAuthority === undefined || client !== undefined;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#admits(request)) return void response.writeHead(401).end('Unauthorized');
    const url = new URL(request.url ?? '', 'https://kubelet');
    const [, route, ...names] = url.pathname.split('/');
    if (route === 'healthz') return void response.end('ok');
    if (url.pathname === '/metrics/resource' && this.metrics) return void response.end(this.metrics());
    if (route !== 'containerLogs') return void response.writeHead(404).end('404 page not found\n');
    const lines = this.logs.get(names.join('/'));
    if (!lines) {
      const [, pod, container] = names;
      const text = `container "${container}" in pod "${pod}" is waiting to start: ContainerCreating`;
      return void response.writeHead(400).end(text);
    }
    const tail = url.searchParams.get('tailLines');
    response.writeHead(200, { 'Content-Type': 'text/plain' });
    for (const line of tail === null ? lines : lines.slice(-Number(tail))) response.write(`${line}\n`);
    if (url.searchParams.get('follow') !== 'true') return void response.end();
    this.#followers.add(response);
    response.once('close', () => this.#followers.delete(response));
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!this.#admits(request)) return void socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://kubelet');
    const isForward = pathname.startsWith('/portForward/');
    if (/^spdy/i.test(request.headers.upgrade ?? '')) {
      socket.write(acceptSpdy(isForward));
      return isForward ? void SpdyConnection.serve(socket, head, forwardPort) : serveSpdy(socket, head, searchParams);
    }
    if (!PROTOCOLS.some((one) => request.headers['sec-websocket-protocol']?.split(/,\s*/).includes(one)))
      return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      if (isForward) servePortForward(webSocket, searchParams);
      else runCommand(searchParams, webSocketStreams(webSocket));
    });
  }
}

function acceptSpdy(isForward: boolean): string {
  const protocol = isForward ? 'portforward.k8s.io' : 'v4.channel.k8s.io';
  const headers = ['Connection: Upgrade', 'Upgrade: SPDY/3.1', `X-Stream-Protocol-Version: ${protocol}`];
  return `HTTP/1.1 101 Switching Protocols\r\n${headers.join('\r\n')}\r\n\r\n`;
}

/** Runs a command when the client has opened all the streams that it asked for. */
function serveSpdy(socket: Duplex, head: Buffer, query: URLSearchParams): void {
  const opened = new Map<string, SpdyStream>();
  const types = streamTypesOf(query);
  const connection = SpdyConnection.serve(socket, head, (stream) => {
    opened.set(stream.headers.get('streamtype') ?? '', stream);
    if (opened.size === types.length) runCommand(query, spdyStreams(opened, connection));
  });
}

function ownCertificate(): KubeletServerOptions {
  return selfSignedCertificate(Date.now());
}
