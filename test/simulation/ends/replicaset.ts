import type { ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import type { World } from '../World.ts';
import { unmetReplicas } from './unmetReplicas.ts';

/** Every ReplicaSet has exactly the pods that it wants, ready if they can be, and its status says so. */
export function unmetReplicaSet(world: World): string | undefined {
  return unmetReplicas(world, world.all<ReplicaSet>('ReplicaSet'));
}
