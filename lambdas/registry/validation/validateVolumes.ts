import type { Volume } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { isDns1123Label, isDns1123Subdomain } from '../../objects/nameFormats.ts';
import { duplicate, forbidden, invalid, invalidEach, required } from './fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, textOf } from './fieldsOf.ts';
import { VOLUME_SOURCES } from './validateVolumeSources.ts';
import type { VolumeNames } from './validateVolumeMounts.ts';

/** Validates the volumes of a pod: each has its own name and one source. `podName` is empty for templates. */
export function validateVolumes(volumes: unknown, podName: string, path: string): FieldError[] {
  const names = new Set<string>();
  return itemsOf<Volume>(volumes).flatMap((volume, index) => {
    const name = textOf(volume.name);
    return [
      ...validateSources(volume, name, podName, `${path}[${index}]`),
      ...validateName(name, names, `${path}[${index}].name`),
    ];
  });
}

/** Returns the volumes that containers can mount. */
export function volumeNames(volumes: unknown): VolumeNames {
  return new Map(
    itemsOf<Volume>(volumes).map((volume) => [
      textOf(volume.name),
      isPresent(volume.persistentVolumeClaim) || isPresent(volume.ephemeral),
    ]),
  );
}

function validateName(name: string, names: Set<string>, path: string): FieldError[] {
  if (name === '') return [required(path)];
  const errors = invalidEach(path, name, isDns1123Label(name));
  if (names.has(name)) return [...errors, duplicate(path, name)];
  names.add(name);
  return errors;
}

/** Validates the first source and refuses all others. */
function validateSources(volume: Fields<Volume>, name: string, podName: string, path: string): FieldError[] {
  const sources = fieldsOf<Record<string, unknown>>(volume);
  const [first, ...others] = VOLUME_SOURCES.filter(({ field }) => isPresent(sources[field]));
  if (first === undefined) return [required(path, 'must specify a volume type')];
  return [
    ...first.validate(sources[first.field], `${path}.${first.validatedAs ?? first.field}`),
    ...(first.field === 'ephemeral' ? validateClaimName(podName, name, `${path}.name`) : []),
    ...others.map(({ field, refusedAs }) =>
      forbidden(`${path}.${refusedAs ?? field}`, 'may not specify more than 1 volume type'),
    ),
  ];
}

/** Validates the name of the claim for an ephemeral volume: the pod's name and the volume's. */
function validateClaimName(podName: string, name: string, path: string): FieldError[] {
  if (podName === '' || name === '') return [];
  const claimName = `${podName}-${name}`;
  return isDns1123Subdomain(claimName).map((detail) => invalid(path, name, `PVC name "${claimName}": ${detail}`));
}
