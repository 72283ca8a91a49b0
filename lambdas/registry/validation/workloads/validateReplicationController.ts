import type { PodTemplateSpec, ReplicationControllerSpec } from 'kubernetes-types/core/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { nonNegative, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, numberOf, textEntriesOf } from '../fieldsOf.ts';
import { validatePodTemplate } from '../pods/validatePodTemplate.ts';
import { mismatch } from './validateTemplateOwner.ts';

/** Returns the errors of the spec of a ReplicationController. Pure. */
export function validateReplicationController(controller: KubernetesObject): FieldError[] {
  const spec = fieldsOf<ReplicationControllerSpec>(controller['spec']);
  const selector = textEntriesOf(spec.selector);
  return [
    ...nonNegative('spec.minReadySeconds', numberOf(spec.minReadySeconds)),
    ...(selector.length === 0 ? [required('spec.selector')] : []),
    ...nonNegative('spec.replicas', numberOf(spec.replicas)),
    ...validateTemplate(spec.template, selector),
  ];
}

/** Returns the errors of a changed ReplicationController. Unlike a ReplicaSet's, its selector may change. Pure. */
export function validateReplicationControllerUpdate(
  controller: KubernetesObject,
  _old: KubernetesObject,
): FieldError[] {
  return validateReplicationController(controller);
}

function validateTemplate(template: unknown, selector: readonly [string, string][]): FieldError[] {
  if (!isPresent(template)) return [required('spec.template')];
  const { labels } = fieldsOf<ObjectMeta>(fieldsOf<PodTemplateSpec>(template).metadata);
  const values = new Map(textEntriesOf(labels));
  const matches = selector.every(([key, value]) => values.get(key) === value);
  return [
    ...(matches ? [] : [mismatch(labels, 'spec.template')]),
    ...validatePodTemplate(template, 'ReplicationController', 'spec.template'),
  ];
}
