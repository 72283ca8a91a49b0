import { describe, expect, test } from 'vitest';
import { runCloudSeed } from '../runSeed.ts';
import type { CloudMutation } from './CloudMutation.ts';
import { CLOUD_MUTATIONS } from './cloudMutations.ts';

/** A defect that the first so many seeds do not find counts as not found. */
const MOST_SEEDS = 500;

/** For each defect a seed that finds it today. It is tried first, so that the search is short; once the draws have changed, the others are searched. */
const FINDING_SEEDS: Readonly<Record<string, number>> = {
  'batches-logged-twice': 38,
  'blind-writes': 1,
  'dead-batches-passed-over': 3,
  'dead-messages-deleted': 7,
  'eventual-log-reads': 20,
  'eventual-reads': 11,
  'expiries-not-logged': 38,
  'kept-messages-deleted': 30,
  'locks-taken-twice': 2,
  'losses-passed-over': 23,
  'lost-wake-ups': 1,
  'pages-cut': 1,
  'received-messages-deleted': 95,
  'records-cut': 2,
  'repeated-without-condition': 26,
  'segments-overwritten': 2,
};

describe('a deliberate defect of what runs on AWS is found by the simulation alone', () => {
  test.each(CLOUD_MUTATIONS.map((mutation) => [mutation.name, mutation] as const))(
    '%s',
    { timeout: 600_000 },
    async (_, mutation) => {
      expect(await findingSeed(mutation)).toBeLessThanOrEqual(MOST_SEEDS);
    },
  );
});

test('at least ten defects of what runs on AWS can be named', () => {
  expect(CLOUD_MUTATIONS.length).toBeGreaterThanOrEqual(10);
  expect(new Set(CLOUD_MUTATIONS.map(({ name }) => name)).size).toBe(CLOUD_MUTATIONS.length);
});

async function findingSeed(mutation: CloudMutation): Promise<number> {
  const all = Array.from({ length: MOST_SEEDS }, (_, index) => index + 1);
  for (const seed of [FINDING_SEEDS[mutation.name] ?? 1, ...all]) {
    if ((await runCloudSeed(seed, mutation)).failure !== undefined) return seed;
  }
  return Number.POSITIVE_INFINITY;
}
