import type { IncomingMessage } from 'node:http';
import { Agent, request as openRequest, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { WebhookAnswer, WebhookCaller, WebhookTarget } from '../../ports/WebhookCaller.ts';
import { explainCallError } from './explainCallError.ts';
import { guardConnection } from './guardConnection.ts';

/** The most that a webhook may answer. Objects have at most 1.5 MB; a list to convert has many of them. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const HTTPS_PORT = 443;
/** The most servers whose connections are kept. */
const MAX_AGENTS = 200;

export interface HttpsCallsOptions {
  /** All clients of the API server are on its own machine, so a webhook there is nothing that they could not reach themselves. */
  readonly hasLocalClients: boolean;
}

/** Calls webhooks with Node's own client, over connections that are kept for the next call. */
export class HttpsCalls implements WebhookCaller {
  readonly #options: HttpsCallsOptions;
  /** By what a connection is opened with. */
  readonly #agents = new Map<string, Agent>();

  constructor(options: HttpsCallsOptions) {
    this.#options = options;
  }

  async post(target: WebhookTarget, json: string, timeoutMs: number): Promise<WebhookAnswer> {
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
    try {
      return await this.#send(target, json, signal);
    } catch (error) {
      if (!(error instanceof StaleConnectionError)) return failed(error, target, signal);
      return await this.#send(target, json, signal).catch((second: unknown) => failed(second, target, signal));
    }
  }

  #send(target: WebhookTarget, json: string, signal: AbortSignal): Promise<WebhookAnswer> {
    return new Promise((resolve, reject) => {
      const request = openRequest({
        ...requestOptions(target, json),
        ...this.#guard(target),
        agent: this.#agentOf(target),
        signal,
      });
      request.once('error', (cause: NodeJS.ErrnoException) => {
        const isStale = request.reusedSocket && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE');
        reject(isStale ? new StaleConnectionError(cause.message, { cause }) : cause);
      });
      request.once('response', (response) => {
        readAnswer(response).then(resolve, (error: Error) => {
          request.destroy();
          reject(error);
        });
      });
      request.end(json);
    });
  }

  /** Throws ForbiddenAddressError. A connection that is kept was compared when it was opened. */
  #guard(target: WebhookTarget) {
    const loopback = this.#options.hasLocalClients || target.address !== undefined;
    return guardConnection(addressOf(target).host, { names: true, loopback });
  }

  #agentOf({ url, address, caBundle }: WebhookTarget): Agent {
    const key = JSON.stringify([new URL(url).host, address, caBundle]);
    const known = this.#agents.get(key);
    if (known) return known;
    if (this.#agents.size >= MAX_AGENTS) this.#forgetAgents();
    const agent = new Agent({ keepAlive: true });
    this.#agents.set(key, agent);
    return agent;
  }

  /** Connections in use go on until their calls end. */
  #forgetAgents(): void {
    for (const agent of this.#agents.values())
      for (const sockets of Object.values(agent.freeSockets)) sockets?.forEach((socket) => socket.destroy());
    this.#agents.clear();
  }
}

/** The server had closed a kept connection before the call was sent over it. */
class StaleConnectionError extends Error {}

function failed(error: unknown, target: WebhookTarget, signal: AbortSignal): WebhookAnswer {
  return { status: 'failed', why: explainCallError(error, addressOf(target), signal.aborted) };
}

interface Address {
  readonly host: string;
  readonly port: number;
}

function addressOf({ url, address }: WebhookTarget): Address {
  const { hostname, port } = new URL(address === undefined ? url : `https://${address}`);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? HTTPS_PORT : Number(port) };
}

function requestOptions(target: WebhookTarget, json: string): RequestOptions {
  const { host: serverHost, hostname, pathname, search } = new URL(target.url);
  const name = hostname.replace(/^\[|\]$/g, '');
  const { host, port } = addressOf(target);
  return {
    method: 'POST',
    port,
    path: `${pathname}${search}`,
    headers: {
      Host: serverHost,
      Accept: 'application/json, */*',
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(json),
      'User-Agent': 'kube-apiserver-admission',
    },
    ...(isIP(name) === 0 && { servername: name }),
    ...(target.caBundle !== undefined && { ca: target.caBundle }),
    checkServerIdentity: (_host: string, certificate: PeerCertificate) =>
      identityError(target.address === undefined ? [name] : [name, host], certificate),
  };
}

/** The error of the first name, unless the certificate is for one of them. */
function identityError(names: readonly string[], certificate: PeerCertificate): Error | undefined {
  const errors = names.map((name) => checkServerIdentity(name, certificate));
  return errors.every((error) => error !== undefined) ? errors[0] : undefined;
}

async function readAnswer(response: IncomingMessage): Promise<WebhookAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`the answer has more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return { status: 'answered', code: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') };
}
