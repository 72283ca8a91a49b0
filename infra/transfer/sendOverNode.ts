import type { ClientRequest, IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import { UsageError } from '../local/UsageError.ts';

/** `request` of node:http or of node:https. */
export type NodeRequest = (options: RequestOptions, answered: (incoming: IncomingMessage) => void) => ClientRequest;

/** Where to send a request, and the headers that go with each. */
export type NodePlace = Omit<RequestOptions, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

/** Sends a request to a place that `fetch` cannot reach, such as a socket or a server with an authority of its own. Rejects with a UsageError, worded `unreachable`, if nothing answers. */
export function sendOverNode(
  open: NodeRequest,
  place: NodePlace,
  unreachable: string,
  init: RequestInit = {},
): Promise<Response> {
  const { method = 'GET', body } = init;
  const headers = { ...place.headers, ...Object.fromEntries(new Headers(init.headers)) };
  return new Promise((resolve, reject) => {
    const outgoing = open({ ...place, method, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () => resolve(new Response(Buffer.concat(chunks), { status: incoming.statusCode ?? 502 })));
    });
    outgoing.once('error', (cause) => reject(new UsageError(unreachable, { cause })));
    outgoing.end(typeof body === 'string' ? body : undefined);
  });
}
