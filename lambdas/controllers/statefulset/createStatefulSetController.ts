import type { Controller, SyncContext } from '../Controller.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { CONTROLLER_REVISIONS } from '../history/claimRevisions.ts';
import { keysForChange } from './keysForChange.ts';
import { STATEFUL_SETS } from './observeStatefulSet.ts';
import { syncStatefulSet, type SyncStatefulSetDeps } from './syncStatefulSet.ts';

/** Kubernetes' StatefulSet controller. `events` is the recorder of `statefulset-controller`. A key that fails is retried for ever. */
export function createStatefulSetController(
  deps: SyncStatefulSetDeps & { readonly registry: RegistryReader },
): Controller<SyncContext> {
  return {
    name: 'statefulset',
    resources: [STATEFUL_SETS],
    watches: [STATEFUL_SETS, 'pods', CONTROLLER_REVISIONS, 'persistentvolumeclaims'],
    keysFor: (change) => keysForChange(deps.registry, change),
    keysToResync: ({ metadata: { namespace = '', name } }) => [{ controller: 'statefulset', namespace, name }],
    sync: (key, context) => syncStatefulSet(deps, key, context),
  };
}
