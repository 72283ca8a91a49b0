import { jsonEqual } from '../../objects/json.ts';
import { matchesLabelSelector } from '../../objects/selectors/labelSelector.ts';
import type { Pod } from '../../objects/kinds.ts';
import { isPodReady } from '../../objects/pods/podState.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { ObjectList } from '../../ports/ObjectStore.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { PodDisruptionBudget } from './expectedPods.ts';
import { BUDGETS } from './syncBudget.ts';
import { hasDisruptionCondition, stalePodKey } from './syncStalePodDisruption.ts';

type BudgetsIn = (namespace: string) => Promise<ObjectList<PodDisruptionBudget>>;

/** Returns the budgets that a change concerns, as the informers' event handlers do, and the pod itself if it may keep a condition that is out of date. */
export function keysForChange(
  budgetsIn: BudgetsIn,
  change: Change,
): readonly KeyToSend[] | Promise<readonly KeyToSend[]> {
  if (change.resource === BUDGETS)
    return change.type === 'DELETED' ? [] : [{ key: budgetKey(subjectOf(change).metadata) }];
  const stale = keysOfTarget(change);
  return isConcerned(change) ? keysForPod(budgetsIn, change, stale) : stale;
}

export function budgetKey({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): WorkKey {
  return { controller: 'disruption', namespace, name };
}

/** A pod that has just become the target of a disruption. */
function keysOfTarget({ before, after }: Change): readonly KeyToSend[] {
  const pod: Pod | undefined = after;
  if (!pod || !hasDisruptionCondition(pod)) return [];
  return before && hasDisruptionCondition(before) ? [] : [{ key: stalePodKey(pod) }];
}

async function keysForPod(
  budgetsIn: BudgetsIn,
  change: Change,
  stale: readonly KeyToSend[],
): Promise<readonly KeyToSend[]> {
  const pods = [change.before, change.after].flatMap((pod) => (pod ? [pod.metadata.labels] : []));
  const { items } = await budgetsIn(subjectOf(change).metadata.namespace ?? '');
  const selecting = items.filter(({ spec }) => pods.some((labels) => matchesLabelSelector(spec?.selector, labels)));
  return [...selecting.map(({ metadata }) => ({ key: budgetKey(metadata) })), ...stale];
}

/** True if the change may change what a budget counts. Most changes of a pod do not, and cost nothing. */
function isConcerned({ before, after }: Change): boolean {
  if (!before || !after) return true;
  const isDeleted = ({ metadata }: Pod) => metadata.deletionTimestamp !== undefined;
  if (isPodReady(before) !== isPodReady(after) || isDeleted(before) !== isDeleted(after)) return true;
  return !jsonEqual(before.metadata.labels ?? {}, after.metadata.labels ?? {});
}
