import type { Controller, SyncContext } from '../Controller.ts';
import { createReplicasController, type ReplicasDeps } from './createReplicasController.ts';
import { REPLICA_SET } from './ReplicaOwner.ts';

/** Kubernetes' ReplicaSet controller. `events` is the recorder of `replicaset-controller`. */
export function createReplicaSetController(deps: ReplicasDeps): Controller<SyncContext> {
  return createReplicasController(deps, REPLICA_SET);
}
