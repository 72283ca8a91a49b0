import type { Ids } from '../../ports/Ids.ts';
import type { Controller, SyncContext } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { RegistryReader } from '../guardWrites.ts';
import { keysForReplicas } from './keysForReplicas.ts';
import type { ReplicaOwnerKind } from './ReplicaOwner.ts';
import { syncReplicas } from './syncReplicas.ts';

/** Kubernetes' BurstReplicas. */
const BURST_REPLICAS = 500;

export interface ReplicasDeps {
  readonly registry: RegistryReader;
  /** Of `replicaset-controller` or `replication-controller`. */
  readonly events: EventRecorder;
  readonly ids: Ids;
  readonly config?: {
    /** How many pods one sync creates or deletes at most; 500 if absent. */
    readonly burstReplicas?: number;
  };
}

/** The engine behind ReplicaSets and ReplicationControllers: keeps as many pods as each wants. Failing keys are tried for ever. */
export function createReplicasController(deps: ReplicasDeps, kind: ReplicaOwnerKind): Controller<SyncContext> {
  const settings = { ...deps, kind, burstReplicas: deps.config?.burstReplicas ?? BURST_REPLICAS };
  return {
    name: kind.controller,
    resources: [kind.resource],
    watches: [kind.resource, 'pods'],
    keysFor: (change) => keysForReplicas(deps.registry, kind, change),
    keysToResync: ({ metadata }) => [
      { controller: kind.controller, namespace: metadata.namespace ?? '', name: metadata.name },
    ],
    sync: (key, context) => syncReplicas(settings, key, context),
  };
}
