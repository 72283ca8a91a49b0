// Slow: each seed is a world of its own, with hundreds of requests to model.
import { beforeAll, describe, expect, test } from 'vitest';
import { loadRelease, openRelease, RELEASE_BEFORE } from '../../releases/KeptRelease.ts';
import type { Release } from '../../releases/Release.ts';
import { runCloudSeed } from '../runSeed.ts';
import { RELEASE_MUTATIONS } from './releaseMutations.ts';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
/** How each defect is found today: the first seeds are searched. */
const RULES: Readonly<Record<string, RegExp>> = { 'locks-unread-before': /is taken \d+ ms before it ends/ };
const MOST_SEEDS = 100;

describe('this release and the one before it, over the same tables', () => {
  let before: Release;
  beforeAll(async () => {
    before = await loadRelease((await openRelease(RELEASE_BEFORE)).directory);
  });

  test('keep every rule, whichever runs which function', { timeout: 300_000 }, async () => {
    const failures: string[] = [];
    for (const seed of SEEDS) {
      const { failure } = await runCloudSeed(seed, undefined, before);
      if (failure !== undefined) failures.push(`npm run sim -- --cloud --mixed before --seed ${seed}: ${failure}`);
    }
    expect(failures).toEqual([]);
  });

  test.each(RELEASE_MUTATIONS.map((mutation) => [mutation.name, mutation] as const))(
    'the defect %s is found, by the rule that it breaks',
    { timeout: 600_000 },
    async (name, mutation) => {
      for (let seed = 1; seed <= MOST_SEEDS; seed += 1) {
        const { failure = '' } = await runCloudSeed(seed, mutation, before);
        if (RULES[name]?.test(failure)) return;
      }
      expect.fail(`no seed up to ${MOST_SEEDS} finds it`);
    },
  );
});
