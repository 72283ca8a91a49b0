import type { ControllerRoom } from '../ControllerRoom.ts';
import { createPodGarbageCollector } from './createPodGarbageCollector.ts';
import { podCollectionReasons } from './podCollectionReasons.ts';

export const podGcRoom = {
  name: 'podgc',
  needs: ['nodes', 'pods'],
  reasons: podCollectionReasons,
  create: ({ terminatedPods, isStarted }) =>
    createPodGarbageCollector({ terminatedPods, collectsUnscheduled: !isStarted('pod') }),
} as const satisfies ControllerRoom;
