import type { ContainerResizePolicy } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { duplicate, invalid, oneOf } from './fieldErrors.ts';
import { itemsOf, textOf } from './fieldsOf.ts';

/** What a change of resources in place does to the container; errors stand at the list, as Kubernetes puts them. */
export function validateResizePolicy(policies: unknown, podRestartPolicy: string, path: string): FieldError[] {
  const seen = new Set<string>();
  return itemsOf<ContainerResizePolicy>(policies).flatMap((policy, index) => {
    const [resource, restart] = [textOf(policy.resourceName), textOf(policy.restartPolicy)];
    const isTaken = seen.has(resource);
    seen.add(resource);
    return [
      ...(isTaken ? [duplicate(`${path}[${index}]`, resource)] : []),
      ...oneOf(path, resource, ['cpu', 'memory']),
      ...oneOf(path, restart, ['NotRequired', 'RestartContainer']),
      ...(podRestartPolicy === 'Never' && restart !== 'NotRequired'
        ? [invalid(path, restart, "must be 'NotRequired' when `restartPolicy` is 'Never'")]
        : []),
    ];
  });
}
