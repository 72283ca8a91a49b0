import type { CustomResourceSubresourceScale } from 'kubernetes-types/apiextensions/v1.js';
import { ApiError } from '../../objects/ApiError.ts';
import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { type Draft, isDraft } from '../defaulting/drafts.ts';
import type { ScaleRules } from '../ResourceEntry.ts';
import { invalid } from '../validation/fieldErrors.ts';

/** The largest number of replicas: an int32. */
const MAX_REPLICAS = 2 ** 31 - 1;

/** Makes the scale subresource of a version from the paths to its numbers. */
export function customScale(scale: CustomResourceSubresourceScale): ScaleRules {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = scale;
  return {
    group: 'autoscaling',
    version: 'v1',
    kind: 'Scale',
    isCustom: true,
    specReplicasPath,
    replicas(object) {
      const spec = valueAt(object, specReplicasPath);
      if (typeof spec !== 'number') throw missingReplicas(specReplicasPath);
      const status = valueAt(object, statusReplicasPath);
      const selector = labelSelectorPath === '' ? undefined : valueAt(object, labelSelectorPath);
      return {
        spec,
        status: typeof status === 'number' ? status : 0,
        selector: typeof selector === 'string' ? selector : '',
      };
    },
    hasReplicas: (object) => typeof valueAt(object, specReplicasPath) === 'number',
    setReplicas: (draft, replicas) => setAt(draft, membersOf(specReplicasPath), replicas),
  };
}

/** Kubernetes' answer is an InternalError; but the object is to blame, and not the server. */
function missingReplicas(path: string): ApiError {
  const message = `the spec replicas field ${JSON.stringify(path)} does not exist`;
  return new ApiError('InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
}

/** Returns the errors of the numbers that the scale shows: Kubernetes' `ValidateScaleSpec` and `ValidateScaleStatus`. Pure. */
export function validateScaleNumbers(
  { specReplicasPath, statusReplicasPath, labelSelectorPath = '' }: CustomResourceSubresourceScale,
  object: KubernetesObject,
  part: 'spec' | 'status',
): FieldError[] {
  if (part === 'spec') return replicasErrors(object, specReplicasPath);
  const selector = labelSelectorPath === '' ? undefined : valueAt(object, labelSelectorPath);
  return [
    ...replicasErrors(object, statusReplicasPath),
    ...(typeof selector === 'object' && selector !== null
      ? [invalid(labelSelectorPath, selector, `${labelSelectorPath} accessor error: it is not a string`)]
      : []),
  ];
}

function replicasErrors(object: KubernetesObject, path: string): FieldError[] {
  const replicas = valueAt(object, path);
  if (typeof replicas !== 'number') return [];
  if (replicas < 0) return [invalid(path, replicas, 'should be a non-negative integer')];
  if (replicas <= MAX_REPLICAS) return [];
  return [invalid(path, replicas, `should be less than or equal to ${MAX_REPLICAS}`)];
}

function membersOf(path: string): string[] {
  return path.split('.').slice(1);
}

function valueAt(object: KubernetesObject, path: string): unknown {
  return membersOf(path).reduce<unknown>(
    (value, member) => (isDraft(value) && Object.hasOwn(value, member) ? value[member] : undefined),
    object,
  );
}

/** Sets a value and makes the objects on the way to it. What is there and is no object is replaced. */
function setAt(draft: Draft, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    draft[first] = value;
    return;
  }
  const child = draft[first];
  const next = isDraft(child) ? child : {};
  draft[first] = next;
  setAt(next, rest, value);
}
