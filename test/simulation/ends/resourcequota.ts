import type { ResourceQuota } from 'kubernetes-types/core/v1.js';
import type { Stored } from '../../../lambdas/objects/KubernetesObject.ts';
import { isPodTerminal } from '../../../lambdas/objects/pods/podState.ts';
import { nameOf, type World } from '../World.ts';

/** The status of every quota repeats its limits, and counts the pods that are there. */
export function uncountedQuota(world: World): string | undefined {
  for (const quota of world.all<Stored<ResourceQuota>>('ResourceQuota')) {
    const { spec, status, metadata } = quota;
    const limit = spec?.hard?.['pods'];
    const pods = world.pods().filter((pod) => pod.metadata.namespace === metadata.namespace && !isPodTerminal(pod));
    const isRight =
      status?.hard?.['pods'] === limit && (limit === undefined || status?.used?.['pods'] === String(pods.length));
    if (!isRight) return `${nameOf(quota)} does not say that there are ${pods.length} pods: ${JSON.stringify(status)}`;
  }
  return undefined;
}
