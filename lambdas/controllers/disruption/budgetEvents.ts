import { goSelectorText } from '../../objects/go/goSelectorText.ts';
import { compileLabelSelector } from '../../objects/selectors/labelSelector.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { EventToRecord } from '../EventRecorder.ts';
import type { BudgetFacts, PodDisruptionBudget } from './expectedPods.ts';

/** Returns the events about what a budget counts, in Kubernetes' words. Pure. */
export function countingEvents({ budget: regarding, pods, expected }: BudgetFacts): EventToRecord[] {
  const none: EventToRecord = { regarding, type: 'Normal', reason: 'NoPods', message: 'No matching pods found' };
  const noPods = pods.length === 0 ? [none] : [];
  if (expected.error !== undefined) {
    const message = `Failed to calculate the number of expected pods: ${expected.error}`;
    return [...noPods, { regarding, type: 'Warning', reason: 'CalculateExpectedPodCountFailed', message }];
  }
  if (expected.unmanaged.length === 0) return noPods;
  const message =
    `Pods selected by this PodDisruptionBudget (selector: ${goSelectorText(regarding.spec?.selector)}) were found to be unmanaged. As a result, ` +
    'the status of the PDB cannot be calculated correctly, which may result in undefined behavior. ' +
    'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
  return [...noPods, { regarding, type: 'Warning', reason: 'UnmanagedPods', message }];
}

/** Returns the events about evicted pods that were not deleted in time. Kubernetes names the budget's namespace twice, and not its name. Pure. */
export function notDeletedEvents({ metadata }: PodDisruptionBudget, pods: readonly Pod[]): EventToRecord[] {
  const { namespace = '' } = metadata;
  const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
  return pods.map((regarding) => ({ regarding, type: 'Warning', reason: 'NotDeleted', message }));
}

/** Returns the events about those of the pods that several budgets select, which cannot be evicted at all. Pure. */
export function sharedPodEvents(pods: readonly Pod[], budgets: readonly PodDisruptionBudget[]): EventToRecord[] {
  const selecting = budgets.map(({ metadata, spec }) => ({
    name: metadata.name,
    selects: compileLabelSelector(spec?.selector),
  }));
  return pods.flatMap((pod) => {
    const [first, second] = selecting.filter(({ selects }) => selects(pod.metadata.labels));
    if (!first || !second) return [];
    const { namespace = '', name } = pod.metadata;
    const message = `Pod ${quoted(namespace)}/${quoted(name)} matches multiple PodDisruptionBudgets.  Chose ${quoted(first.name)} arbitrarily.`;
    return [{ regarding: pod, type: 'Warning', reason: 'MultiplePodDisruptionBudgets', message }];
  });
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
