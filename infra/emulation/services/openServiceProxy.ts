import { Agent, createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { postJson } from './postJson.ts';

export interface ServiceProxyOptions {
  readonly targetPort: number;
  /** What is wrong with a request, if its caller (by the access key that signed it) may not make it. */
  readonly refuse: (caller: string, operation: string, body: string) => string | undefined;
  /** What is passed on instead of a request's body. */
  readonly rewrite: (body: string) => string;
  /** Told of each exchange: the operation (`SendMessageBatch`), the request's own body and the answer. */
  readonly onExchange: (operation: string, body: string, answer: string) => void;
}

export interface ServiceProxy {
  /** `http://127.0.0.1:PORT` */
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Stands between the functions and a service that speaks AWS' JSON, on loopback. */
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
  { targetPort, refuse, rewrite, onExchange }: ServiceProxyOptions,
  agent: Agent,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readAll(incoming);
  const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '';
  const refusal = refuse(callerOf(incoming.headers), operation, body);
  if (refusal !== undefined) return accessDenied(refusal, response);
  const headers = passedOn(incoming.headers);
  const answer = await postJson({ port: targetPort, agent, headers }, rewrite(body));
  onExchange(operation, body, answer.text);
  const { connection: _, 'keep-alive': __, ...answered } = answer.headers;
  response.writeHead(answer.status, answered).end(answer.text);
}

const CREDENTIAL = /Credential=([^/]+)\//;
/** The emulator keeps what each access key stores apart. */
const COMMON_CREDENTIAL = 'Credential=emulated/';

function callerOf({ authorization = '' }: IncomingHttpHeaders): string {
  return CREDENTIAL.exec(authorization)?.[1] ?? 'nobody';
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'transfer-encoding': _, connection: __, ...rest } = headers;
  return { ...rest, authorization: (headers.authorization ?? '').replace(CREDENTIAL, COMMON_CREDENTIAL) };
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
