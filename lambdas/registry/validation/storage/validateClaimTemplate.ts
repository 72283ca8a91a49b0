import type * as core from 'kubernetes-types/core/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';
import { formatQuantity, parseQuantity } from '../../../objects/quantities/quantity.ts';
import { all, type Check, dnsSubdomain, fields, ifSet, optionalEnum, present, refused, when } from '../checks.ts';
import { forbidden, invalid, notSupported, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, textsOf } from '../fieldsOf.ts';
import { validateAnnotations, validateLabels, validateLabelSelector } from '../validateLabels.ts';
import { validateQuantityValue } from '../pods/validateResources.ts';

export const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const VOLUME_MODES = ['Block', 'Filesystem'];

const accessModes: Check = (value, path) => {
  const modes = textsOf(value);
  const isShared = modes.includes('ReadWriteOncePod') && modes.length > 1;
  return [
    ...(modes.length === 0 ? [required(path, 'at least 1 access mode is required')] : []),
    ...modes.filter((mode) => !ACCESS_MODES.includes(mode)).map((mode) => notSupported(path, mode, ACCESS_MODES)),
    ...when(isShared, refused('may not use ReadWriteOncePod with other access modes'))(value, path),
  ];
};

const storageRequest: Check = (resources, path) => {
  const { requests } = fieldsOf<{ requests: unknown }>(resources);
  const storage = parseQuantity(fieldsOf<{ storage: string }>(requests).storage);
  const storagePath = `${path}[storage]`;
  if (storage === undefined) return [required(storagePath)];
  return [
    ...validateQuantityValue('storage', storage, storagePath),
    ...(storage.nanos <= 0n ? [invalid(storagePath, formatQuantity(storage), 'must be greater than zero')] : []),
  ];
};

/** The spec of a claim, as `ValidatePersistentVolumeClaimSpec`. */
export const validateClaimSpec = fields<core.PersistentVolumeClaimSpec>({
  accessModes,
  selector: validateLabelSelector,
  resources: storageRequest,
  storageClassName: ifSet(dnsSubdomain),
  volumeMode: optionalEnum(...VOLUME_MODES),
});

const noOtherMetadata: Check = (metadata, path) => {
  const { labels: _, annotations: __, creationTimestamp: ___, ...others } = fieldsOf<ObjectMeta>(metadata);
  return Object.entries(others)
    .filter(([, value]) => isPresent(value))
    .map(([field]) => forbidden(`${path}.${field}`, 'cannot be set'));
};

/** The template of the claim for an ephemeral volume. */
export const validateClaimTemplate = present(
  '',
  fields<core.PersistentVolumeClaimTemplate>({
    metadata: all(fields<ObjectMeta>({ annotations: validateAnnotations, labels: validateLabels }), noOtherMetadata),
    spec: validateClaimSpec,
  }),
);
