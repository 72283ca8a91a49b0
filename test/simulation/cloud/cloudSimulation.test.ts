import { expect, test } from 'vitest';
import { runCloudSeed } from '../runSeed.ts';

/** Few, since each world has hundreds of requests to model. `npm run sim -- --cloud` runs others each time. */
const SEEDS = [5, 6, 9];

test('every rule holds over the models of the services, and everything ends as the specs say', {
  timeout: 300_000,
}, async () => {
  const failures: string[] = [];
  for (const seed of SEEDS) {
    const { failure } = await runCloudSeed(seed);
    if (failure !== undefined) failures.push(`npm run sim -- --cloud --seed ${seed} --trace: ${failure}`);
  }
  expect(failures).toEqual([]);
});

test('a seed is the same run every time', { timeout: 120_000 }, async () => {
  expect((await runCloudSeed(6)).digest).toBe((await runCloudSeed(6)).digest);
});
