import type { EventToRecord } from './EventRecorder.ts';

/**
 * What became of the writes of a sync. Each controller decides for itself when its intent may be cleared, since that depends on what it has requested: `settled` says only that no request is without an answer.
 */
export interface Committed {
  /** One phrase a write: `create pods default/web-x`. */
  readonly writes: readonly string[];
  readonly events: readonly EventToRecord[];
  /** Something had changed since it was read, so that the sync must observe again at once. */
  readonly mustReobserve: boolean;
  /** The deadline passed with something left to do. */
  readonly unfinished: boolean;
  /** No request is without an answer, so none can have an effect any more. */
  readonly settled: boolean;
  /** The first error. The others are likely the same, and each has its event. The key is tried again with backoff. */
  readonly failure: Error | undefined;
}

/** Adds up what became of several writes, in order. Pure. */
export function mergeCommitted(all: readonly Partial<Committed>[]): Committed {
  return {
    writes: all.flatMap(({ writes }) => writes ?? []),
    events: all.flatMap(({ events }) => events ?? []),
    mustReobserve: all.some(({ mustReobserve }) => mustReobserve === true),
    unfinished: all.some(({ unfinished }) => unfinished === true),
    settled: all.every(({ settled }) => settled !== false),
    failure: all.flatMap(({ failure }) => failure ?? [])[0],
  };
}

/** True if nothing else may be written in this sync. Pure. */
export function mustStop({ failure, mustReobserve, unfinished }: Committed): boolean {
  return failure !== undefined || mustReobserve || unfinished;
}
