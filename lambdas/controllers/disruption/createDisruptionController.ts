import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { ObjectList } from '../../ports/ObjectStore.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { ResourceCatalog } from '../../registry/ResourceCatalog.ts';
import type { Controller, SyncContext } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { ObjectReader } from '../GuardedWriters.ts';
import { SharedReads } from '../SharedReads.ts';
import type { PodDisruptionBudget } from './expectedPods.ts';
import { budgetKey, keysForChange } from './keysForChange.ts';
import { hasDisruptionCondition, stalePodKey, stalePodName, syncStalePodDisruption } from './syncStalePodDisruption.ts';
import { BUDGETS, syncBudget } from './syncBudget.ts';

export interface DisruptionControllerDeps {
  readonly objectStore: ObjectReader;
  /** Where the kinds of the pods' controllers are looked up. */
  readonly catalog: ResourceCatalog;
  readonly events: EventRecorder;
}

/**
 * Kubernetes' disruption controller: computes how many pods of each PodDisruptionBudget may be evicted, of which the eviction of a pod uses one up. It also takes the condition DisruptionTarget back from pods that nobody deletes
 * after all.
 */
export function createDisruptionController(deps: DisruptionControllerDeps): Controller<SyncContext> {
  const { objectStore } = deps;
  const budgets = new SharedReads<ObjectList<PodDisruptionBudget>>();
  const budgetsIn = (namespace: string) =>
    budgets.share(namespace, () => objectStore.list<PodDisruptionBudget>(BUDGETS, { namespace }));
  return {
    name: 'disruption',
    resources: [BUDGETS, 'pods'],
    watches: [BUDGETS, 'pods'],
    keysFor: (change) => keysForChange(budgetsIn, change),
    keysToResync,
    sync: (key, context) => {
      const podName = stalePodName(key);
      return podName === undefined ? syncBudget(deps, key, context) : syncStalePodDisruption(key, podName, context);
    },
  };
}

function keysToResync(object: KubernetesObject, resource: GroupResource): readonly WorkKey[] {
  if (resource === BUDGETS) return [budgetKey(object.metadata)];
  const pod: Pod = object;
  return hasDisruptionCondition(pod) ? [stalePodKey(pod)] : [];
}
