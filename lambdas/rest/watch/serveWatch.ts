import { parseFieldSelector } from '../../objects/selectors/fieldSelector.ts';
import { parseListOptions } from '../list/listOptions.ts';
import { negotiate } from '../response/negotiate.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { tableRequest } from '../response/respond.ts';
import { parseSelection } from '../list/Selection.ts';
import { encodeStream } from '../response/encodeStream.ts';
import { claimSlot, releasing } from './claimSlot.ts';
import type { EventChunk } from './eventChunks.ts';
import { createWatchEncoder, type WatchEncoder } from './WatchEncoder.ts';
import { watchEvents } from './watchEvents.ts';
import { watchDurationMs } from './whenWatchEnds.ts';

const utf8 = new TextEncoder();
const sharedBytes = new WeakMap<EventChunk, Uint8Array>();

/**
 * Answers a watch with a stream of JSON, one event a line. As in Kubernetes, an error in the query is refused at once, and an error in the
 * position is sent as an ERROR event. The stream produces events only as fast as the client reads them, and ends when the client disconnects.
 */
export async function serveWatch(request: ResourceRequest): Promise<Response> {
  const options = parseListOptions(request.query, true);
  const form = negotiate(watchAccept(request.raw.headers.get('accept')), ['Table', 'PartialObjectMetadata']);
  const encode = createWatchEncoder(request.resource, form, tableRequest(request, form));
  const disconnected = new AbortController();
  const durationMs = watchDurationMs(request, options.timeoutSeconds);
  const selection = parseSelection(request);
  const slot = await claimSlot(request, { lifetimeMs: durationMs, isOfOne: watchesOne(request) });
  const until = { endMs: request.dependencies.clock.now() + durationMs, ended: slot.taken };
  const events = watchEvents(request, options, selection, until, disconnected.signal);
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' };
  const body = encodeStream(
    releasing(events, slot.release),
    (chunk) => (form.transform === 'none' ? encodeOnce(chunk, encode) : utf8.encode(encode(chunk))),
    () => {
      disconnected.abort();
      // The events may not have begun, and then nothing ends them.
      void slot.release();
    },
  );
  return new Response(body, { status: 200, headers });
}

/** True for a watch of one object by its name: of `kubectl rollout status`, `kubectl wait` and `kubectl get NAME -w`. */
function watchesOne({ info, query }: ResourceRequest): boolean {
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '');
  return !info.isCollection || fields.some(({ field, operator }) => field === 'metadata.name' && operator === '=');
}

/** Encodes a chunk once for all watches that share it. It holds whole objects, which look the same to all of them. */
function encodeOnce(chunk: EventChunk, encode: WatchEncoder): Uint8Array {
  const known = sharedBytes.get(chunk);
  if (known) return known;
  const bytes = utf8.encode(encode(chunk));
  sharedBytes.set(chunk, bytes);
  return bytes;
}

/** Watches are streamed as JSON; YAML is not offered for them. */
function watchAccept(accept: string | null): string | null {
  return accept?.includes('yaml') ? accept.replaceAll('application/yaml', 'application/x-none') : accept;
}
