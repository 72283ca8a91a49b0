import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { postJson } from './postJson.ts';

export interface ForwarderOptions {
  readonly targetPort: number;
  /** What is passed on instead of a request's body. */
  readonly rewrite: (body: string) => string;
  /** Told of each exchange: the operation (`SendMessageBatch`), the request's own body and the answer. */
  readonly onExchange: (operation: string, body: string, answer: string) => void;
}

export interface Forwarder {
  /** `http://127.0.0.1:PORT` */
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Stands between the functions and a service that speaks AWS' JSON, on loopback. */
export async function openForwarder(options: ForwarderOptions): Promise<Forwarder> {
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
  { targetPort, rewrite, onExchange }: ForwarderOptions,
  agent: Agent,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readAll(incoming);
  const { 'transfer-encoding': _, connection: __, ...headers } = incoming.headers;
  const { status, headers: answered, text } = await postJson({ port: targetPort, agent, headers }, rewrite(body));
  onExchange(String(headers['x-amz-target']).split('.').at(-1) ?? '', body, text);
  const { connection: ___, 'keep-alive': ____, ...answerHeaders } = answered;
  response.writeHead(status, answerHeaders).end(text);
}

async function readAll(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
