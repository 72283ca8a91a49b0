import { jsonEqual } from '../../objects/json.ts';
import { subjectOf } from '../../ports/ChangeLog.ts';
import { type CustomResourceDefinition, DEFINITIONS } from '../../registry/customresources/CustomResourceDefinition.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';

/** Kubernetes' `min-request-timeout`. A watch without a timeout of its own lasts between one and two times this. */
const MIN_WATCH_MS = 1_800_000;
/** The part of a resumed watch's limit that is added or taken away at random. */
const LIFETIME_JITTER = 0.2;
const NO_LIMIT = { unresumedMs: Number.POSITIVE_INFINITY, longestMs: Number.POSITIVE_INFINITY };

/** A watch's end: `signal` is aborted at the latest when `end` is called, which also frees what was waited with. */
export interface WatchEnd {
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * Waits for what ends a watch before its time. Everything that ends one:
 *
 * | what | where | what the client sees |
 * |---|---|---|
 * | its time is over: its `timeoutSeconds`, or the server's limit | `watchDurationMs` below; `follow` of `watchEvents.ts` looks at the clock | a last bookmark, if it allows them, and the end of the answer |
 * | in the cloud, a newer watch has taken its slot | `adapters/aws/log/DynamoDbWatchSlots.ts`; `follow`, too | the same |
 * | the definition of its custom resource is changed or deleted, or cannot be read | `definitionEnd` below | the end of the answer |
 * | the client disconnects, which Lambda does not notice | `serveWatch.ts` | |
 * | in the cloud, the client takes nothing for a while | `functions/api/streamResponse.ts` | a broken answer |
 * | the log no longer has its next change | `expiredWatch` in `watchEvents.ts` | an ERROR event: Expired |
 * | another error | `watchEvents.ts` | an ERROR event, or a broken answer for one that is no ApiError |
 * | the server stops, which a function of Lambda never does | `functions/api/endWatches.ts` | the end of the answer |
 * | it has not ended by then | `infra/host/openHttpServer.ts`, `functions/api/openContainerServer.ts` | a cut connection |
 */
export function whenWatchEnds(request: ResourceRequest, disconnected: AbortSignal): WatchEnd {
  const ending = new AbortController();
  const abort = () => ending.abort();
  disconnected.addEventListener('abort', abort, { once: true });
  if (disconnected.aborted) abort();
  // A failure to look at the definition ends the watch, too: the client begins anew.
  definitionEnd(request, ending.signal).then(abort, abort);
  return {
    signal: ending.signal,
    end: () => {
      disconnected.removeEventListener('abort', abort);
      abort();
    },
  };
}

/** Returns how long a watch lasts at most, in milliseconds. */
export function watchDurationMs({ dependencies }: ResourceRequest, timeoutSeconds: number | undefined): number {
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
 * Resolves when the definition of a custom resource is gone, or describes it differently: Kubernetes ends the watches of the old resource then, so that clients
 * begin anew with what is served. For a resource without a definition, or once `signal` is aborted, resolves never. One read, and one reader of the log of the definitions.
 */
async function definitionEnd(request: ResourceRequest, signal: AbortSignal): Promise<void> {
  const { entry } = request.resource;
  if (!entry.custom || entry.custom.load) return await new Promise(() => {});
  const { changeLog, registry } = request.dependencies;
  const opened = await changeLog.open(DEFINITIONS, await changeLog.head(DEFINITIONS), signal);
  if (opened.status !== 'open') return;
  try {
    const key = { resource: DEFINITIONS, namespace: '', name: entry.groupResource };
    const definition = await registry.get<CustomResourceDefinition>(key);
    if (!definition) return;
    while (!signal.aborted) {
      const changes = await opened.cursor.next(signal);
      if (changes === 'expired') return;
      const own = changes.filter((change) => subjectOf(change).metadata.name === entry.groupResource);
      if (own.some(({ after }) => !after || !jsonEqual(after['spec'], definition.spec))) return;
    }
  } finally {
    opened.cursor.close();
  }
}
