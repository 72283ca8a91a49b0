import { type ClientRequest, type IncomingMessage, request as openHttp } from 'node:http';
import { request as openHttps } from 'node:https';
import { isIP } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type {
  BackendAnswer,
  BackendConnections,
  BackendRequest,
  KubeletCredentials,
  UpgradedConnection,
} from '../../ports/BackendConnections.ts';
import { explainCallError } from './explainCallError.ts';
import { ForbiddenAddressError, guardConnection } from './guardConnection.ts';

/** A backend that does not accept a connection for so long cannot be reached. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Answers with these codes have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

export interface BackendConnectionsOptions {
  /** Absent: no kubelet's certificate is verified, as by kube-apiserver without `--kubelet-certificate-authority`. */
  readonly credentials?: KubeletCredentials | undefined;
  /** All clients of the API server are on its own machine, so a kubelet there is nothing that they could not reach themselves. */
  readonly hasLocalClients: boolean;
}

/** Connects to kubelets and pods with Node's clients. */
export class HttpBackendConnections implements BackendConnections {
  readonly #options: BackendConnectionsOptions;

  constructor(options: BackendConnectionsOptions) {
    this.#options = options;
  }

  async send(request: BackendRequest): Promise<BackendAnswer> {
    const opened = this.#open(request);
    if (!opened) return { status: 'forbidden' };
    const answered = answerOf(opened, request);
    if (request.timeoutMs !== undefined) endAfter(opened, request.timeoutMs);
    if (!request.body) opened.end();
    // What is wrong with the connection is in the answer.
    else pipeline(Readable.fromWeb(request.body as never), opened).catch(() => opened.destroy());
    return await answered;
  }

  async upgrade(request: BackendRequest): Promise<BackendAnswer | UpgradedConnection> {
    const opened = this.#open(request);
    if (!opened) return { status: 'forbidden' };
    const upgraded = new Promise<UpgradedConnection>((resolve) => {
      opened.once('upgrade', (message: IncomingMessage, stream: Duplex, first: Buffer) => {
        if (first.length > 0) stream.unshift(first);
        resolve({ status: 'upgraded', headers: pairsOf(message.rawHeaders), stream });
      });
    });
    const answered = answerOf(opened, request);
    opened.end();
    return await Promise.race([upgraded, answered]);
  }

  /** Returns undefined if the address is forbidden. Of a name this is known only once it is resolved. */
  #open(request: BackendRequest): ClientRequest | undefined {
    const { backend, method, path, signal } = request;
    const { scheme, port } = backend;
    const guarded = this.#guard(request);
    if (!guarded) return undefined;
    const options = {
      ...guarded,
      port,
      method,
      path,
      headers: headersFor(request),
      // A connection of its own for each request: many of them stay open for long.
      agent: false,
      ...(signal && { signal }),
    } as const;
    const opened = scheme === 'http' ? openHttp(options) : openHttps({ ...options, ...this.#tlsFor(request) });
    limitConnecting(opened);
    return opened;
  }

  #guard(request: BackendRequest) {
    const { host, isNamed = false, isKubelet } = request.backend;
    const loopback = isKubelet && (this.#options.hasLocalClients || this.#verifies(request));
    try {
      return guardConnection(host, { names: isNamed, loopback });
    } catch (error) {
      if (error instanceof ForbiddenAddressError) return undefined;
      throw error;
    }
  }

  #verifies({ backend: { isKubelet, skipsVerification = false } }: BackendRequest): boolean {
    return isKubelet && this.#options.credentials !== undefined && !skipsVerification;
  }

  #tlsFor(request: BackendRequest) {
    const { host, isKubelet } = request.backend;
    const credentials = isKubelet ? this.#options.credentials : undefined;
    return {
      rejectUnauthorized: this.#verifies(request),
      ...(isIP(host) === 0 && { servername: host }),
      ...(credentials && {
        ca: credentials.authority,
        cert: credentials.certificate,
        key: credentials.privateKey,
      }),
    };
  }
}

function headersFor({ headers, backend: { host, port } }: BackendRequest): Record<string, string> {
  return { ...Object.fromEntries(headers), host: `${host.includes(':') ? `[${host}]` : host}:${port}` };
}

/** Ends a request whose connection does not open. */
function limitConnecting(opened: ClientRequest): void {
  const stop = endAfter(opened, CONNECT_TIMEOUT_MS);
  opened.once('socket', (socket) => socket.once('connect', stop));
}

/** Ends a request, also while its answer is read, unless the returned function is called before. */
function endAfter(opened: ClientRequest, ms: number): () => void {
  const timedOut = () => Object.assign(new Error('i/o timeout'), { code: 'ETIMEDOUT' });
  const timer = setTimeout(() => opened.destroy(timedOut()), ms);
  const stop = () => clearTimeout(timer);
  opened.once('close', stop);
  return stop;
}

function answerOf(opened: ClientRequest, { backend, signal }: BackendRequest): Promise<BackendAnswer> {
  return new Promise((resolve) => {
    opened.once('response', (message) => resolve({ status: 'answered', response: responseOf(message) }));
    opened.on('error', (error) => {
      if (error instanceof ForbiddenAddressError) resolve({ status: 'forbidden' });
      else resolve({ status: 'unreachable', why: explainCallError(error, backend, signal?.aborted === true) });
    });
  });
}

function responseOf(message: IncomingMessage): Response {
  const status = message.statusCode ?? 502;
  const headers = new Headers(pairsOf(message.rawHeaders).map(([name, value]): [string, string] => [name, value]));
  if (!WITHOUT_BODY.has(status))
    return new Response(Readable.toWeb(message) as ReadableStream<Uint8Array>, { status, headers });
  message.resume();
  return new Response(null, { status, headers });
}

/** Node lists names and values in turn. */
function pairsOf(rawHeaders: readonly string[]): (readonly [string, string])[] {
  return rawHeaders.flatMap((value, at) => (at % 2 === 1 ? [[rawHeaders[at - 1] ?? '', value] as const] : []));
}
