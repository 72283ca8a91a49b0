import type { ControllerRoom } from '../ControllerRoom.ts';
import { openServicesOfPods } from './ServicesOfPods.ts';
import { createEndpointController } from './createEndpointController.ts';
import { endpointReasons } from './endpointReasons.ts';

export const endpointRoom = {
  name: 'endpoint',
  about: 'services',
  needs: ['services', 'endpoints', 'pods'],
  shortNames: ['ep'],
  reasons: endpointReasons,
  create: ({ share }) => createEndpointController({ services: share(openServicesOfPods) }),
} as const satisfies ControllerRoom;
