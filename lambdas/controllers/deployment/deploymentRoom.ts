import type { ControllerRoom } from '../ControllerRoom.ts';
import { createDeploymentController } from './createDeploymentController.ts';
import { deploymentReasons } from './deploymentReasons.ts';

export const deploymentRoom = {
  name: 'deployment',
  about: 'deployments.apps',
  needs: ['deployments.apps'],
  shortNames: ['deploy'],
  isPaced: true,
  component: 'deployment-controller',
  reasons: deploymentReasons,
  create: ({ ports, ownersReader: registry, events }) => createDeploymentController({ ...ports, registry, events }),
  explain: async (facts) => (await import('./explainRollout.ts')).explainDeployment(facts),
} as const satisfies ControllerRoom;
