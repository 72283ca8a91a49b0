import { type Clock } from '../../ports/Clock.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { ObjectStore } from '../../ports/ObjectStore.ts';
import type { Registry } from '../../registry/Registry.ts';
import type { Controller } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import { keysForReplicas } from './keysForReplicas.ts';
import type { ReplicaOwnerKind } from './ReplicaOwner.ts';
import { syncReplicas } from './syncReplicas.ts';

/** Kubernetes' BurstReplicas. */
const BURST_REPLICAS = 500;

export interface ReplicasDeps {
  readonly registry: Registry;
  /** For burning names, and for telling by a strong read whose a name is. */
  readonly objectStore: ObjectStore;
  /** Of `replicaset-controller` or `replication-controller`. */
  readonly events: EventRecorder;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly config?: {
    /** How many pods one sync creates or deletes at most; 500 if absent. */
    readonly burstReplicas?: number;
  };
}

/** The engine behind ReplicaSets and ReplicationControllers: keeps as many pods as each wants. Failing keys are tried for ever. */
export function createReplicasController(deps: ReplicasDeps, kind: ReplicaOwnerKind): Controller {
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
