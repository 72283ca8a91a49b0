import type { ControllerRoom } from '../ControllerRoom.ts';
import { createNodeLifecycleController } from './createNodeLifecycleController.ts';
import { nodeReasons } from './nodeReasons.ts';

export const nodeLifecycleRoom = {
  name: 'nodelifecycle',
  about: 'nodes',
  needs: ['nodes', 'leases.coordination.k8s.io', 'pods'],
  isClusterScoped: true,
  shortNames: ['no', 'node', 'nodes'],
  component: 'node-controller',
  reasons: nodeReasons,
  create: ({ registry, events }) => createNodeLifecycleController({ registry, events }),
  explain: async (facts) => (await import('./explainNode.ts')).explainNodeAndPods(facts),
} as const satisfies ControllerRoom;
