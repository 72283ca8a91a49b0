import { stuckPods } from '../../explain/stuckPods.ts';
import type { ExplainFacts, RoomExplanation } from '../ControllerRoom.ts';
import { observeBudget } from './syncBudget.ts';
import { type BudgetDecision, decideBudget } from './decideBudget.ts';
import type { BudgetFacts, PodDisruptionBudget } from './expectedPods.ts';
import { budgetInWords } from './syncBudget.ts';
import { formatLabelSelector } from '../../objects/selectors/labelSelector.ts';
import { isPodReady } from '../../objects/pods/podState.ts';
import { durationInWords } from '../../explain/durationInWords.ts';
import type { DecisionExplanation } from '../../explain/Explanation.ts';

/** How many names a line lists. */
const NAMES_SHOWN = 5;

/** How many pods a PodDisruptionBudget lets go now, why no more, and what would let more go: what its controller would decide now. Pure. */
export function explainBudget(facts: BudgetFacts, nowMs: number): DecisionExplanation {
  const { budget, pods, expected } = facts;
  const decision = decideBudget(budget, pods, expected, nowMs);
  const unmanaged = expected.error === undefined ? expected.unmanaged : [];
  const notCounted = unmanaged.length === 0 ? [] : [`pods without a controller are not expected: ${named(unmanaged)}`];
  return {
    summary: summaryLines(facts, decision),
    why: [budgetInWords(decision, expected), ...notCounted],
    waitsFor: waits(facts, decision),
  };
}

function summaryLines({ budget, pods }: BudgetFacts, { status }: BudgetDecision): string[] {
  const { selector, unhealthyPodEvictionPolicy } = budget.spec ?? {};
  const leaving = pods.filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length;
  const evicted = Object.keys(status.disruptedPods ?? {}).length;
  const unhealthy =
    unhealthyPodEvictionPolicy === 'AlwaysAllow'
      ? 'unhealthy pods may always be evicted'
      : 'unhealthy pods may be evicted while as many pods are healthy as must be';
  return [
    `its selector is ${formatLabelSelector(selector) || 'empty'}; ${boundText(budget)}`,
    `it selects ${pods.length} pods: ${status.currentHealthy} are healthy, ${leaving} are being deleted, ${evicted} were evicted and their deletion does not show yet`,
    unhealthy,
  ];
}

function boundText({ spec }: PodDisruptionBudget): string {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (maxUnavailable !== undefined) return `maxUnavailable is ${maxUnavailable}`;
  return minAvailable === undefined
    ? 'it says neither minAvailable nor maxUnavailable'
    : `minAvailable is ${minAvailable}`;
}

/** What must happen before a healthy pod may be evicted; empty if one may be now. */
function waits({ budget, pods, expected }: BudgetFacts, { status, recheckAfterMs }: BudgetDecision): string[] {
  const { generation = 0 } = budget.metadata;
  if (expected.error !== undefined) return ['until each of its pods has a controller that says how many it wants'];
  if ((budget.status?.observedGeneration ?? 0) < generation) return ['until its last change is counted'];
  const { currentHealthy, desiredHealthy, disruptedPods = {} } = status;
  if (status.disruptionsAllowed > 0) return [];
  if (expected.expected === 0) return ['until it selects pods that are wanted'];
  if (desiredHealthy >= expected.expected)
    return [
      `until it is changed, or more pods are wanted: ${desiredHealthy} of ${expected.expected} must be healthy, so none may ever go`,
    ];
  const evicted = Object.keys(disruptedPods);
  const unhealthy = pods.filter((pod) => !isPodReady(pod)).map(({ metadata }) => metadata.name);
  const list = unhealthy.length === 0 ? '' : `; not healthy: ${named(unhealthy)}`;
  return [
    `until ${desiredHealthy + 1 - currentHealthy} more pods are healthy${list}`,
    ...(evicted.length === 0 || recheckAfterMs === undefined
      ? []
      : [`until these evicted pods are deleted, or for ${durationInWords(recheckAfterMs)}: ${named(evicted)}`]),
  ];
}

/** The first few names, and how many more there are. */
export function named(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return `${names.slice(0, NAMES_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Explains a PodDisruptionBudget and its pods. */
export async function explainBudgetAndPods(given: ExplainFacts): Promise<RoomExplanation> {
  const { registry, catalog, object, nowMs } = given;
  const facts = await observeBudget(registry, catalog, object);
  return { budget: explainBudget(facts, nowMs), stuckPods: stuckPods(facts.pods) };
}
