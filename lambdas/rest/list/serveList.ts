import { ApiError } from '../../objects/ApiError.ts';
import type { Clock } from '../../ports/Clock.ts';
import { encodeContinueToken } from './continueToken.ts';
import { type ListOptions, parseListOptions } from './listOptions.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { type ListPage, type ListQuery, readAt, readLatest } from './readConsistently.ts';
import { respondList } from '../response/respond.ts';
import { parseSelection } from './Selection.ts';
import { ExpiredListError, tooLargeResourceVersion } from '../response/statusOf.ts';

/** How long a list waits for the log to hold what the table does. */
const READ_TIMEOUT_MS = 30_000;
/** How long a list waits for a version that the client has seen and this server has not: Kubernetes' three seconds. */
const FRESHNESS_TIMEOUT_MS = 3_000;

/** `GET` of a collection. */
export async function serveList(request: ResourceRequest): Promise<Response> {
  const options = parseListOptions(request.query, false);
  const page = await readPage(request, options);
  return respondList(request, page.items, {
    resourceVersion: String(page.position),
    ...(page.last && { continue: encodeContinueToken({ position: page.position, after: page.last }) }),
  });
}

/** What a list with these options shows. Throws the ApiErrors of a list that cannot be answered (Expired, Timeout). */
export async function readPage(request: ResourceRequest, options: ListOptions): Promise<ListPage> {
  const query = listQuery(request, options);
  const { clock } = request.dependencies;
  if (options.resourceVersion) await awaitVersion(request, options.resourceVersion);
  const { signal, done } = timeoutSignal(clock, READ_TIMEOUT_MS, request.raw.signal);
  try {
    const position = exactPosition(options);
    const page =
      position === undefined
        ? await readLatest(request.dependencies, query, signal)
        : await readAt(request.dependencies, query, position, signal);
    if (page === 'expired') throw expiredList(options, signal.aborted ? undefined : position);
    return page;
  } finally {
    done();
  }
}

/** The query of a list or a watch's beginning: the place that the URL names, what its selectors select, and its page. */
export function listQuery(request: ResourceRequest, options: ListOptions): ListQuery {
  const { info, resource } = request;
  return {
    resource: resource.entry.groupResource,
    namespace: resource.entry.namespaced && info.namespace !== '' ? info.namespace : undefined,
    matches: parseSelection(request),
    limit: options.limit,
    after: options.continueFrom?.after,
  };
}

/** Waits until this server has seen `version`. Throws Timeout ("Too large resource version") if that takes too long. */
export async function awaitVersion({ dependencies, resource, raw }: ResourceRequest, version: number): Promise<void> {
  const { changeLog, clock } = dependencies;
  const { signal, done } = timeoutSignal(clock, FRESHNESS_TIMEOUT_MS, raw.signal);
  try {
    const { groupResource } = resource.entry;
    if ((await changeLog.head(groupResource)) >= version) return;
    if ((await changeLog.reached(groupResource, version, signal)) !== 'expired') return;
    throw tooLargeResourceVersion(version, await changeLog.head(groupResource));
  } finally {
    done();
  }
}

/** A signal that is aborted after `timeoutMs`, or with the other one; `done` frees the timer. */
export function timeoutSignal(
  clock: Clock,
  timeoutMs: number,
  other: AbortSignal,
): { readonly signal: AbortSignal; readonly done: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const cancel = clock.setTimer(timeoutMs, abort);
  other.addEventListener('abort', abort, { once: true });
  if (other.aborted) abort();
  const done = () => {
    cancel();
    other.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, done };
}

/** A version with a limit and no match means exactly that version, as it did before there was a match to give. */
function exactPosition({ continueFrom, resourceVersion, resourceVersionMatch, limit }: ListOptions) {
  if (continueFrom) return continueFrom.position;
  const exact = resourceVersionMatch === 'Exact' || (resourceVersionMatch === undefined && limit > 0);
  return exact && resourceVersion ? resourceVersion : undefined;
}

function expiredList({ continueFrom }: ListOptions, position: number | undefined): Error {
  if (position === undefined) {
    return new ApiError('Timeout', 'the list could not be brought to one position in time', { retryAfterSeconds: 1 });
  }
  if (!continueFrom) return new ExpiredListError('The resourceVersion for the provided list is too old.');
  return new ExpiredListError(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
      'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
      'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
      'deleted between the time the first chunk was returned and now may show up in the list.',
    encodeContinueToken({ after: continueFrom.after }),
  );
}
