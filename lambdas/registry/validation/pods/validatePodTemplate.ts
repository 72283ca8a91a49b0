import type { PodSpec, PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { forbidden, notSupported } from '../fieldErrors.ts';
import { fieldsOf, isPresent, textOf } from '../fieldsOf.ts';
import { validateAnnotations, validateLabels } from '../validateLabels.ts';
import { validatePodAnnotations, validateProfileAnnotations } from './validatePodAnnotations.ts';
import { validatePodSpec } from './validatePodSpec.ts';

/** Validates a template of pods with any restart policy, as `ValidatePodTemplateSpec`. Pure. */
export function validatePodTemplateSpec(template: unknown, path: string): FieldError[] {
  const { metadata, spec } = fieldsOf<PodTemplateSpec>(template);
  const { labels, annotations } = fieldsOf<ObjectMeta>(metadata);
  const { ephemeralContainers } = fieldsOf<PodSpec>(spec);
  const hasEphemeral = Array.isArray(ephemeralContainers) && ephemeralContainers.length > 0;
  return [
    ...validateLabels(labels, `${path}.labels`),
    ...validateAnnotations(annotations, `${path}.annotations`),
    ...validatePodAnnotations(annotations, spec, `${path}.annotations`),
    ...validatePodSpec(spec, { isPod: false, name: '' }, `${path}.spec`),
    ...validateProfileAnnotations(annotations, spec, `${path}.spec`),
    ...(hasEphemeral
      ? [forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}

/** Validates a template of pods that always restart, as in ReplicaSets and DaemonSets. `owner` is the kind that messages name. Pure. */
export function validatePodTemplate(template: unknown, owner: string, path: string): FieldError[] {
  return [...validatePodTemplateSpec(template, path), ...alwaysRestarts(template, owner, path)];
}

/** Refuses a template of pods that can end. */
export function alwaysRestarts(template: unknown, owner: string, path: string): FieldError[] {
  const { restartPolicy, activeDeadlineSeconds } = fieldsOf<PodSpec>(fieldsOf<PodTemplateSpec>(template).spec);
  return [
    ...(restartPolicy === 'Always'
      ? []
      : [notSupported(`${path}.spec.restartPolicy`, textOf(restartPolicy), ['Always'])]),
    ...(isPresent(activeDeadlineSeconds)
      ? [forbidden(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${owner} is not Supported`)]
      : []),
  ];
}
