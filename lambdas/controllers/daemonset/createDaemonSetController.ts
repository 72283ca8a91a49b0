import type { Controller, SyncContext } from '../Controller.ts';
import { CONTROLLER_REVISIONS } from '../history/claimRevisions.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { DAEMON_SETS, keysForChange } from './keysForChange.ts';
import { syncDaemonSet, type SyncDaemonSetDeps } from './syncDaemonSet.ts';

/** Kubernetes' DaemonSet controller. `events` is the recorder of `daemonset-controller`; `registry` looks up the DaemonSets of changed objects. A key that fails is retried for ever. */
export function createDaemonSetController(
  deps: SyncDaemonSetDeps & { readonly registry: RegistryReader },
): Controller<SyncContext> {
  return {
    name: 'daemonset',
    resources: [DAEMON_SETS],
    watches: [DAEMON_SETS, CONTROLLER_REVISIONS, 'pods', 'nodes'],
    keysFor: (change) => keysForChange(deps.registry, change),
    keysToResync: ({ metadata }) => [
      { controller: 'daemonset', namespace: metadata.namespace ?? '', name: metadata.name },
    ],
    sync: (key, context) => syncDaemonSet(deps, key, context),
  };
}
