import { describe, expect, test } from 'vitest';
import { runSeed } from './runSeed.ts';

/** Defines a test of these worlds, each with its own faults. `npm run sim` runs others each time. */
export function expectSeedsToHold(first: number, last: number): void {
  describe('whatever fails, stalls or comes twice', () => {
    test('every rule holds at every write, and everything ends as the specs say', { timeout: 600_000 }, async () => {
      const failures: string[] = [];
      for (let seed = first; seed <= last; seed += 1) {
        const { failure } = await runSeed(seed);
        if (failure !== undefined) failures.push(`npm run sim -- --seed ${seed} --trace: ${failure}`);
      }
      expect(failures).toEqual([]);
    });
  });
}
