import type { ReplicaSet } from '../../objects/kinds.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import type { ReplicaOwnerKind } from './ReplicaOwner.ts';
import { syncReplicaOwner, type SyncReplicaOwnerDeps } from './syncReplicaOwner.ts';

export const REPLICA_SET: ReplicaOwnerKind = {
  controller: 'replicaset',
  resource: 'replicasets.apps',
  kind: 'ReplicaSet',
  selectorOf: (owner) => (owner as ReplicaSet).spec?.selector,
  countsTerminating: true,
};

/** Syncs one ReplicaSet: claims its pods, creates or deletes the difference, writes its status. The steps are those of `syncReplicaOwner`. */
export function syncReplicaSet(deps: SyncReplicaOwnerDeps, key: WorkKey, context: SyncContext): Promise<SyncReport> {
  return syncReplicaOwner(REPLICA_SET, deps, key, context);
}
