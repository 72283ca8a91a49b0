import { setMaxListeners } from 'node:events';
import type { ApiHandler } from '../../lambdas/functions/api/createApiHandler.ts';

/** The handler, with the answers to watches ending, as if their time were up, when `stopping` is aborted: clients see a clean end and not a cut. */
export function endWatches(api: ApiHandler, stopping: AbortSignal): ApiHandler {
  // Each watch listens.
  setMaxListeners(0, stopping);
  return async (request) => {
    const response = await api(request);
    if (!response.body || !/[?&]watch=/.test(request.url)) return response;
    return new Response(untilAborted(response.body, stopping), response);
  };
}

function untilAborted(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  // Makes a read that waits come back as the end.
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
