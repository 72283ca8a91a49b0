import type { PodDisruptionBudget as ApiBudget } from 'kubernetes-types/policy/v1.js';
import { controllerOf, type Stored } from '../../objects/KubernetesObject.ts';
import type { Pod } from '../../objects/kinds.ts';
import { scaledValue } from '../../objects/quantities/scaledValue.ts';
import { type ControllerScale, findControllerScale, type ScaleFinder } from './findControllerScale.ts';

export type PodDisruptionBudget = Stored<ApiBudget>;

/** The number of pods that there should be, and how many of them must stay healthy; or why that is not known, in Kubernetes' words. */
export type ExpectedPods =
  | {
      readonly expected: number;
      readonly desired: number;
      /** The names of pods without a controller, where the controllers' numbers count: such pods are not counted. */
      readonly unmanaged: readonly string[];
      readonly error?: undefined;
    }
  | { readonly error: string };

/** What a budget was computed from. */
export interface BudgetFacts {
  readonly budget: PodDisruptionBudget;
  /** The pods that it selects. */
  readonly pods: readonly Pod[];
  readonly expected: ExpectedPods;
}

/** Kubernetes' `getExpectedPodCount`. Only a `minAvailable` that is a number needs no look at the pods' controllers. */
export async function getExpectedPodCount(
  finder: ScaleFinder,
  { spec }: PodDisruptionBudget,
  pods: readonly Pod[],
): Promise<ExpectedPods> {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (maxUnavailable === undefined && typeof minAvailable === 'number')
    return { expected: pods.length, desired: minAvailable, unmanaged: [] };
  if (maxUnavailable === undefined && minAvailable === undefined) return { expected: 0, desired: 0, unmanaged: [] };
  const scale = await getExpectedScale(finder, pods);
  if ('error' in scale) return scale;
  const { expected, unmanaged } = scale;
  if (maxUnavailable === undefined)
    return { expected, desired: scaledValue(minAvailable, expected, Math.ceil), unmanaged };
  return { expected, desired: Math.max(0, expected - scaledValue(maxUnavailable, expected, Math.ceil)), unmanaged };
}

/** Kubernetes' `getExpectedScale`: the sum of what the pods' controllers want. Pods without a controller do not count. */
async function getExpectedScale(
  finder: ScaleFinder,
  pods: readonly Pod[],
): Promise<{ readonly expected: number; readonly unmanaged: readonly string[] } | { readonly error: string }> {
  const controlled = new Map(
    pods.flatMap((pod) => (controllerOf(pod) ? [[controllerOf(pod)?.uid, pod] as const] : [])),
  );
  const found = await Promise.all([...controlled.values()].map((pod) => scaleOfPod(finder, pod)));
  const scales = new Map<string, number>();
  for (const one of found) {
    if ('error' in one) return one;
    scales.set(one.uid, one.replicas);
  }
  const unmanaged = pods.filter((pod) => !controllerOf(pod)).map(({ metadata }) => metadata.name);
  return { expected: [...scales.values()].reduce((sum, replicas) => sum + replicas, 0), unmanaged };
}

async function scaleOfPod(finder: ScaleFinder, pod: Pod): Promise<ControllerScale | { readonly error: string }> {
  const reference = controllerOf(pod);
  const found = reference && (await findControllerScale(finder, reference, pod.metadata.namespace ?? ''));
  return found ?? { error: `found no controllers for pod ${JSON.stringify(pod.metadata.name)}` };
}
