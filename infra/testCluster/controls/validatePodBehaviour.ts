import type { FieldError } from '../../../lambdas/objects/FieldError.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { behaviourProblems } from '../behaviourProblems.ts';
import { compileImagePattern } from './compileImagePattern.ts';
import type { StoredPodBehaviour } from './TestingObjects.ts';

/** Returns what is wrong with a PodBehaviour that fits its schema: the rules are those of startCluster's `pods`. Pure. */
export function validatePodBehaviour(object: KubernetesObject): FieldError[] {
  const { spec } = object as StoredPodBehaviour;
  const errors = behaviourProblems(spec.behave).map(
    ({ field, wanted, value }): FieldError => ({
      type: 'FieldValueInvalid',
      field: `spec.behave.${field}`,
      badValue: value,
      detail: `must be ${wanted}`,
    }),
  );
  return [...imageErrors(spec), ...errors];
}

function imageErrors(spec: StoredPodBehaviour['spec']): FieldError[] {
  const { image, imagePattern } = spec;
  if (imagePattern === undefined) return [];
  const field = 'spec.imagePattern';
  if (image !== undefined) return [{ type: 'FieldValueForbidden', field, detail: 'may not be set beside spec.image' }];
  try {
    compileImagePattern(imagePattern);
    return [];
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [{ type: 'FieldValueInvalid', field, badValue: imagePattern, detail }];
  }
}
