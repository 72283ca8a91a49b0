import type { ControllerRoom } from '../ControllerRoom.ts';
import { createTaintEvictionController } from './createTaintEvictionController.ts';
import { taintEvictionReasons } from './taintEvictionReasons.ts';

export const taintEvictionRoom = {
  name: 'tainteviction',
  needs: ['nodes', 'pods'],
  isClusterScoped: true,
  component: 'taint-eviction-controller',
  reasons: taintEvictionReasons,
  create: ({ events }) => createTaintEvictionController(events),
} as const satisfies ControllerRoom;
