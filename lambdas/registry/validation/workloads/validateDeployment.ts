import type { DeploymentSpec } from 'kubernetes-types/apps/v1.js';
import { ROLLBACK_TO } from '../../../objects/deployments/deploymentAnnotations.ts';
import type { FieldError } from '../../../objects/FieldError.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { jsonEqual } from '../../../objects/json.ts';
import { collisionCountErrors } from './collisionCount.ts';
import { invalid, nonNegative } from '../fieldErrors.ts';
import { fieldsOf, isPresent, numberOf } from '../fieldsOf.ts';
import { validateDeploymentStrategy } from './validateDeploymentStrategy.ts';
import { validateReplicaCounts, validateSelectorAndTemplate } from './validateWorkload.ts';

const COUNTS = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'collisionCount',
];
const BOUNDED_COUNTS = ['updatedReplicas', 'readyReplicas', 'availableReplicas'];

/** Returns the errors of the spec of an apps/v1 Deployment. Pure. */
export function validateDeployment(deployment: KubernetesObject): FieldError[] {
  const spec = fieldsOf<DeploymentSpec>(deployment['spec']);
  return [
    ...nonNegative('spec.replicas', numberOf(spec.replicas)),
    ...validateSelectorAndTemplate(spec.selector, spec.template, 'spec'),
    ...validateDeploymentStrategy(spec.strategy, 'spec.strategy'),
    ...nonNegative('spec.minReadySeconds', numberOf(spec.minReadySeconds)),
    ...nonNegative('spec.revisionHistoryLimit', numberOf(spec.revisionHistoryLimit)),
    ...validateRollbackTo(deployment.metadata.annotations?.[ROLLBACK_TO]),
    ...validateProgressDeadline(spec.progressDeadlineSeconds, numberOf(spec.minReadySeconds)),
  ];
}

/** Returns the errors of a changed Deployment. Its selector can never change. Pure. */
export function validateDeploymentUpdate(deployment: KubernetesObject, old: KubernetesObject): FieldError[] {
  return [...validateDeployment(deployment), ...validateImmutableSelector(deployment, old)];
}

/** Returns the errors of a Deployment's changed status. The collision count can only grow. Pure. */
export function validateDeploymentStatusUpdate(deployment: KubernetesObject, old: KubernetesObject): FieldError[] {
  return [
    ...validateReplicaCounts(deployment['status'], COUNTS, BOUNDED_COUNTS, 'status'),
    ...collisionCountErrors(deployment['status'], old['status']),
  ];
}

/** Refuses a changed selector. Since apps/v1, a controller cannot lose its pods to a change of its selector. */
export function validateImmutableSelector(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const { selector } = fieldsOf<DeploymentSpec>(object['spec']);
  if (jsonEqual(selector, fieldsOf<DeploymentSpec>(old['spec']).selector)) return [];
  return [invalid('spec.selector', selector, 'field is immutable')];
}

/** Validates the revision of a requested rollback. Errors name the field of the old versions, as in Kubernetes. */
function validateRollbackTo(revision: unknown): FieldError[] {
  const isNegative = typeof revision === 'string' && /^-\d+$/.test(revision);
  return isNegative ? nonNegative('spec.rollback.version', Number(revision)) : [];
}

function validateProgressDeadline(deadline: unknown, minReadySeconds: number): FieldError[] {
  if (!isPresent(deadline)) return [];
  const path = 'spec.progressDeadlineSeconds';
  return [
    ...nonNegative(path, numberOf(deadline)),
    ...(numberOf(deadline) <= minReadySeconds ? [invalid(path, deadline, 'must be greater than minReadySeconds')] : []),
  ];
}
