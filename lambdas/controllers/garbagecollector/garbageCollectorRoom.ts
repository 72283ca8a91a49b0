import type { ControllerRoom } from '../ControllerRoom.ts';
import { collectedEntries, isCustom } from '../servedResources.ts';
import { createGarbageCollector } from './createGarbageCollector.ts';
import { garbageCollectorReasons } from './garbageCollectorReasons.ts';

export const garbageCollectorRoom = {
  name: 'garbagecollector',
  /** It is about all that is served. */
  needs: [],
  workers: 20,
  reasons: garbageCollectorReasons,
  create: ({ ports, catalog }) =>
    createGarbageCollector({
      ...ports,
      resources: collectedEntries(catalog.builtIn),
      customResources: async () => (await catalog.custom.list()).map(({ stored }) => stored),
      isCustom,
    }),
} as const satisfies ControllerRoom;
