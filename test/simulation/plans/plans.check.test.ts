// Slow: hundreds of plans, each of which plays a story of minutes on a virtual clock.
import { describe, expect, test } from 'vitest';
import { CONTROLLER_NAMES } from '../../../lambdas/controllers/controllerRooms.ts';
import { findWrongEnds } from './findWrongEnds.ts';
import { STORIES } from './STORIES.ts';

describe.each(CONTROLLER_NAMES)('%s', (name) => {
  test.each(Object.entries(STORIES[name]))(
    '%s, whichever read is old, change unobserved or write the last of its process',
    { timeout: 300_000 },
    async (_, story) => {
      expect(await findWrongEnds(name, story, { every: 1 })).toEqual([]);
    },
  );
});
