import { describe, expect, test } from 'vitest';
import { CONTROLLER_NAMES } from '../../../lambdas/controllers/controllerRooms.ts';
import { findWrongEnds } from './findWrongEnds.ts';
import type { Defect, Plan } from './Plan.ts';
import { STORIES } from './STORIES.ts';
import { WORKLOAD_STORIES } from './workloadStories.ts';

/** A slice of what `plans.check.test.ts` tries. */
const EVERY = 4;

describe.each(CONTROLLER_NAMES)('%s', (name) => {
  test.each(Object.entries(STORIES[name]))(
    '%s, whichever read is old, change unobserved or write the last of its process',
    async (_, story) => {
      expect(await findWrongEnds(name, story, { every: EVERY })).toEqual([]);
    },
  );
});

test.each<[Defect, Plan['what']]>([
  ['writesBlindly', 'oldRead'],
  ['neverResyncs', 'unobserved'],
  ['acknowledgesFirst', 'killed'],
])('the defect %s of a ReplicaSet is found by a plan of the kind %s', async (defect, what) => {
  const story = WORKLOAD_STORIES.replicaset['grows, and adopts a pod'];
  expect(await findWrongEnds('replicaset', story, { every: 1, what, defect })).not.toEqual([]);
});
