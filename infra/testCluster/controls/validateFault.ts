import type { FieldError } from '../../../lambdas/objects/FieldError.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { faultProblems } from '../faultProblems.ts';
import { canonicalResource } from '../canonicalResource.ts';
import { decodeFault, type StoredFault } from './TestingObjects.ts';

/** Returns what is wrong with a Fault that fits its schema: the rules are those of startCluster's faults. Pure. */
export function validateFault(object: KubernetesObject): FieldError[] {
  const { spec } = object as StoredFault;
  const problems = faultProblems(decodeFault(spec));
  const errors = problems.map(({ field, rule }) => invalidField(field, spec, `a fault ${rule}`));
  return [...errors, ...resourceErrors(spec)];
}

function resourceErrors({ resource }: StoredFault['spec']): FieldError[] {
  if (resource === undefined) return [];
  try {
    canonicalResource(resource);
    return [];
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [{ type: 'FieldValueInvalid', field: 'spec.resource', badValue: resource, detail }];
  }
}

function invalidField(field: string, spec: object, detail: string): FieldError {
  const path = field === '' ? [] : field.split('.');
  const badValue = path.reduce<unknown>((value, member) => (value as Record<string, unknown>)[member], spec);
  return { type: 'FieldValueInvalid', field: ['spec', ...path].join('.'), badValue, detail };
}
