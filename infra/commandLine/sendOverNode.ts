import type { ClientRequest, IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import { Readable } from 'node:stream';
import { UsageError } from '../host/UsageError.ts';

/** `request` of node:http or of node:https. */
export type NodeRequest = (options: RequestOptions, answered: (incoming: IncomingMessage) => void) => ClientRequest;

/** Where to send a request, and the headers that go with each. */
export type NodePlace = Omit<RequestOptions, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

/** A connection on which nothing has come for so long is broken: as long as `fetch` waits. */
const SILENCE_MS = 300_000;

/** The codes of answers that have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** A server may close a connection that was kept while the next request is on its way. */
const BROKEN_CODES: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE']);
const REPEATABLE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Sends a request to a place that `fetch` cannot reach, such as a socket or a server with an authority of its own. As with `fetch`, the body streams: the promise resolves with the headers, the signal ends the request whenever it comes, and an error after the
 * headers is one of the body. Unlike `fetch`, it sends a request that changes nothing once more if its connection ends before the answer. Rejects with a UsageError, worded `unreachable`, if nothing answers.
 */
export async function sendOverNode(
  open: NodeRequest,
  place: NodePlace,
  unreachable: string,
  init: RequestInit = {},
): Promise<Response> {
  const { method = 'GET', signal } = init;
  let attempts = REPEATABLE_METHODS.has(method) ? 2 : 1;
  for (;;) {
    try {
      return await sendOnce(open, place, init);
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      attempts -= 1;
      const isBroken = BROKEN_CODES.has((cause as NodeJS.ErrnoException).code);
      if (attempts === 0 || !isBroken) throw new UsageError(unreachable, { cause });
    }
  }
}

function sendOnce(open: NodeRequest, place: NodePlace, init: RequestInit): Promise<Response> {
  const { method = 'GET', body, signal } = init;
  const headers = { ...place.headers, ...Object.fromEntries(new Headers(init.headers)) };
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    let answer: IncomingMessage | undefined;
    const outgoing = open({ ...place, method, headers }, (incoming) => {
      answer = incoming;
      resolve(responseOf(incoming));
    });
    const end = () => (answer ?? outgoing).destroy(signal?.reason);
    signal?.addEventListener('abort', end, { once: true });
    outgoing.once('close', () => signal?.removeEventListener('abort', end));
    outgoing.on('error', reject);
    outgoing.setTimeout(SILENCE_MS, () => (answer ?? outgoing).destroy(new Error('the server has been silent')));
    outgoing.end(typeof body === 'string' ? body : undefined);
  });
}

function responseOf(incoming: IncomingMessage): Response {
  const { statusCode: status = 502, statusMessage: statusText = '', rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  if (WITHOUT_BODY.has(status)) {
    incoming.resume();
    return new Response(null, { status, statusText, headers });
  }
  return new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, { status, statusText, headers });
}
