import type { PodDisruptionBudget } from '../../../lambdas/controllers/disruption/expectedPods.ts';
import { matchesLabelSelector } from '../../../lambdas/objects/selectors/labelSelector.ts';
import { isPodReady } from '../../../lambdas/objects/pods/podState.ts';
import { nameOf, type World } from '../World.ts';

/** Every budget that can be computed says what is there, and remembers no evicted pod any more. */
export function uncountedBudget(world: World): string | undefined {
  for (const budget of world.all<PodDisruptionBudget>('PodDisruptionBudget')) {
    const { metadata, spec, status } = budget;
    if (status?.conditions?.some(({ reason }) => reason === 'SyncFailed')) continue;
    const pods = world.pods().filter((pod) => pod.metadata.namespace === metadata.namespace);
    const healthy = pods.filter((pod) => matchesLabelSelector(spec?.selector, pod.metadata.labels) && isPodReady(pod));
    const {
      observedGeneration,
      currentHealthy,
      desiredHealthy = 0,
      disruptionsAllowed = 0,
      disruptedPods,
    } = status ?? {};
    const isRight = observedGeneration === metadata.generation && currentHealthy === healthy.length && !disruptedPods;
    if (!isRight || disruptionsAllowed > Math.max(0, healthy.length - desiredHealthy))
      return `${nameOf(budget)} does not say that ${healthy.length} pods are healthy: ${JSON.stringify(status)}`;
  }
  return undefined;
}
