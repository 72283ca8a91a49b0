import type { Container, PodOS, PodSpec, ResourceRequirements } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isPodLevelResource } from '../../../objects/pods/podLevelResources.ts';
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
} from '../../../objects/quantities/quantity.ts';
import { containerAmounts } from '../../../objects/quantities/quota.ts';
import { parseAmounts } from '../../../objects/quantities/resourceAmounts.ts';
import { forbidden, invalid, notSupported } from '../fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf } from '../fieldsOf.ts';
import { isHugePages, validateResourceName } from '../resourceNames.ts';
import { validateRequirements } from './validateResources.ts';

/**
 * Returns the errors of the resources that a pod has as a whole: they cover those of its containers, and no container may use more. Follows upstream's `validatePodResources` and
 * `validatePodResourceConsistency`. Pure.
 */
export function validatePodLevelResources(spec: Fields<PodSpec>, path: string): FieldError[] {
  const { resources } = spec as { readonly resources?: unknown };
  if (!isPresent(resources)) return [];
  if (fieldsOf<PodOS>(spec.os).name === 'windows') return [forbidden(path, 'may not be set for a windows pod')];
  return [
    ...validateRequirements(resources, validatePodResourceName, path),
    ...consistencyErrors(spec, resources, path),
  ];
}

function validatePodResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (errors.length > 0 || isPodLevelResource(name)) return errors;
  return [notSupported(path, name, ['cpu', 'hugepages-', 'memory'])];
}

function consistencyErrors(spec: Fields<PodSpec>, resources: unknown, path: string): FieldError[] {
  const { requests, limits } = fieldsOf<ResourceRequirements>(resources);
  const [ofPod, most] = [quantitiesOf(requests), quantitiesOf(limits)];
  const uncovered = (member: 'requests' | 'limits', own: ReadonlyMap<string, Quantity>) =>
    Object.entries(containerAmounts(spec as unknown as PodSpec, member))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, needed]) => {
        const given = own.get(name);
        if (given === undefined || compareQuantities(needed, given) <= 0) return [];
        if (member === 'limits' && !isHugePages(name)) return [];
        const why = `must be greater than or equal to aggregate container ${member} of ${formatQuantity(needed)}`;
        return [invalid(`${path}.${member}[${name}]`, formatQuantity(given), why)];
      });
  return [...uncovered('requests', ofPod), ...uncovered('limits', most), ...limitErrors(spec, most, path)];
}

/** No container may use more than the pod. The path is that of upstream. */
function limitErrors(spec: Fields<PodSpec>, most: ReadonlyMap<string, Quantity>, path: string): FieldError[] {
  return itemsOf<Container>(spec.containers).flatMap((container, index) => {
    const limits = quantitiesOf(fieldsOf<ResourceRequirements>(container.resources).limits);
    return [...limits].flatMap(([name, limit]) => {
      const bound = most.get(name);
      if (bound === undefined || compareQuantities(limit, bound) <= 0) return [];
      const why = `must be less than or equal to pod limits of ${formatQuantity(bound)}`;
      return [invalid(`${path}.containers[${index}][${name}].limits`, formatQuantity(limit), why)];
    });
  });
}

function quantitiesOf(list: unknown): ReadonlyMap<string, Quantity> {
  const known = Object.entries(fieldsOf<Record<string, unknown>>(list)).filter(([, value]) => parseQuantity(value));
  return new Map(Object.entries(parseAmounts(Object.fromEntries(known))));
}
