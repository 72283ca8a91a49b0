import type { ControllerRoom } from '../ControllerRoom.ts';
import { endpointReasons } from '../endpoint/endpointReasons.ts';
import { createEndpointSliceMirroringController } from './createEndpointSliceMirroringController.ts';

export const endpointSliceMirroringRoom = {
  name: 'endpointslicemirroring',
  about: 'endpoints',
  needs: ['services', 'endpoints', 'endpointslices.discovery.k8s.io'],
  reasons: endpointReasons,
  create: createEndpointSliceMirroringController,
} as const satisfies ControllerRoom;
