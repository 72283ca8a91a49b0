import { parseListOptions } from '../list/listOptions.ts';
import { negotiate } from '../response/negotiate.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { tableRequest } from '../response/respond.ts';
import { parseSelection } from '../list/Selection.ts';
import { createWatchEncoder } from './WatchEncoder.ts';
import { watchEvents } from './watchEvents.ts';

/** Kubernetes' `min-request-timeout`: a watch without a timeout of its own lasts between once and twice as long. */
const MIN_WATCH_MS = 1_800_000;

/**
 * A watch: chunks of JSON, one event a line, as they come. What is wrong with the query is refused at once; what is wrong with its position is told
 * as an ERROR event, as Kubernetes does. The stream is read as fast as the client reads it, and ends when the client goes away.
 */
export async function serveWatch(request: ResourceRequest): Promise<Response> {
  const options = parseListOptions(request.query, true);
  const form = negotiate(watchAccept(request.raw.headers.get('accept')), ['Table', 'PartialObjectMetadata']);
  const encoder = createWatchEncoder(request.resource, form, tableRequest(request, form));
  const gone = new AbortController();
  const lastsMs = watchMs(request, options.timeoutSeconds);
  const events = watchEvents(request, options, parseSelection(request), lastsMs, gone.signal);
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' };
  return new Response(
    encodeJsonStream(events, encoder, () => gone.abort()),
    { status: 200, headers },
  );
}

/** Watches are streamed as JSON; YAML is not offered for them. */
function watchAccept(accept: string | null): string | null {
  return accept?.includes('yaml') ? accept.replaceAll('application/yaml', 'application/x-none') : accept;
}

function watchMs({ dependencies }: ResourceRequest, timeoutSeconds: number | undefined): number {
  const asked = timeoutSeconds === undefined ? MIN_WATCH_MS * (1 + dependencies.ids.random()) : timeoutSeconds * 1000;
  return Math.min(asked, dependencies.maxWatchMs ?? Number.POSITIVE_INFINITY);
}

/**
 * Turns what `items` yields into a stream of bytes. An item is asked for only when the reader wants more, so that a slow client holds back its own
 * watch and nothing piles up; `abort` is called, and the generator ended, when the reader goes away.
 */
export function encodeJsonStream<T>(
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
