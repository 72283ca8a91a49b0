import { jsonEqual } from '../../objects/json.ts';
import { matchesLabelSelector } from '../../objects/selectors/labelSelector.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import { conclude } from '../conclude.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { reasonInWords, reportDone } from './disruptionReasons.ts';
import { countingEvents, notDeletedEvents, sharedPodEvents } from './budgetEvents.ts';
import { type BudgetDecision, decideBudget } from './decideBudget.ts';
import { type BudgetFacts, type ExpectedPods, getExpectedPodCount, type PodDisruptionBudget } from './expectedPods.ts';
import type { ScaleFinder } from './findControllerScale.ts';

export const BUDGETS = 'poddisruptionbudgets.policy';

/** Reads the pods that a budget selects, and how many there should be. */
export async function observeBudget(
  registry: RegistryReader,
  catalog: ScaleFinder['catalog'],
  budget: PodDisruptionBudget,
): Promise<BudgetFacts> {
  const { namespace = '' } = budget.metadata;
  const { items } = await registry.list<Pod>('pods', { namespace });
  const pods = items.filter(({ metadata }) => matchesLabelSelector(budget.spec?.selector, metadata.labels));
  return { budget, pods, expected: await getExpectedPodCount({ registry, catalog }, budget, pods) };
}

/** Computes the status of a budget and writes it if it has changed: Kubernetes' `trySync`. */
export async function syncBudget(
  { catalog, events }: Pick<ScaleFinder, 'catalog'> & { readonly events: EventRecorder },
  { namespace, name }: WorkKey,
  { registry, nowMs }: SyncContext,
): Promise<SyncReport> {
  const budget = await registry.get<PodDisruptionBudget>({ resource: BUDGETS, namespace, name });
  if (!budget) return reportDone({ reason: 'isGone' });
  const facts = await observeBudget(registry, catalog, budget);
  const decision = decideBudget(budget, facts.pods, facts.expected, nowMs);
  const warnings = [...countingEvents(facts), ...notDeletedEvents(budget, decision.notDeleted)];
  if (warnings.length > 0) await events.record(warnings, registry);
  const why = [budgetInWords(decision, facts.expected)];
  const ended = conclude({ mustReobserve: false, delaysMs: [decision.recheckAfterMs] });
  if (jsonEqual(decision.status, budget.status)) return { outcome: ended, why, writes: [] };
  const changed = { ...budget, status: decision.status };
  const outcome = await registry.update(BUDGETS, changed, { subresource: 'status', from: budget });
  if (outcome.status === 'stored') {
    await warnOfSharedPods(events, facts, registry);
    return { outcome: ended, why, writes: [`count ${BUDGETS} ${namespace}/${name}`] };
  }
  if (outcome.error.reason !== 'Conflict' && outcome.error.reason !== 'NotFound') throw outcome.error;
  return { outcome: { status: 'conflict' }, why: [reasonInWords({ reason: 'changedMeanwhile' })], writes: [] };
}

/** Kubernetes warns at each change of such a pod. Here only changes that a budget counts reach a sync. */
async function warnOfSharedPods(
  events: EventRecorder,
  { budget, pods }: BudgetFacts,
  registry: SyncContext['registry'],
): Promise<void> {
  const { namespace = '' } = budget.metadata;
  const { items } = await registry.list<PodDisruptionBudget>(BUDGETS, { namespace });
  const warnings = items.length < 2 ? [] : sharedPodEvents(pods, items);
  if (warnings.length > 0) await events.record(warnings, registry);
}

/** Says how many pods may be evicted, and why no more. Pure. */
export function budgetInWords({ status }: BudgetDecision, expected: ExpectedPods): string {
  if (expected.error !== undefined) return reasonInWords({ reason: 'disruptionsUnknown', message: expected.error });
  const { currentHealthy: healthy, disruptionsAllowed: allowed } = status;
  const { expected: wanted, desired } = expected;
  return reasonInWords({ reason: 'disruptionsAllowed', healthy, allowed, expected: wanted, desired });
}
