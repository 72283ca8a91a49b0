import type { Container, PodSpec } from 'kubernetes-types/core/v1.js';
import { compareQuantities, parseQuantity, type Quantity } from './quantity.ts';

const QOS_RESOURCES = ['cpu', 'memory'];

/**
 * Computes the QoS class of a pod. `Guaranteed`: each container has limits for CPU and memory and requests the same. `BestEffort`: no container requests
 * or limits either. Otherwise `Burstable`. Pure.
 */
export function podQosClass(spec: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  if (!containers.some(hasAmounts)) return 'BestEffort';
  return containers.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

function amount(list: Readonly<Record<string, string>> | undefined, resource: string): Quantity | undefined {
  const quantity = parseQuantity(list?.[resource]);
  return quantity !== undefined && quantity.nanos > 0n ? quantity : undefined;
}

function hasAmounts({ resources }: Container): boolean {
  return QOS_RESOURCES.some(
    (resource) => (amount(resources?.requests, resource) ?? amount(resources?.limits, resource)) !== undefined,
  );
}

function isGuaranteed({ resources }: Container): boolean {
  return QOS_RESOURCES.every((resource) => {
    const limit = amount(resources?.limits, resource);
    const request = amount(resources?.requests, resource);
    return limit !== undefined && (request === undefined || compareQuantities(request, limit) === 0);
  });
}
