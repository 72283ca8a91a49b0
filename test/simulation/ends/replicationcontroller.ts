import type { ReplicationController } from '../../../lambdas/objects/kinds.ts';
import type { World } from '../World.ts';
import { unmetReplicas } from './unmetReplicas.ts';

/** Every ReplicationController has exactly the pods that it wants, ready if they can be, and its status says so. */
export function unmetReplicationController(world: World): string | undefined {
  return unmetReplicas(world, world.all<ReplicationController>('ReplicationController'));
}
