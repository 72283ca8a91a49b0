import type { Pod } from '../../objects/kinds.ts';
import { type Committed, mergeCommitted } from '../Committed.ts';
import type { Reason } from './statefulSetReasons.ts';

/** What became of the writes of a set's sync. Names of pods come again, so it tells what each pod is now, and not only which were created and deleted. */
export interface CommittedSteps extends Committed {
  /** What pods are now, by UID; `undefined` for one that is gone. Those that are not here are as they were read. */
  readonly pods: ReadonlyMap<string, Pod | undefined>;
  readonly why: readonly Reason[];
}

/** Adds up what became of several steps, in order. Pure. */
export function mergeSteps(all: readonly Partial<CommittedSteps>[]): CommittedSteps {
  return {
    ...mergeCommitted(all),
    pods: new Map(all.flatMap(({ pods }) => [...(pods ?? [])])),
    why: all.flatMap(({ why }) => why ?? []),
  };
}
