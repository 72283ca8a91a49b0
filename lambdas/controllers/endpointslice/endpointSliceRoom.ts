import type { ControllerRoom } from '../ControllerRoom.ts';
import { openServicesOfPods } from '../endpoint/ServicesOfPods.ts';
import { endpointReasons } from '../endpoint/endpointReasons.ts';
import { createEndpointSliceController } from './createEndpointSliceController.ts';

export const endpointSliceRoom = {
  name: 'endpointslice',
  about: 'services',
  needs: ['services', 'endpointslices.discovery.k8s.io', 'pods'],
  reasons: endpointReasons,
  create: ({ share }) => createEndpointSliceController({ services: share(openServicesOfPods) }),
} as const satisfies ControllerRoom;
