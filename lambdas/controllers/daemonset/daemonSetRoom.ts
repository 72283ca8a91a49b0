import type { ControllerRoom } from '../ControllerRoom.ts';
import { createDaemonSetController } from './createDaemonSetController.ts';
import { daemonSetReasons } from './daemonSetReasons.ts';

export const daemonSetRoom = {
  name: 'daemonset',
  about: 'daemonsets.apps',
  needs: ['daemonsets.apps', 'controllerrevisions.apps', 'pods', 'nodes'],
  /** As `--concurrent-daemonset-syncs`. */
  workers: 2,
  shortNames: ['ds'],
  component: 'daemonset-controller',
  reasons: daemonSetReasons,
  create: ({ ports, ownersReader: registry, events }) => createDaemonSetController({ ...ports, registry, events }),
  explain: async (facts) => (await import('./explainDaemonSet.ts')).explainDaemonSetAndPods(facts),
} as const satisfies ControllerRoom;
