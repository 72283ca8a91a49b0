import { expect, test } from 'vitest';
import { runCloudSeed } from '../runSeed.ts';
import { CLOUD_MUTATIONS } from './cloudMutations.ts';

/** Some defects, each with a seed that finds it at once. `npm run sim -- --cloud --mutate NAME` looks for the others. */
const SEEDS: Readonly<Record<string, number>> = {
  'blind-writes': 4,
  'pages-cut': 4,
  'records-cut': 4,
  'segments-overwritten': 4,
};

test.each(Object.entries(SEEDS))('the simulation finds the defect %s', { timeout: 300_000 }, async (name, seed) => {
  const mutation = CLOUD_MUTATIONS.find((one) => one.name === name);
  expect(mutation).toBeDefined();
  expect((await runCloudSeed(seed, mutation)).failure).toBeDefined();
});

test('at least ten defects of what runs on AWS can be named', () => {
  expect(CLOUD_MUTATIONS.length).toBeGreaterThanOrEqual(10);
  expect(new Set(CLOUD_MUTATIONS.map(({ name }) => name)).size).toBe(CLOUD_MUTATIONS.length);
});
