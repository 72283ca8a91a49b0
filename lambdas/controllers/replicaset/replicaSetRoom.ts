import type { ControllerRoom } from '../ControllerRoom.ts';
import { createReplicaSetController } from './createReplicaSetController.ts';
import { replicaSetReasons } from './replicaSetReasons.ts';

export const replicaSetRoom = {
  name: 'replicaset',
  about: 'replicasets.apps',
  needs: ['replicasets.apps'],
  shortNames: ['rs'],
  isPaced: true,
  component: 'replicaset-controller',
  reasons: replicaSetReasons,
  create: ({ ports, ownersReader: registry, sharesObjects, events }) =>
    createReplicaSetController({ ...ports, registry, sharesObjects, events }),
  explain: async (facts) => (await import('./explainOwner.ts')).explainOwner(facts),
} as const satisfies ControllerRoom;
