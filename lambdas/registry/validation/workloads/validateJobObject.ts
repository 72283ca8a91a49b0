import type { JobSpec } from 'kubernetes-types/batch/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { JOB_UID_LABEL } from '../../../objects/pods/jobPods.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { compileLabelSelector } from '../../../objects/selectors/labelSelector.ts';
import { isDns1123Label } from '../../../objects/nameFormats.ts';
import type { Check } from '../checks.ts';
import { invalid, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, numberOf } from '../fieldsOf.ts';
import { readSelector } from './readSelector.ts';
import { jobSpec } from './validateJob.ts';
import { validateLabelSelector } from '../validateLabels.ts';
import { isUsableSelector, selectionErrors, sortedMap } from './validateTemplateOwner.ts';

/** The labels that a Job's pods get. The first two names are those of before Kubernetes 1.27. */
export function generatedLabels({ metadata: { name, uid } }: KubernetesObject): Readonly<Record<string, string>> {
  return {
    'controller-uid': uid,
    'job-name': name,
    [JOB_UID_LABEL]: uid,
    'batch.kubernetes.io/job-name': name,
  };
}

/** Returns the errors of a Job, as `ValidateJob`: first of what the server should have generated. `labels` are those that its template must have. Pure. */
export function validateJobObject(
  object: KubernetesObject,
  labels = generatedLabels(object),
  validSelector = validateLabelSelector,
): FieldError[] {
  return [
    ...generatedSelectorErrors(object, labels),
    ...jobSpecErrors(object, validSelector),
    ...podNameErrors(object),
  ];
}

/** Returns the errors of a Job's spec with its selector, as `ValidateJobSpec`. Pure. */
export function jobSpecErrors(object: KubernetesObject, validSelector: Check): FieldError[] {
  const { selector, template } = fieldsOf<JobSpec>(object['spec']);
  return [
    ...jobSpec(object['spec'], 'spec'),
    ...(isPresent(selector) ? validSelector(selector, 'spec.selector') : [required('spec.selector')]),
    ...(isUsableSelector(selector) ? selectionErrors(selector, template, 'spec.template') : []),
  ];
}

/** A client may name other labels, or another selector, only together with `manualSelector`. */
function generatedSelectorErrors({ spec }: KubernetesObject, labels: Readonly<Record<string, string>>): FieldError[] {
  const { selector, manualSelector, template } = fieldsOf<JobSpec>(spec);
  if (manualSelector === true || !isPresent(selector)) return [];
  const { metadata } = fieldsOf<{ metadata: object }>(template);
  const given = fieldsOf<Record<string, unknown>>(fieldsOf<{ labels: object }>(metadata).labels);
  const isGenerated = !isUsableSelector(selector) || compileLabelSelector(readSelector(selector))(labels);
  return [
    ...Object.entries(labels).flatMap(([label, value]) => labelErrors(given, label, value)),
    ...(isGenerated ? [] : [invalid('spec.selector', selector, '`selector` not auto-generated')]),
  ];
}

function labelErrors(labels: Readonly<Record<string, unknown>>, label: string, value: string): FieldError[] {
  const path = `spec.template.metadata.labels[${label}]`;
  const detail = `must be '${value}'`;
  if (!Object.hasOwn(labels, label)) return [required(path, detail)];
  return labels[label] === value ? [] : [invalid(path, sortedMap(labels), detail)];
}

/** The host name of a pod of a Job with indexes is the Job's name and the index. */
function podNameErrors({ metadata: { name }, spec }: KubernetesObject): FieldError[] {
  const { completionMode, completions } = fieldsOf<JobSpec>(spec);
  if (completionMode !== 'Indexed' || numberOf(completions) <= 0) return [];
  const last = `${name}-${numberOf(completions) - 1}`;
  if (isDns1123Label(last).length === 0) return [];
  return [invalid('metadata.name', name, `will not able to create pod with invalid DNS label: ${last}`)];
}
