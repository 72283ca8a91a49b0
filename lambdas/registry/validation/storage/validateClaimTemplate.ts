import type { PersistentVolumeClaimSpec, PersistentVolumeClaimTemplate } from 'kubernetes-types/core/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isDns1123Subdomain } from '../../../objects/nameFormats.ts';
import { formatQuantity, parseQuantity } from '../../../objects/quantities/quantity.ts';
import { forbidden, invalid, invalidEach, notSupported, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, textOf, textsOf } from '../fieldsOf.ts';
import { validateAnnotations, validateLabels, validateLabelSelector } from '../validateLabels.ts';
import { validateQuantityValue } from '../pods/validateResources.ts';

export const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const VOLUME_MODES = ['Block', 'Filesystem'];

/** Validates the template of the claim for an ephemeral volume. */
export function validateClaimTemplate(template: unknown, path: string): FieldError[] {
  if (!isPresent(template)) return [required(path)];
  const { metadata, spec } = fieldsOf<PersistentVolumeClaimTemplate>(template);
  const { labels, annotations, creationTimestamp: _, ...others } = fieldsOf<ObjectMeta>(metadata);
  return [
    ...validateAnnotations(annotations, `${path}.metadata.annotations`),
    ...validateLabels(labels, `${path}.metadata.labels`),
    ...Object.entries(others)
      .filter(([, value]) => isPresent(value))
      .map(([field]) => forbidden(`${path}.metadata.${field}`, 'cannot be set')),
    ...validateClaimSpec(spec, `${path}.spec`),
  ];
}

/** Validates the spec of a claim, as `ValidatePersistentVolumeClaimSpec`. */
export function validateClaimSpec(spec: unknown, path: string): FieldError[] {
  const { accessModes, selector, resources, storageClassName, volumeMode } = fieldsOf<PersistentVolumeClaimSpec>(spec);
  const storageClass = textOf(storageClassName);
  return [
    ...validateAccessModes(textsOf(accessModes), `${path}.accessModes`),
    ...validateLabelSelector(selector, `${path}.selector`),
    ...validateStorageRequest(resources, `${path}.resources`),
    ...(storageClass === ''
      ? []
      : invalidEach(`${path}.storageClassName`, storageClass, isDns1123Subdomain(storageClass))),
    ...(isPresent(volumeMode) && !VOLUME_MODES.includes(textOf(volumeMode))
      ? [notSupported(`${path}.volumeMode`, textOf(volumeMode), VOLUME_MODES)]
      : []),
  ];
}

function validateAccessModes(modes: readonly string[], path: string): FieldError[] {
  const isShared = modes.includes('ReadWriteOncePod') && modes.length > 1;
  return [
    ...(modes.length === 0 ? [required(path, 'at least 1 access mode is required')] : []),
    ...modes.filter((mode) => !ACCESS_MODES.includes(mode)).map((mode) => notSupported(path, mode, ACCESS_MODES)),
    ...(isShared ? [forbidden(path, 'may not use ReadWriteOncePod with other access modes')] : []),
  ];
}

function validateStorageRequest(resources: unknown, path: string): FieldError[] {
  const { requests } = fieldsOf<{ requests: unknown }>(resources);
  const storage = parseQuantity(fieldsOf<{ storage: string }>(requests).storage);
  const storagePath = `${path}[storage]`;
  if (storage === undefined) return [required(storagePath)];
  return [
    ...validateQuantityValue('storage', storage, storagePath),
    ...(storage.nanos <= 0n ? [invalid(storagePath, formatQuantity(storage), 'must be greater than zero')] : []),
  ];
}
