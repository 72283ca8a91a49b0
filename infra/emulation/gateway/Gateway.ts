import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { API_IDLE_TIMEOUT_MS } from '../../../lambdas/functions/limits.ts';
import type { EmulatedFunction, InvokeOutcome } from '../functions/EmulatedFunction.ts';
import { type ForwardedRequest, forwardedRequest, sendToContainer } from './forwardToContainer.ts';
import type { Authorizer } from './Authorizer.ts';
import { gatewayRequest, proxyEvent } from './GatewayRequest.ts';
import { type Prelude, PreludeReader } from './PreludeReader.ts';
import type { ApiSpec, ContainerIntegration } from '../template/readApi.ts';

/** Who answers: a function, or a container that listens on a socket. */
export type GatewayTarget =
  | { readonly kind: 'function'; readonly target: EmulatedFunction }
  | { readonly kind: 'container'; readonly integration: ContainerIntegration; readonly socketPath: string };

export interface GatewayOptions {
  readonly api: ApiSpec;
  readonly authorizer: Authorizer;
  readonly target: GatewayTarget;
  /** Called with the size of each answer, for the bill. */
  readonly onAnswered: (bytes: number) => void;
}

/** API Gateway's limit for a request. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Lambda's limit for an event. */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

/** API Gateway sets these headers itself and renames those that a function sets. */
const REMAPPED = new Set([
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'server',
  'date',
  'www-authenticate',
]);

/** A regional REST API in front of one function, with streamed answers. */
export class Gateway {
  readonly #options: GatewayOptions;

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  /** Answers one request. Never rejects. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#answer(request, response);
    } catch {
      if (!response.headersSent) writeGatewayResponse(this.#options.api, 'DEFAULT_5XX', response);
      else response.destroy();
    }
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { api, authorizer } = this.#options;
    const request = gatewayRequest(incoming, api.stage, Date.now());
    for (const [name, value] of Object.entries(requestIds())) response.setHeader(name, value);
    const refuse = (type: string) => writeGatewayResponse(api, type, response);
    const body = await readBody(incoming);
    if (!body) return refuse('REQUEST_TOO_LARGE');
    const authorization = await authorizer.authorize(request);
    if (authorization.status === 'refused') return refuse(authorization.type);
    const { target } = this.#options;
    if (target.kind === 'container') {
      const forwarded = forwardedRequest(api.stage, target.integration, request, authorization.context);
      return await this.#forward(target.socketPath, forwarded, body, response);
    }
    const event = proxyEvent(api, request, body, authorization.context);
    if (Buffer.byteLength(event) > MAX_EVENT_BYTES) return refuse('REQUEST_TOO_LARGE');
    await this.#invoke(target.target, event, response);
  }

  /** Passes the container's answer on. Unlike a function, the container loses its connection when the client leaves. */
  async #forward(socketPath: string, request: ForwardedRequest, body: Buffer, response: ServerResponse): Promise<void> {
    const { api, onAnswered } = this.#options;
    const gone = new AbortController();
    response.once('close', () => response.writableFinished || gone.abort());
    const answer = await sendToContainer(socketPath, request, body, gone.signal).catch(() => undefined);
    if (!answer) return writeGatewayResponse(api, 'INTEGRATION_FAILURE', response);
    const headers = Object.entries(answer.headersDistinct).map(([name, values = []]) => [name, values] as const);
    writeHead(response, {
      statusCode: answer.statusCode ?? 502,
      multiValueHeaders: Object.fromEntries(headers.map(([name, values]) => [name, [...values]])),
    });
    let bytes = 0;
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    answer.setTimeout(API_IDLE_TIMEOUT_MS, () => answer.destroy());
    const cut = setTimeout(() => answer.destroy(), api.timeoutMs);
    await pipeline(answer, response).catch(() => response.destroy());
    clearTimeout(cut);
    onAnswered(bytes);
  }

  async #invoke(target: EmulatedFunction, event: string, response: ServerResponse): Promise<void> {
    const { api, onAnswered } = this.#options;
    const reader = new PreludeReader();
    const gone = new AbortController();
    let bytes = 0;
    const cut = () => void response.destroy();
    const timeout = setTimeout(cut, api.timeoutMs);
    let silence = setTimeout(cut, API_IDLE_TIMEOUT_MS);
    // The function goes on without its client.
    response.once('close', () => response.writableFinished || gone.abort());
    const outcome = await target.invoke(
      event,
      async (chunk) => {
        clearTimeout(silence);
        silence = setTimeout(cut, API_IDLE_TIMEOUT_MS);
        const part = reader.take(chunk);
        if (reader.prelude && !response.headersSent) writeHead(response, reader.prelude);
        bytes += part.length;
        if (part.length > 0 && !response.write(part)) await drained(response);
      },
      gone.signal,
    );
    clearTimeout(timeout);
    clearTimeout(silence);
    this.#end(outcome, response);
    onAnswered(bytes);
  }

  #end(outcome: InvokeOutcome, response: ServerResponse): void {
    const { api } = this.#options;
    if (response.headersSent) {
      // The status has been sent, so a failure can only be shown by cutting the connection.
      if (outcome.status === 'returned') response.end();
      else response.destroy();
    } else if (outcome.status === 'throttled') writeGatewayResponse(api, 'INTEGRATION_FAILURE', response);
    else if (outcome.status === 'returned' && !api.isStreamed) writeBuffered(outcome.result, response);
    else writeGatewayResponse(api, 'DEFAULT_5XX', response);
  }
}

/** Resolves when more can be written, or the client has disconnected. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      response.off('drain', end).off('close', end);
      resolve();
    };
    response.once('drain', end).once('close', end);
    if (response.destroyed) end();
  });
}

/** API Gateway gives each answer of a REST API two names of the request. */
function requestIds(): Readonly<Record<string, string>> {
  return { 'x-amzn-RequestId': randomUUID(), 'x-amz-apigw-id': randomBytes(11).toString('base64') };
}

function writeHead(response: ServerResponse, { statusCode = 200, headers, multiValueHeaders, cookies }: Prelude): void {
  const all = [...Object.entries(headers ?? {}), ...Object.entries(multiValueHeaders ?? {})];
  for (const [name, value] of all) {
    const shown = REMAPPED.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name;
    response.setHeader(shown, value);
  }
  if (cookies && cookies.length > 0) response.setHeader('set-cookie', [...cookies]);
  response.writeHead(statusCode);
  response.flushHeaders();
}

function writeBuffered(result: string | undefined, response: ServerResponse): void {
  const answer = JSON.parse(result ?? 'null') as (Prelude & { body?: string; isBase64Encoded?: boolean }) | null;
  if (answer?.statusCode === undefined) throw new Error('malformed Lambda proxy response');
  writeHead(response, answer);
  response.end(Buffer.from(answer.body ?? '', answer.isBase64Encoded ? 'base64' : 'utf8'));
}

/** Returns the body, or `undefined` if it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length <= MAX_BODY_BYTES) chunks.push(chunk as Buffer);
  }
  return length > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks);
}

/** API Gateway's default answers by response type. */
const DEFAULTS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  UNAUTHORIZED: [401, 'Unauthorized'],
  ACCESS_DENIED: [403, 'User is not authorized to access this resource'],
  AUTHORIZER_FAILURE: [500, 'Internal server error'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, 'Internal server error'],
  REQUEST_TOO_LARGE: [413, 'Request Too Long'],
  THROTTLED: [429, 'Too Many Requests'],
  INTEGRATION_FAILURE: [504, 'Internal server error'],
  INTEGRATION_TIMEOUT: [504, 'Endpoint request timed out'],
  DEFAULT_5XX: [502, 'Internal server error'],
};

/** Answers with the API's gateway response of this type, or with its response for all 4xx or 5xx errors. */
function writeGatewayResponse(api: ApiSpec, type: string, response: ServerResponse): void {
  const [status, message] = DEFAULTS[type] ?? [500, 'Internal server error'];
  const kind = status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
  const chosen = api.gatewayResponses.get(type) ?? api.gatewayResponses.get(kind);
  const template = chosen?.template ?? '{"message":$context.error.messageString}';
  const body = template
    .replaceAll('$context.error.messageString', JSON.stringify(message))
    .replaceAll('$context.error.message', message);
  response.writeHead(chosen?.status ?? status, { 'content-type': 'application/json', ...chosen?.headers }).end(body);
}
