import type { Controller, SyncContext } from '../Controller.ts';
import { createReplicasController, type ReplicasDeps } from '../replicaset/createReplicasController.ts';
import { REPLICATION_CONTROLLER } from './ReplicationControllerKind.ts';

/** Kubernetes' ReplicationController controller. `events` is the recorder of `replication-controller`. */
export function createReplicationControllerController(deps: ReplicasDeps): Controller<SyncContext> {
  return createReplicasController(deps, REPLICATION_CONTROLLER);
}
