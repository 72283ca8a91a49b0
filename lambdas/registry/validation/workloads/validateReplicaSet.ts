import type { ReplicaSetSpec } from 'kubernetes-types/apps/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { nonNegative } from '../fieldErrors.ts';
import { fieldsOf, numberOf } from '../fieldsOf.ts';
import { validateImmutableSelector } from './validateDeployment.ts';
import { validateReplicaCounts, validateSelectorAndTemplate } from './validateWorkload.ts';

const COUNTS = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'];
const BOUNDED_COUNTS = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];

/** Returns the errors of the spec of an apps/v1 ReplicaSet. Pure. */
export function validateReplicaSet(replicaSet: KubernetesObject): FieldError[] {
  const spec = fieldsOf<ReplicaSetSpec>(replicaSet['spec']);
  return [
    ...nonNegative('spec.replicas', numberOf(spec.replicas)),
    ...nonNegative('spec.minReadySeconds', numberOf(spec.minReadySeconds)),
    ...validateSelectorAndTemplate(spec.selector, spec.template, 'spec'),
  ];
}

/** Returns the errors of a changed ReplicaSet. Its selector can never change. Pure. */
export function validateReplicaSetUpdate(replicaSet: KubernetesObject, old: KubernetesObject): FieldError[] {
  return [...validateReplicaSet(replicaSet), ...validateImmutableSelector(replicaSet, old)];
}

/** Returns the errors of the changed status of a ReplicaSet or a ReplicationController, which have the same counts. Pure. */
export function validateReplicaSetStatusUpdate(object: KubernetesObject, _old: KubernetesObject): FieldError[] {
  return validateReplicaCounts(object['status'], COUNTS, BOUNDED_COUNTS, 'status');
}
