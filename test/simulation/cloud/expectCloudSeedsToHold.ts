import { expect, test } from 'vitest';
import { runCloudSeed } from '../runSeed.ts';

/** Defines a test of these worlds. They are few, since each has hundreds of requests to model. `npm run sim -- --cloud` runs others each time. */
export function expectCloudSeedsToHold(seeds: readonly number[]): void {
  test('every rule holds over the models of the services, and everything ends as the specs say', {
    timeout: 300_000,
  }, async () => {
    const failures: string[] = [];
    for (const seed of seeds) {
      const { failure } = await runCloudSeed(seed);
      if (failure !== undefined) failures.push(`npm run sim -- --cloud --seed ${seed} --trace: ${failure}`);
    }
    expect(failures).toEqual([]);
  });
}
