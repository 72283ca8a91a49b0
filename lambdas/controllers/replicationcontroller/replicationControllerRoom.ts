import type { ControllerRoom } from '../ControllerRoom.ts';
import { replicaSetReasons } from '../replicaset/replicaSetReasons.ts';
import { createReplicationControllerController } from './createReplicationControllerController.ts';

export const replicationControllerRoom = {
  name: 'replicationcontroller',
  about: 'replicationcontrollers',
  needs: ['replicationcontrollers'],
  shortNames: ['rc'],
  isPaced: true,
  component: 'replication-controller',
  reasons: replicaSetReasons,
  create: ({ ports, ownersReader: registry, sharesObjects, events }) =>
    createReplicationControllerController({ ...ports, registry, sharesObjects, events }),
  explain: async (facts) => (await import('../replicaset/explainOwner.ts')).explainOwner(facts),
} as const satisfies ControllerRoom;
