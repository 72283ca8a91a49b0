import { describe, expect, test } from 'vitest';
import type { Mutation } from './Mutation.ts';
import { runSeed } from './runSeed.ts';

/** A defect that the first so many seeds do not find counts as not found. */
const MOST_SEEDS = 500;

/** When the simulation draws other things, another seed than its own may find a defect. A test tries so many others at most, so that no test becomes slow unnoticed. */
const MOST_OTHER_SEEDS = 100;

/** For each defect a seed that finds it today, and soon: one of a small world. It is tried first, so that the search is short. */
const FINDING_SEEDS: Readonly<Record<string, number>> = {
  'acknowledge-first': 2,
  'active-jobs-forgotten': 90,
  'blind-overwrite': 4,
  'bookmarks-never-sent': 5,
  'bounds-swapped': 17,
  'claims-without-condition': 261,
  'collector-ignores-version': 359,
  'collector-trusts-names': 26,
  'collision-count-not-written': 49,
  'daemon-bound-off-by-one': 255,
  'deadline-not-requeued': 150,
  'dropped-wake-up': 9,
  'equals-preempted': 3,
  'evicted-pods-healthy': 71,
  'failed-changes-passed-over': 26,
  'failed-syncs-acknowledged': 2,
  'finalizers-first': 6,
  'floor-off-by-one': 11,
  'freed-room-unnoticed': 143,
  'gone-messages-presumed': 3_900_002_506,
  'inherited-deletes-forgotten': 46,
  'jobs-replaced-by-name': 150,
  'landed-burn-ignored': 112,
  'largest-size-ignored': 78,
  'last-scale-forgotten': 8,
  'late-runs-not-burned': 300,
  'leaving-daemons-forgotten': 85,
  'leaving-pods-available': 67,
  'leaving-pods-healthy': 11,
  'lost-dirty-mark': 4,
  'missing-keys-presumed': 85,
  'new-nodes-passed-over': 1_325,
  'new-room-unnoticed': 413,
  'no-fence': 16,
  'no-fresh-read': 236,
  'no-intents': 6,
  'no-lock': 2,
  'no-slow-start': 17,
  'no-tombstones': 16,
  'notice-unread': 35,
  'old-syncs-satisfy': 4,
  'only-first-key-sent': 22,
  'ordered-pods-at-once': 4,
  'orphaned-jobs-deleted': 150,
  'outdated-budgets-trusted': 71,
  'parallelism-off-by-one': 6,
  'partition-ignored': 74,
  'pods-counted-when-named': 6,
  'pods-seen-late': 13,
  'ports-forgotten': 13,
  'ready-pods-first': 11,
  'recommendations-forgotten': 38,
  'releases-by-name': 12,
  'releases-presumed': 36,
  'removed-pods-kept': 193,
  'renewal-forgotten': 5,
  'replaced-jobs-kept': 90,
  'revision-off-by-one': 18,
  'rounding-swapped': 29,
  'scale-events-forgotten': 38,
  'stale-index': 18,
  'stale-status-trusted': 17,
  'starts-with-none': 1,
  'surge-off-by-one': 9,
  'terminating-pods-counted': 4,
  'unavailable-off-by-one': 4,
  'unselected-adopted': 26,
  'wake-up-not-stored': 3,
};

/** The defects that make a controller do the same for ever. Only of these is the limit of events a finding. */
const ENDLESS: ReadonlySet<string> = new Set(['collision-count-not-written', 'terminating-pods-counted']);
/** So many times the events of a sound run are endless work. */
const ENDLESS_FACTOR = 5;

/** Defines a test for each of these defects. */
export function expectMutationsFound(mutations: readonly Mutation[]): void {
  describe('a deliberate defect is found by the simulation alone', () => {
    test.each(mutations.map((mutation) => [mutation.name, mutation] as const))(
      '%s',
      { timeout: 600_000 },
      async (_, mutation) => {
        const listed = FINDING_SEEDS[mutation.name] ?? 1;
        if (await finds(listed, mutation)) return;
        const found = await searchSeeds(mutation);
        expect(found, 'no seed finds it').toBeLessThanOrEqual(MOST_SEEDS);
        const advice = `seed ${listed} no longer finds ${mutation.name}, but seed ${found} does: name that one in FINDING_SEEDS`;
        expect(found, advice).toBeLessThanOrEqual(MOST_OTHER_SEEDS);
        console.warn(advice);
      },
    );
  });
}

async function searchSeeds(mutation: Mutation): Promise<number> {
  for (let seed = 1; seed <= MOST_SEEDS; seed += 1) if (await finds(seed, mutation)) return seed;
  return Number.POSITIVE_INFINITY;
}

async function finds(seed: number, mutation: Mutation): Promise<boolean> {
  if (ENDLESS.has(mutation.name)) return await findsEndlessWork(seed, mutation);
  const { failure } = await runSeed(seed, mutation);
  return failure !== undefined && !failure.includes('still busy');
}

/** Runs until the defect shows, or until the world has worked many times as long as without the defect. */
async function findsEndlessWork(seed: number, mutation: Mutation): Promise<boolean> {
  const { eventCount } = await runSeed(seed);
  const { failure } = await runSeed(seed, mutation, ENDLESS_FACTOR * eventCount);
  return failure !== undefined;
}
