import { Agent, createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSame } from '../../host/isSame.ts';
import { postJson, type ServiceAddress } from './postJson.ts';

export interface ServiceProxyOptions {
  readonly target: ServiceAddress;
  /** The access key with which requests are passed on. The emulator separates data by access key. */
  readonly accessKeyId: string;
  /** The session token that every function has; other callers are refused. */
  readonly sessionToken: string;
  /** Returns an error message if the caller may not make the request. The caller is the access key that signed it. */
  readonly refuse: (caller: string, operation: string, body: string) => string | undefined;
  /** Returns the body that is passed on instead of the request's own. */
  readonly rewrite: (body: string) => string;
  /** Called after each request with the operation (`SendMessageBatch`), the request's own body and the answer. */
  readonly onExchange: (operation: string, body: string, answer: string) => void;
}

export interface ServiceProxy {
  /** `http://127.0.0.1:PORT` */
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Opens a proxy on loopback between the functions and an emulated service that speaks AWS' JSON protocol. */
export async function openServiceProxy(options: ServiceProxyOptions): Promise<ServiceProxy> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, response) => {
    forward(options, agent, incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function forward(
  { target, accessKeyId, sessionToken, refuse, rewrite, onExchange }: ServiceProxyOptions,
  agent: Agent,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readAll(incoming);
  const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '';
  const isFunction = isSame(sessionToken, String(incoming.headers['x-amz-security-token'] ?? ''));
  const refusal = isFunction ? refuse(callerOf(incoming.headers), operation, body) : UNKNOWN_CALLER;
  if (refusal !== undefined) return accessDenied(refusal, response);
  const headers = forwardedHeaders(incoming.headers, accessKeyId);
  const answer = await postJson({ address: target, agent, headers }, rewrite(body));
  onExchange(operation, body, answer.text);
  const { connection: _, 'keep-alive': __, ...answered } = answer.headers;
  response.writeHead(answer.status, answered).end(answer.text);
}

const CREDENTIAL = /Credential=([^/]+)\//;
const UNKNOWN_CALLER = 'The security token included in the request is invalid.';

function callerOf({ authorization = '' }: IncomingHttpHeaders): string {
  return CREDENTIAL.exec(authorization)?.[1] ?? 'nobody';
}

function forwardedHeaders(headers: IncomingHttpHeaders, accessKeyId: string): IncomingHttpHeaders {
  const { 'transfer-encoding': _, connection: __, ...rest } = headers;
  return { ...rest, authorization: (headers.authorization ?? '').replace(CREDENTIAL, `Credential=${accessKeyId}/`) };
}

function accessDenied(message: string, response: ServerResponse): void {
  const body = { __type: 'com.amazon.coral.service#AccessDeniedException', Message: message, message };
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
}

async function readAll(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
