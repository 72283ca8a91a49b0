import type { Ids } from '../../ports/Ids.ts';
import type { Controller, SyncContext } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { PodTallies } from './PodTallies.ts';
import { keysForChange } from './keysForChange.ts';
import type { ReplicaOwnerKind } from './ReplicaOwner.ts';
import { REPLICA_SET, syncReplicaSet } from './syncReplicaSet.ts';

/** Kubernetes' BurstReplicas. */
const BURST_REPLICAS = 500;

/** A few large owners are synced again and again; the pods of small ones are quickly looked at. */
const REMEMBERED_OWNERS = 64;

export interface ReplicaOwnerControllerDeps {
  readonly registry: RegistryReader;
  /** The recorder of `replicaset-controller` or `replication-controller`. */
  readonly events: EventRecorder;
  readonly ids: Ids;
  readonly config?: {
    /** How many pods one sync creates or deletes at most; 500 if absent. */
    readonly burstReplicas?: number;
  };
  /** Whether the registry hands out the same object as long as it has not changed, so that what was seen in it can be remembered. Absent: no. */
  readonly sharesObjects?: boolean | undefined;
}

/** Kubernetes' ReplicaSet controller. `events` is the recorder of `replicaset-controller`. */
export function createReplicaSetController(deps: ReplicaOwnerControllerDeps): Controller<SyncContext> {
  return createReplicaOwnerController(REPLICA_SET, syncReplicaSet, deps);
}

/** The controller of ReplicaSets or of ReplicationControllers, which differ in their kind only. A key that fails is retried for ever. */
export function createReplicaOwnerController(
  kind: ReplicaOwnerKind,
  sync: typeof syncReplicaSet,
  { registry, events, ids, config, sharesObjects }: ReplicaOwnerControllerDeps,
): Controller<SyncContext> {
  const tallies = new PodTallies(sharesObjects ? REMEMBERED_OWNERS : 0);
  const deps = { events, ids, burstReplicas: config?.burstReplicas ?? BURST_REPLICAS, tallies };
  return {
    name: kind.controller,
    resources: [kind.resource],
    watches: [kind.resource, 'pods'],
    keysFor: (change) => keysForChange(registry, kind, change),
    keysToResync: ({ metadata }) => [
      { controller: kind.controller, namespace: metadata.namespace ?? '', name: metadata.name },
    ],
    sync: (key, context) => sync(deps, key, context),
  };
}
