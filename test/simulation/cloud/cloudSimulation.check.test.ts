import { expect, test } from 'vitest';
import { runCloudSeed } from '../runSeed.ts';
import { expectCloudSeedsToHold } from './expectCloudSeedsToHold.ts';

expectCloudSeedsToHold([6, 9]);

test('a seed is the same run every time', { timeout: 120_000 }, async () => {
  expect((await runCloudSeed(6)).digest).toBe((await runCloudSeed(6)).digest);
});
