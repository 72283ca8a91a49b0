import type { ControllerRoom } from '../ControllerRoom.ts';
import { createTtlAfterFinishedController } from './createTtlAfterFinishedController.ts';
import { timeToLiveReasons } from './timeToLiveReasons.ts';

export const ttlAfterFinishedRoom = {
  name: 'ttlafterfinished',
  about: 'jobs.batch',
  needs: ['jobs.batch'],
  reasons: timeToLiveReasons,
  create: createTtlAfterFinishedController,
} as const satisfies ControllerRoom;
