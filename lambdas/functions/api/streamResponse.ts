import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Log } from '../createLog.ts';

/** What API Gateway reads before an answer's body. */
export interface ResponsePrelude {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** What Lambda's runtime puts into the global scope of functions that stream. */
export interface LambdaStreaming<Stream extends Writable = Writable> {
  readonly HttpResponseStream: { from(stream: Stream, prelude: ResponsePrelude): Stream };
  streamifyResponse<Event>(
    handler: (event: Event, stream: Stream, context: unknown) => Promise<void>,
  ): (event: Event, stream: Stream, context: unknown) => Promise<void>;
}

/** How a stream tells that nobody reads it any more. */
const GONE = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'EPIPE', 'ECONNRESET']);

/** Between hops, not from end to end. API Gateway frames what it passes on by itself. */
const HOP_HEADERS = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

/**
 * Writes an answer into Lambda's stream: the prelude at once, since a watch on which nothing happens has been answered all the same; then the body as it
 * comes, as fast as the client takes it. A client that goes away ends the body. Never rejects: the answer has begun, so nobody can be told more than that
 * it broke off.
 */
export async function streamResponse<Stream extends Writable>(
  { HttpResponseStream }: Pick<LambdaStreaming<Stream>, 'HttpResponseStream'>,
  response: Response,
  stream: Stream,
  log: Log,
): Promise<void> {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !HOP_HEADERS.has(name)));
  const answered = HttpResponseStream.from(stream, { statusCode: response.status, headers });
  // The runtime sends the prelude with the first write, and only then.
  answered.write('');
  try {
    await pipeline(response.body ? Readable.fromWeb(response.body) : Readable.from([]), answered);
  } catch (error) {
    const isClientGone = GONE.has((error as NodeJS.ErrnoException).code ?? '');
    log({ level: isClientGone ? 'debug' : 'error', msg: 'answer broken off', error: String(error) });
  }
}
