import type { Container, PodSpec } from 'kubernetes-types/core/v1.js';
import { hasPodLevelResources, type SizedPodSpec } from './podLevelResources.ts';
import { compareQuantities, parseQuantity, type Quantity } from '../quantities/quantity.ts';

const QOS_RESOURCES = ['cpu', 'memory'];

/**
 * Computes the QoS class of a pod. `Guaranteed`: each container has limits for CPU and memory and requests the same. `BestEffort`: no container requests
 * or limits either. Otherwise `Burstable`. What a pod has as a whole counts in place of what its containers have. Pure.
 */
export function podQosClass(spec: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const { resources } = spec as SizedPodSpec;
  if (resources && hasPodLevelResources(spec)) return classOf([{ resources }]);
  return classOf([...(spec.containers ?? []), ...(spec.initContainers ?? [])]);
}

function classOf(containers: readonly Pick<Container, 'resources'>[]): ReturnType<typeof podQosClass> {
  if (!containers.some(hasAmounts)) return 'BestEffort';
  return containers.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

function amount(list: Readonly<Record<string, string>> | undefined, resource: string): Quantity | undefined {
  const quantity = parseQuantity(list?.[resource]);
  return quantity !== undefined && quantity.nanos > 0n ? quantity : undefined;
}

function hasAmounts({ resources }: Pick<Container, 'resources'>): boolean {
  return QOS_RESOURCES.some(
    (resource) => (amount(resources?.requests, resource) ?? amount(resources?.limits, resource)) !== undefined,
  );
}

function isGuaranteed({ resources }: Pick<Container, 'resources'>): boolean {
  return QOS_RESOURCES.every((resource) => {
    const limit = amount(resources?.limits, resource);
    const request = amount(resources?.requests, resource);
    return limit !== undefined && (request === undefined || compareQuantities(request, limit) === 0);
  });
}
