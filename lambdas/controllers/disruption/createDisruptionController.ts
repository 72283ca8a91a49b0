import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import { jsonEqual } from '../../objects/json.ts';
import { matchesLabelSelector } from '../../objects/labelSelector.ts';
import type { Pod } from '../../objects/kinds.ts';
import { isPodReady } from '../../objects/podState.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { ObjectList } from '../../ports/ObjectStore.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { Controller, SyncContext, SyncOutcome, SyncReport } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { ObjectReader } from '../guardWrites.ts';
import { reasonInWords } from '../reasonInWords.ts';
import { SharedReads } from '../SharedReads.ts';
import { reportDone } from '../reportDone.ts';
import { type BudgetDecision, decideBudget } from './decideBudget.ts';
import { type ExpectedPods, getExpectedPodCount, type PodDisruptionBudget } from './expectedPods.ts';

const BUDGETS = 'poddisruptionbudgets.policy';

export interface DisruptionControllerDeps {
  readonly objectStore: ObjectReader;
  readonly events: EventRecorder;
}

/** Kubernetes' disruption controller: computes how many pods of each PodDisruptionBudget may be evicted. The eviction of a pod uses one up. */
export function createDisruptionController({ objectStore, events }: DisruptionControllerDeps): Controller<SyncContext> {
  const budgets = new SharedReads<ObjectList<PodDisruptionBudget>>();
  const budgetsIn = (namespace: string) =>
    budgets.share(namespace, () => objectStore.list<PodDisruptionBudget>(BUDGETS, { namespace }));
  return {
    name: 'disruption',
    resources: [BUDGETS],
    watches: [BUDGETS, 'pods'],
    keysFor: (change) => keysForChange(budgetsIn, change),
    keysToResync: ({ metadata }) => [keyOf(metadata)],
    sync: (key, context) => syncBudget(events, key, context),
  };
}

function keyOf({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): WorkKey {
  return { controller: 'disruption', namespace, name };
}

function keysForChange(
  budgetsIn: (namespace: string) => Promise<ObjectList<PodDisruptionBudget>>,
  change: Change,
): readonly KeyToSend[] | Promise<readonly KeyToSend[]> {
  const { metadata } = subjectOf(change);
  if (change.resource === BUDGETS) return change.type === 'DELETED' ? [] : [{ key: keyOf(metadata) }];
  return isConcerned(change) ? keysForPod(budgetsIn, change) : [];
}

async function keysForPod(
  budgetsIn: (namespace: string) => Promise<ObjectList<PodDisruptionBudget>>,
  change: Change,
): Promise<readonly KeyToSend[]> {
  const pods = [change.before, change.after].flatMap((pod) => (pod ? [pod.metadata.labels] : []));
  const { items } = await budgetsIn(subjectOf(change).metadata.namespace ?? '');
  return items
    .filter((budget) => pods.some((labels) => matchesLabelSelector(selectorOf(budget), labels)))
    .map((budget) => ({ key: keyOf(budget.metadata) }));
}

/** True if the change may change what a budget counts. Most changes of a pod do not, and cost nothing. */
function isConcerned({ before, after }: Change): boolean {
  if (!before || !after) return true;
  const isDeleted = ({ metadata }: Pod) => metadata.deletionTimestamp !== undefined;
  if (isPodReady(before) !== isPodReady(after) || isDeleted(before) !== isDeleted(after)) return true;
  return !jsonEqual(before.metadata.labels ?? {}, after.metadata.labels ?? {});
}

function selectorOf({ spec }: PodDisruptionBudget): LabelSelector | undefined {
  return spec?.selector;
}

/** Kubernetes' `trySync`. */
async function syncBudget(
  events: EventRecorder,
  { namespace, name }: WorkKey,
  { registry, nowMs }: SyncContext,
): Promise<SyncReport> {
  const budget = await registry.get<PodDisruptionBudget>({ resource: BUDGETS, namespace, name });
  if (!budget) return reportDone({ reason: 'isGone' });
  const { items } = await registry.list<Pod>('pods', { namespace });
  const pods = items.filter(({ metadata }) => matchesLabelSelector(selectorOf(budget), metadata.labels));
  const expected = await getExpectedPodCount(registry, budget, pods);
  const decision = decideBudget(budget, pods, expected, nowMs);
  const warning = warningOf(pods, expected);
  if (warning)
    await events.record(
      [{ regarding: budget, type: warning.type, reason: warning.reason, message: warning.message }],
      registry,
    );
  const why = [whyOf(decision, expected)];
  if (jsonEqual(decision.status, budget.status)) return { outcome: outcomeOf(decision), why, writes: [] };
  const changed = { ...budget, status: decision.status };
  const outcome = await registry.update(BUDGETS, changed, { subresource: 'status', from: budget });
  if (outcome.status === 'stored') {
    return { outcome: outcomeOf(decision), why, writes: [`count ${BUDGETS} ${namespace}/${name}`] };
  }
  if (outcome.error.reason !== 'Conflict' && outcome.error.reason !== 'NotFound') throw outcome.error;
  return { outcome: { status: 'conflict' }, why: [reasonInWords({ reason: 'changedMeanwhile' })], writes: [] };
}

function warningOf(pods: readonly Pod[], expected: ExpectedPods) {
  if (expected.error !== undefined) {
    const message = `Failed to calculate the number of expected pods: ${expected.error}`;
    return { type: 'Warning' as const, reason: 'CalculateExpectedPodCountFailed', message };
  }
  if (pods.length > 0) return undefined;
  return { type: 'Normal' as const, reason: 'NoPods', message: 'No matching pods found' };
}

function outcomeOf({ recheckAfterMs }: BudgetDecision): SyncOutcome {
  return recheckAfterMs === undefined ? { status: 'done' } : { status: 'requeueAfter', delayMs: recheckAfterMs };
}

function whyOf({ status }: BudgetDecision, expected: ExpectedPods): string {
  if (expected.error !== undefined) return reasonInWords({ reason: 'disruptionsUnknown', message: expected.error });
  const { currentHealthy: healthy, disruptionsAllowed: allowed } = status;
  return reasonInWords({ reason: 'disruptionsAllowed', healthy, allowed, ...expected });
}
