import { ApiError } from '../../objects/ApiError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { LogCursor, LogScope } from '../../ports/ChangeLog.ts';
import type { ListOptions } from '../list/listOptions.ts';
import { awaitVersion, readPage, timeoutSignal } from '../list/serveList.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { statusOf, tooLargeResourceVersion } from '../response/statusOf.ts';
import { chunksOf, inChunks } from './eventChunks.ts';
import { Alarm } from './Alarm.ts';
import type { WatchEvent } from './WatchEvent.ts';
import { whenWatchEnds } from './whenWatchEnds.ts';

const BOOKMARK_INTERVAL_MS = 60_000;
/** The wait for a version that the log does not hold yet. */
const FUTURE_TIMEOUT_MS = 30_000;

/** A watch's time: until `endMs`, by the clock, or until `ended` is aborted. */
export interface WatchTime {
  readonly endMs: number;
  readonly ended?: AbortSignal | undefined;
}

/**
 * Yields the events of a watch, for its time or until `signal` is aborted: first the existing objects, unless the client names a version to begin after;
 * then each change. `whenWatchEnds.ts` lists what ends a watch earlier. Events that are ready together are yielded together, in chunks, which watches of the same selection share. An ApiError ends the watch as an ERROR event.
 */
export async function* watchEvents(
  request: ResourceRequest,
  options: ListOptions,
  matches: (object: KubernetesObject) => boolean,
  time: WatchTime,
  signal: AbortSignal,
): AsyncGenerator<readonly WatchEvent[], void, undefined> {
  const ending = whenWatchEnds(request, signal);
  try {
    const from = yield* initialEvents(request, options);
    const cursor = await openCursor(request, from, ending.signal);
    try {
      yield* follow(request, options, cursor, matches, time, ending.signal);
    } finally {
      cursor.close();
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    yield [{ type: 'ERROR', status: statusOf(error) }];
  } finally {
    ending.end();
  }
}

/** Yields the existing objects if the client asks for them. Returns the position after them. */
async function* initialEvents(
  request: ResourceRequest,
  options: ListOptions,
): AsyncGenerator<readonly WatchEvent[], number, undefined> {
  const { resourceVersion, sendInitialEvents, allowWatchBookmarks } = options;
  if (sendInitialEvents === undefined && resourceVersion) return resourceVersion;
  if (sendInitialEvents === false) return await startWithoutInitialEvents(request, resourceVersion);
  const { items, position } = await readPage(request, { ...options, resourceVersionMatch: 'NotOlderThan', limit: 0 });
  for (const some of inChunks(items)) {
    yield some.map((item) => ({ type: 'ADDED', object: item.load(), initial: true }) as const);
  }
  if (sendInitialEvents && allowWatchBookmarks) yield [{ type: 'BOOKMARK', position, initialEventsEnd: true } as const];
  return position;
}

async function startWithoutInitialEvents(
  request: ResourceRequest,
  resourceVersion: number | undefined,
): Promise<number> {
  if (!resourceVersion) return await request.dependencies.changeLog.head(request.resource.entry.groupResource);
  await awaitVersion(request, resourceVersion);
  return resourceVersion;
}

async function openCursor(request: ResourceRequest, from: number, signal: AbortSignal): Promise<LogCursor> {
  const { changeLog, clock } = request.dependencies;
  const { groupResource } = request.resource.entry;
  const limited = timeoutSignal(clock, FUTURE_TIMEOUT_MS, signal);
  try {
    const opened = await changeLog.open(groupResource, from, limited.signal, scopeOf(request));
    switch (opened.status) {
      case 'open':
        return opened.cursor;
      case 'expired':
        throw expiredWatch(from, await changeLog.head(groupResource));
      case 'future':
        throw tooLargeResourceVersion(from, await changeLog.head(groupResource));
    }
  } finally {
    limited.done();
  }
}

/** Yields each change as it comes, and bookmarks and heartbeats in between. A client that allows bookmarks gets one as its heartbeat. */
async function* follow(
  request: ResourceRequest,
  options: ListOptions,
  cursor: LogCursor,
  matches: (object: KubernetesObject) => boolean,
  { endMs, ended }: WatchTime,
  signal: AbortSignal,
): AsyncGenerator<readonly WatchEvent[], void, undefined> {
  const { clock, changeLog, watchHeartbeatMs = Number.POSITIVE_INFINITY } = request.dependencies;
  let bookmarkMs = options.allowWatchBookmarks ? clock.now() + BOOKMARK_INTERVAL_MS : Number.POSITIVE_INFINITY;
  const alarm = new Alarm(clock, ended ? AbortSignal.any([signal, ended]) : signal);
  const isOver = () => ended?.aborted === true || clock.now() >= endMs;
  while (!signal.aborted && !isOver()) {
    const changes = await cursor.next(alarm.setFor(Math.min(endMs, bookmarkMs, clock.now() + watchHeartbeatMs)));
    if (changes === 'expired') {
      throw expiredWatch(cursor.position, await changeLog.head(request.resource.entry.groupResource));
    }
    const chunks = chunksOf(changes, request, matches);
    for (const chunk of chunks) yield chunk;
    if (changes.length === 0 && !signal.aborted && isOver()) break;
    const isSilent = changes.length === 0 && !signal.aborted;
    // A change may be logged after others with higher versions. A client that resumed from its version would get those again, and go on from the last of them.
    const isLate = chunks.length > 0 && changes.at(-1)?.version !== cursor.position;
    if (clock.now() >= bookmarkMs || ((isSilent || isLate) && options.allowWatchBookmarks)) {
      yield [{ type: 'BOOKMARK', position: cursor.position }];
      bookmarkMs = clock.now() + BOOKMARK_INTERVAL_MS;
    } else if (isSilent) yield [{ type: 'HEARTBEAT' }];
  }
  if (options.allowWatchBookmarks && !signal.aborted) yield [{ type: 'BOOKMARK', position: cursor.position }];
}

function scopeOf({ info, resource }: ResourceRequest): LogScope {
  return resource.entry.namespaced && info.namespace !== '' ? { namespace: info.namespace } : {};
}

function expiredWatch(from: number, head: number): ApiError {
  return new ApiError('Expired', `too old resource version: ${from} (${head})`);
}
