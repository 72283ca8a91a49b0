import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../ports/Clock.ts';
import type { Log } from '../createLog.ts';

/** What a function that streams has. */
export interface StreamingHost {
  readonly log: Log;
  readonly clock: Clock;
}

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
const CLIENT_GONE = new Set(['ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'EPIPE', 'ECONNRESET']);

/** A client that takes nothing for so long would keep the function running until its timeout. */
const WRITE_TIMEOUT_MS = 15_000;

/** Hop-by-hop headers. API Gateway sets its own for the client. */
const HOP_HEADERS = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

/**
 * Writes an answer into Lambda's stream. The prelude goes out at once, so that the client of a quiet watch gets its answer. The body follows as it comes, no
 * faster than the client reads it, and ends if a write fails, or the client takes nothing for `stalledMs`. Lambda itself reports neither: it takes what is
 * written for a client that has gone. Never rejects: once the answer has begun, the client cannot get an error.
 */
export async function streamResponse<Stream extends Writable>(
  { HttpResponseStream }: Pick<LambdaStreaming<Stream>, 'HttpResponseStream'>,
  response: Response,
  stream: Stream,
  { log, clock }: StreamingHost,
  stalledMs = WRITE_TIMEOUT_MS,
): Promise<void> {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !HOP_HEADERS.has(name)));
  const answered = HttpResponseStream.from(stream, { statusCode: response.status, headers });
  // The runtime sends the prelude with the first write, and only then.
  answered.write('');
  const stalled = new AbortController();
  const unwatch = watchWrites(clock, answered, stalledMs, () => stalled.abort());
  try {
    const body = response.body ? Readable.fromWeb(response.body) : Readable.from([]);
    await pipeline(body, answered, { signal: stalled.signal });
  } catch (error) {
    const isClientGone = CLIENT_GONE.has((error as NodeJS.ErrnoException).code ?? '');
    log({ level: isClientGone ? 'debug' : 'error', msg: 'response aborted', error: String(error) });
  } finally {
    unwatch();
  }
}

/** Calls `abort` when the stream has waited for its reader for `stalledMs`, or up to twice as long. Returns what ends the watching. */
function watchWrites(clock: Clock, answered: Writable, stalledMs: number, abort: () => void): () => void {
  let wasWaiting = false;
  const moved = () => {
    wasWaiting = false;
  };
  const look = () => {
    if (wasWaiting && answered.writableNeedDrain) abort();
    wasWaiting = answered.writableNeedDrain;
    cancel = clock.setTimer(stalledMs, look);
  };
  let cancel = clock.setTimer(stalledMs, look);
  answered.on('drain', moved);
  return () => {
    cancel();
    answered.off('drain', moved);
  };
}
