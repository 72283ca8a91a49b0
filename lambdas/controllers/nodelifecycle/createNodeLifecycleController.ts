import type { EventRecorder } from '../EventRecorder.ts';
import type { Controller, SyncContext } from '../Controller.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { keyOf, keysForChange, LEASES } from './keysForChange.ts';
import { syncNode } from './syncNode.ts';

export interface NodeLifecycleDeps {
  readonly registry: RegistryReader;
  /** The recorder of `node-controller`. */
  readonly events: EventRecorder;
}

/** Kubernetes' node lifecycle controller: notices that a kubelet is silent, and turns the conditions of nodes into taints. */
export function createNodeLifecycleController({ registry, events }: NodeLifecycleDeps): Controller<SyncContext> {
  return {
    name: 'nodelifecycle',
    resources: ['nodes'],
    watches: ['nodes', LEASES],
    keysFor: (change) => keysForChange(registry, change),
    keysToResync: ({ metadata }) => [keyOf(metadata.name)],
    sync: (key, context) => syncNode(events, key, context),
  };
}
