import type { Pod } from '../../objects/kinds.ts';
import type { EventToRecord } from '../EventRecorder.ts';
import type { Reason } from './statefulSetReasons.ts';

/** What became of writes. */
export interface Committed {
  /** What pods are now, by UID; `undefined` for one that is gone. Those that are not here are as they were read. */
  readonly pods: ReadonlyMap<string, Pod | undefined>;
  /** The first error: the key is tried again with backoff. */
  readonly failure: Error | undefined;
  /** Something has changed since it was read. */
  readonly mustReobserve: boolean;
  /** The sync's deadline has passed with something left to do. */
  readonly unfinished: boolean;
  /** True if no create or delete of a pod is without an answer. */
  readonly settled: boolean;
  readonly why: readonly Reason[];
  readonly events: readonly EventToRecord[];
  readonly writes: readonly string[];
}

/** Adds up what became of several writes, in order. Pure. */
export function mergeCommitted(all: readonly Partial<Committed>[]): Committed {
  return {
    pods: new Map(all.flatMap(({ pods }) => [...(pods ?? [])])),
    failure: all.flatMap(({ failure }) => failure ?? [])[0],
    mustReobserve: all.some(({ mustReobserve }) => mustReobserve === true),
    unfinished: all.some(({ unfinished }) => unfinished === true),
    settled: all.every(({ settled }) => settled !== false),
    why: all.flatMap(({ why }) => why ?? []),
    events: all.flatMap(({ events }) => events ?? []),
    writes: all.flatMap(({ writes }) => writes ?? []),
  };
}

/** True if nothing else may be done in this sync. Pure. */
export function mustStop({ failure, mustReobserve, unfinished }: Committed): boolean {
  return failure !== undefined || mustReobserve || unfinished;
}
