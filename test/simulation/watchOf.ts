import { watchEvents } from '../../lambdas/rest/watch/watchEvents.ts';
import type { Mutation, Watch } from './Mutation.ts';

/** Of so many seeds, one has watches as the API serves them, with bookmarks. In the others watchers read the log themselves. */
const SEEDS = 7;
const REMAINDER = 5;

/** What serves the watches of a seed, with the mutation's defect; `undefined` if nothing does. */
export function watchOf({ seed, mutation }: { seed: number; mutation?: Mutation | undefined }): Watch | undefined {
  if (seed % SEEDS !== REMAINDER) return undefined;
  return mutation?.seams().watch?.(watchEvents) ?? watchEvents;
}
