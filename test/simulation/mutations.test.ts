import { describe, expect, test } from 'vitest';
import { MUTATIONS } from './mutations.ts';
import { runSeed } from './runSeed.ts';

/** The seed from which to look for a defect that the first few do not find: one that finds it today, so that the search is short. */
const FIRST_SEEDS: Readonly<Record<string, number>> = {
  'collector-ignores-version': 52,
  'collector-trusts-names': 36,
  'collision-count-not-written': 13,
  'deadline-not-requeued': 150,
  'failed-changes-passed-over': 26,
  'floor-off-by-one': 11,
  'inherited-deletes-forgotten': 53,
  'landed-burn-ignored': 23,
  'no-fence': 16,
  'no-fresh-read': 242,
  'no-tombstones': 12,
  'ready-pods-first': 11,
  'rounding-swapped': 18,
  'stale-status-trusted': 16,
  'wake-up-not-stored': 65,
};

/** A defect that this many seeds do not find counts as not found. */
const MOST_SEEDS = 500;

describe('a deliberate defect is found by the simulation alone', () => {
  test.each(MUTATIONS.map((mutation) => [mutation.name, mutation] as const))(
    '%s',
    { timeout: 600_000 },
    async (_, mutation) => {
      const first = FIRST_SEEDS[mutation.name] ?? 1;
      let failure: string | undefined;
      for (let seed = first; failure === undefined && seed < first + MOST_SEEDS; seed += 1) {
        failure = (await runSeed(seed, mutation)).failure;
      }
      expect(failure).toBeDefined();
    },
  );
});
