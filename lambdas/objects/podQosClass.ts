import type { Container, PodSpec } from 'kubernetes-types/core/v1.js';
import { compareQuantities, parseQuantity, type Quantity } from './quantity.ts';

const QOS_RESOURCES = ['cpu', 'memory'];

/** `Guaranteed`: each container limits CPU and memory and asks for just that much. `BestEffort`: none says anything of either. Else `Burstable`. Pure. */
export function podQosClass(spec: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  if (!containers.some(saysAnything)) return 'BestEffort';
  return containers.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

function amount(list: Readonly<Record<string, string>> | undefined, resource: string): Quantity | undefined {
  const quantity = parseQuantity(list?.[resource]);
  return quantity !== undefined && quantity.nanos > 0n ? quantity : undefined;
}

function saysAnything({ resources }: Container): boolean {
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
