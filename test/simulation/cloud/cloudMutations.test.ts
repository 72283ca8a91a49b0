import { expect, test } from 'vitest';
import { takeThird } from '../../support/takeThird.ts';
import { CLOUD_MUTATIONS } from './cloudMutations.ts';
import { expectCloudMutationsFound, FINDINGS } from './expectCloudMutationsFound.ts';

expectCloudMutationsFound(takeThird(CLOUD_MUTATIONS, 'every third'));

test('at least ten defects of what runs on AWS can be named, and each names the rule that it breaks', () => {
  expect(CLOUD_MUTATIONS.length).toBeGreaterThanOrEqual(10);
  expect(CLOUD_MUTATIONS.map(({ name }) => name).sort()).toEqual(Object.keys(FINDINGS).sort());
});
