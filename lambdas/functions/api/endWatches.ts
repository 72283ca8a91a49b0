import { setMaxListeners } from 'node:events';
import { asksToWatch, parseFlag } from '../../rest/request/RequestInfo.ts';
import type { ApiHandler } from './createApiHandler.ts';

/** Wraps the handler: when `stopping` is aborted, open watches, and logs that are followed, end, so clients see a clean end and no broken connection. */
export function endWatches(api: ApiHandler, stopping: AbortSignal): ApiHandler {
  // Each watch adds a listener.
  setMaxListeners(0, stopping);
  return async (request, environment) => {
    const response = await api(request, environment);
    if (!response.body || !staysOpen(new URL(request.url))) return response;
    return new Response(untilAborted(response.body, stopping), response);
  };
}

function staysOpen(url: URL): boolean {
  return asksToWatch(url) || parseFlag(url.searchParams.get('follow'));
}

function untilAborted(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  // This makes a waiting read return the end of the stream.
  const end = () => void reader.cancel();
  signal.addEventListener('abort', end, { once: true });
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        signal.removeEventListener('abort', end);
        controller.close();
      },
      async cancel(reason) {
        signal.removeEventListener('abort', end);
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
