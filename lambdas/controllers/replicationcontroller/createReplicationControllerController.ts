import type { Controller, SyncContext } from '../Controller.ts';
import {
  createReplicaOwnerController,
  type ReplicaOwnerControllerDeps,
} from '../replicaset/createReplicaSetController.ts';
import { REPLICATION_CONTROLLER, syncReplicationController } from './syncReplicationController.ts';

/** Kubernetes' ReplicationController controller. `events` is the recorder of `replication-controller`. */
export function createReplicationControllerController(deps: ReplicaOwnerControllerDeps): Controller<SyncContext> {
  return createReplicaOwnerController(REPLICATION_CONTROLLER, syncReplicationController, deps);
}
