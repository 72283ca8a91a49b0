import type { Container, PodSpec, ProjectedVolumeSource, Volume, VolumeProjection } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { forbidden, invalid } from '../fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, textOf } from '../fieldsOf.ts';
import { validatePodAnnotations, validateProfileAnnotations } from './validatePodAnnotations.ts';
import { validatePodSpec } from './validatePodSpec.ts';
import { containersOf } from './validateOperatingSystem.ts';

/** Returns the errors of a new Pod, except those of its metadata. Pure. */
export function validatePod(pod: KubernetesObject): FieldError[] {
  const { ephemeralContainers, nodeName, schedulingGates } = fieldsOf<PodSpec>(pod['spec']);
  return [
    ...validateWholePod(pod),
    ...(itemsOf(ephemeralContainers).length > 0
      ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(textOf(nodeName) !== '' && itemsOf(schedulingGates).length > 0
      ? [forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')]
      : []),
    ...validateProfileAnnotations(pod.metadata.annotations, pod['spec'], 'spec'),
  ];
}

/** Validates what holds for a pod at any time, on create and on update. */
export function validateWholePod(pod: KubernetesObject): FieldError[] {
  const spec = fieldsOf<PodSpec>(pod['spec']);
  return [
    ...validatePodAnnotations(pod.metadata.annotations, spec, 'metadata.annotations'),
    ...validatePodSpec(spec, { isPod: true, name: textOf(pod.metadata.name) }, 'spec'),
    ...(textOf(spec.serviceAccountName) === '' ? forbidTokens(spec) : []),
    // Templates may have spaces around their images, since old stored ones do; pods may not.
    ...containersOf(spec, 'spec').flatMap(({ fields, path }) => validateImagePadding(fields, path)),
  ];
}

function forbidTokens(spec: Fields<PodSpec>): FieldError[] {
  return itemsOf<Volume>(spec.volumes).flatMap(({ projected }, index) =>
    itemsOf<VolumeProjection>(fieldsOf<ProjectedVolumeSource>(projected).sources).flatMap((source, place) =>
      isPresent(source.serviceAccountToken)
        ? [
            forbidden(
              `spec.volumes[${index}].projected.sources[${place}].serviceAccountToken`,
              'must not be specified when serviceAccountName is not set',
            ),
          ]
        : [],
    ),
  );
}

/** Refuses whitespace around the name of an image. */
export function validateImagePadding(container: Fields<Container>, path: string): FieldError[] {
  const image = textOf(container.image);
  if (image === image.trim()) return [];
  return [invalid(`${path}.image`, image, 'must not have leading or trailing whitespace')];
}
