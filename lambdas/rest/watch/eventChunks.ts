import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import { selectionName } from '../list/Selection.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import type { ServedResource } from '../ServedGroup.ts';
import { type WatchEvent, watchEventOf } from './WatchEvent.ts';

/** The most events that are encoded and sent together: few, so that a slow client keeps little in memory. */
const CHUNK_EVENTS = 100;

/** Of so many selections the chunks are kept for other watches. With hundreds, as of kubelets, hardly two are the same. */
const MOST_SELECTIONS = 8;

/** Events that are sent together. */
export type EventChunk = readonly WatchEvent[];

/** What watches make of one list of changes, by the names of their selections. */
type ChunksByName = Map<string, readonly EventChunk[]>;

const known = new WeakMap<readonly Change[], WeakMap<ServedResource, ChunksByName>>();

/** The events of some changes for a watch. Watches of the same objects get the same chunks for the same list of changes, so that their bytes can be made once. */
export function chunksOf(
  changes: readonly Change[],
  request: ResourceRequest,
  matches: (object: KubernetesObject) => boolean,
): readonly EventChunk[] {
  const byName = chunksByName(changes, request.resource);
  const name = selectionName(request);
  const before = byName.get(name);
  if (before) return before;
  const chunks = [...inChunks(changes.flatMap((change) => watchEventOf(change, matches) ?? []))];
  if (byName.size < MOST_SELECTIONS) byName.set(name, chunks);
  return chunks;
}

function chunksByName(changes: readonly Change[], resource: ServedResource): ChunksByName {
  const byResource = known.get(changes) ?? new WeakMap<ServedResource, ChunksByName>();
  const byName = byResource.get(resource) ?? new Map<string, readonly EventChunk[]>();
  known.set(changes, byResource.set(resource, byName));
  return byName;
}

export function* inChunks<T>(events: readonly T[]): Generator<readonly T[], void, undefined> {
  for (let at = 0; at < events.length; at += CHUNK_EVENTS) yield events.slice(at, at + CHUNK_EVENTS);
}
