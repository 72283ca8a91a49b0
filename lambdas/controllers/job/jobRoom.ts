import type { ControllerRoom } from '../ControllerRoom.ts';
import { createJobController } from './createJobController.ts';
import { jobReasons } from './jobReasons.ts';

export const jobRoom = {
  name: 'job',
  about: 'jobs.batch',
  needs: ['jobs.batch', 'pods'],
  component: 'job-controller',
  reasons: jobReasons,
  create: ({ ports, registry, events }) => createJobController({ ...ports, registry, events }),
  explain: async (facts) => (await import('./explainJob.ts')).explainJobAndPods(facts),
} as const satisfies ControllerRoom;
