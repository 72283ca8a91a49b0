import type { ReplicationController } from '../../objects/kinds.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import type { ReplicaOwnerKind } from '../replicaset/ReplicaOwner.ts';
import { syncReplicaOwner, type SyncReplicaOwnerDeps } from '../replicaset/syncReplicaOwner.ts';

/** A ReplicationController is an older ReplicaSet, whose selector is a plain map of labels. */
export const REPLICATION_CONTROLLER: ReplicaOwnerKind = {
  controller: 'replicationcontroller',
  resource: 'replicationcontrollers',
  kind: 'ReplicationController',
  selectorOf(owner) {
    const matchLabels = (owner as ReplicationController).spec?.selector;
    return matchLabels && { matchLabels };
  },
  countsTerminating: false,
};

/** Syncs one ReplicationController, by the same steps as a ReplicaSet. Kubernetes does this too: its controller wraps the ReplicaSet's in an adapter. */
export function syncReplicationController(
  deps: SyncReplicaOwnerDeps,
  key: WorkKey,
  context: SyncContext,
): Promise<SyncReport> {
  return syncReplicaOwner(REPLICATION_CONTROLLER, deps, key, context);
}
