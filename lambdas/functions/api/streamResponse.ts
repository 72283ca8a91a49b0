import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Log } from '../createLog.ts';

/** The status and headers, which API Gateway reads before the body. */
export interface ResponsePrelude {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The global object that Lambda's runtime provides for functions that stream. */
export interface LambdaStreaming<Stream extends Writable = Writable> {
  readonly HttpResponseStream: { from(stream: Stream, prelude: ResponsePrelude): Stream };
  streamifyResponse<Event>(
    handler: (event: Event, stream: Stream, context: unknown) => Promise<void>,
  ): (event: Event, stream: Stream, context: unknown) => Promise<void>;
}

/** The errors of a stream whose reader has gone away. */
const CLIENT_GONE = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'EPIPE', 'ECONNRESET']);

/** Hop-by-hop headers. API Gateway sets its own for the client. */
const HOP_HEADERS = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

/**
 * Writes an answer into Lambda's stream. The prelude goes out at once, so that the client of a quiet watch gets its answer. The body follows as it comes, no
 * faster than the client reads it, and ends when the client goes away. Never rejects: once the answer has begun, the client cannot get an error.
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
    const isClientGone = CLIENT_GONE.has((error as NodeJS.ErrnoException).code ?? '');
    log({ level: isClientGone ? 'debug' : 'error', msg: 'response aborted', error: String(error) });
  }
}
