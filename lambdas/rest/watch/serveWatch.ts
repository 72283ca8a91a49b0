import { ApiError } from '../../objects/ApiError.ts';
import { parseListOptions } from '../list/listOptions.ts';
import { negotiate } from '../response/negotiate.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { tableRequest } from '../response/respond.ts';
import { parseSelection } from '../list/Selection.ts';
import { createWatchEncoder } from './WatchEncoder.ts';
import { watchEvents } from './watchEvents.ts';

/** Kubernetes' `min-request-timeout`. A watch without a timeout of its own lasts between one and two times this. */
const MIN_WATCH_MS = 1_800_000;
/** client-go tries ten times, so it gets a slot that is free in a minute, and most get one that is released earlier. */
const LONGEST_RETRY_AFTER_SECONDS = 10;
/** The part of a resumed watch's limit that is added or taken away at random. */
const LIFETIME_JITTER = 0.2;
const NO_LIMIT = { unresumedMs: Number.POSITIVE_INFINITY, longestMs: Number.POSITIVE_INFINITY };

/**
 * Answers a watch with a stream of JSON, one event a line. As in Kubernetes, an error in the query is refused at once, and an error in the
 * position is sent as an ERROR event. The stream produces events only as fast as the client reads them, and ends when the client disconnects.
 */
export async function serveWatch(request: ResourceRequest): Promise<Response> {
  const options = parseListOptions(request.query, true);
  const form = negotiate(watchAccept(request.raw.headers.get('accept')), ['Table', 'PartialObjectMetadata']);
  const encoder = createWatchEncoder(request.resource, form, tableRequest(request, form));
  const disconnected = new AbortController();
  const durationMs = watchDurationMs(request, options.timeoutSeconds);
  const selection = parseSelection(request);
  const release = await claimSlot(request, durationMs);
  const events = watchEvents(request, options, selection, durationMs, disconnected.signal);
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' };
  return new Response(
    encodeJsonStream(releasing(events, release), encoder, () => disconnected.abort()),
    { status: 200, headers },
  );
}

/** Claims a slot for the watch and returns what releases it. Throws TooManyRequests if all are taken. */
async function claimSlot({ dependencies }: ResourceRequest, durationMs: number): Promise<() => Promise<void>> {
  const claim = await dependencies.watchSlots?.claim(durationMs);
  if (claim?.status !== 'full') return claim?.release ?? (async () => {});
  const seconds = Math.ceil(claim.retryAfterMs / 1000);
  throw new ApiError('TooManyRequests', 'Too many requests, please try again later.', {
    retryAfterSeconds: Math.min(Math.max(seconds, 1), LONGEST_RETRY_AFTER_SECONDS),
  });
}

async function* releasing<T>(items: AsyncGenerator<T, void, undefined>, release: () => Promise<void>) {
  try {
    yield* items;
  } finally {
    await release();
  }
}

/** Watches are streamed as JSON; YAML is not offered for them. */
function watchAccept(accept: string | null): string | null {
  return accept?.includes('yaml') ? accept.replaceAll('application/yaml', 'application/x-none') : accept;
}

function watchDurationMs({ dependencies }: ResourceRequest, timeoutSeconds: number | undefined): number {
  const { ids, watchLifetime } = dependencies;
  if (timeoutSeconds === undefined) {
    const { unresumedMs, longestMs } = watchLifetime ?? NO_LIMIT;
    return Math.min(MIN_WATCH_MS * (1 + ids.random()), unresumedMs, longestMs);
  }
  if (!watchLifetime) return timeoutSeconds * 1000;
  const { resumedMs, longestMs } = watchLifetime;
  // The limit is lowered before the random part is added: if it were lowered afterwards, many watches would last exactly `longestMs`.
  const limitMs = Math.min(resumedMs, longestMs / (1 + LIFETIME_JITTER));
  return Math.min(timeoutSeconds * 1000, limitMs * (1 + LIFETIME_JITTER * (2 * ids.random() - 1)));
}

/**
 * Encodes the items of a generator as a stream of bytes. It takes the next item only when the reader wants more, so a slow client slows down only its own
 * watch, and nothing piles up in memory. When the reader cancels, it calls `abort` and ends the generator.
 */
function encodeJsonStream<T>(
  items: AsyncGenerator<T, void, undefined>,
  encode: (item: T) => string,
  abort: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await items.next();
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(encode(next.value)));
      },
      async cancel() {
        abort();
        await items.return();
      },
    },
    { highWaterMark: 0 },
  );
}
