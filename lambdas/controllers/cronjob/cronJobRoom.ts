import type { ControllerRoom } from '../ControllerRoom.ts';
import { createCronJobController } from './createCronJobController.ts';
import { cronJobReasons } from './cronJobReasons.ts';

export const cronJobRoom = {
  name: 'cronjob',
  about: 'cronjobs.batch',
  needs: ['cronjobs.batch', 'jobs.batch'],
  shortNames: ['cj'],
  component: 'cronjob-controller',
  reasons: cronJobReasons,
  create: ({ events }) => createCronJobController(events),
  explain: async (facts) => (await import('./explainCronJob.ts')).explainCronJobAndPods(facts),
} as const satisfies ControllerRoom;
