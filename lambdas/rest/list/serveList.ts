import { ApiError } from '../../objects/ApiError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { ListedObject } from '../../ports/ObjectStore.ts';
import { encodeContinueToken } from './continueToken.ts';
import { type ListOptions, parseListOptions } from './listOptions.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { type ListPage, type ListQuery, readAt, readLatest } from './readConsistently.ts';
import { listForm, respondList } from '../response/respond.ts';
import { parseListSelection, selectsAll } from './Selection.ts';
import { ExpiredListError, tooLargeResourceVersion } from '../response/statusOf.ts';

/** The wait until the change log has caught up with the table. */
const READ_TIMEOUT_MS = 30_000;
/** The wait for a version that the client has seen and this server has not: three seconds, as in Kubernetes. */
const FRESHNESS_TIMEOUT_MS = 3_000;

/** Answers a list: `GET` of a collection. */
export async function serveList(request: ResourceRequest): Promise<Response> {
  const options = parseListOptions(request.query, false);
  const page = await readPage(request, options);
  const remaining = selectsAll(request) ? remainingAfter(page, options) : undefined;
  const counted = remaining !== undefined && { remaining };
  spendOnTable(request, page.items);
  return respondList(request, loaded(page.items), {
    resourceVersion: String(page.position),
    ...(page.last && { continue: encodeContinueToken({ position: page.position, after: page.last, ...counted }) }),
    ...(remaining !== undefined && { remainingItemCount: remaining }),
  });
}

/**
 * Takes what the cells of a table take, before the first row is sent: an answer that has begun cannot become a refusal. Of a custom kind, the columns are what its definition says, and a column may look
 * through lists.
 */
function spendOnTable(request: ResourceRequest, items: readonly ListedObject[]): void {
  if (listForm(request).transform !== 'Table') return;
  const { columns, searches = 0 } = request.resource.entry.table;
  request.budget.allow(items.length);
  request.budget.spend(items.length * columns.length);
  if (searches <= FREE_SEARCHES) return;
  for (const item of items) request.budget.spendOnEach(item.load(), searches);
}

/** So few searches take no longer than to write the object. */
const FREE_SEARCHES = 10;

/** How many objects follow the page. Another process may have counted them for the page before, whose token says how many followed that. */
function remainingAfter({ last, remaining, items }: ListPage, { continueFrom }: ListOptions): number | undefined {
  if (!last) return undefined;
  const before = continueFrom?.remaining;
  const count = remaining ?? (before === undefined ? 0 : before - items.length);
  return count > 0 ? count : undefined;
}

/** Reads the page of a list with these options. Throws ApiError Expired or Timeout for a list that cannot be answered. */
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

/** Decodes each object when it is taken. */
export function* loaded(items: Iterable<ListedObject>): Generator<KubernetesObject> {
  for (const item of items) yield item.load();
}

/** The query for the objects of a list, or for the initial objects of a watch: its namespace, selectors and page. */
function listQuery(request: ResourceRequest, options: ListOptions): ListQuery {
  const { info, resource } = request;
  const selection = parseListSelection(request);
  return {
    resource: resource.entry.groupResource,
    namespace: resource.entry.namespaced && info.namespace !== '' ? info.namespace : undefined,
    matches: selectsAll(request) ? undefined : selection,
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

/** A signal that aborts after `timeoutMs`, or together with the other signal. `done` frees the timer. */
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

/** The position to read at, or `undefined` for the latest state. A version with a limit and no match means exactly that version, as before `resourceVersionMatch` existed. */
function exactPosition({ continueFrom, resourceVersion, resourceVersionMatch, limit }: ListOptions) {
  if (continueFrom) return continueFrom.position;
  const exact = resourceVersionMatch === 'Exact' || (resourceVersionMatch === undefined && limit > 0);
  return exact && resourceVersion ? resourceVersion : undefined;
}

function expiredList({ continueFrom }: ListOptions, position: number | undefined): Error {
  if (position === undefined) {
    return new ApiError('Timeout', 'the list could not be read at one position in time', { retryAfterSeconds: 1 });
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
