import type { ControllerRoom } from '../ControllerRoom.ts';
import { createStatefulSetController } from './createStatefulSetController.ts';
import { statefulSetReasons } from './statefulSetReasons.ts';

export const statefulSetRoom = {
  name: 'statefulset',
  about: 'statefulsets.apps',
  needs: ['statefulsets.apps', 'controllerrevisions.apps', 'persistentvolumeclaims', 'pods'],
  shortNames: ['sts'],
  component: 'statefulset-controller',
  reasons: statefulSetReasons,
  create: ({ ports, registry, events }) => createStatefulSetController({ ...ports, registry, events }),
  explain: async (facts) => (await import('./explainStatefulSet.ts')).explainStatefulSetAndPods(facts),
} as const satisfies ControllerRoom;
