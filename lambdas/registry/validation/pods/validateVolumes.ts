import type { Volume } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isDns1123Label, isDns1123Subdomain } from '../../../objects/nameFormats.ts';
import { isAddedTokenVolume } from '../../admission/tokenVolume.ts';
import { duplicate, forbidden, invalid, invalidEach, required } from '../fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, textOf } from '../fieldsOf.ts';
import { VOLUME_SOURCES } from './validateVolumeSources.ts';
import type { VolumeNames } from './validateVolumeMounts.ts';

export interface ValidatedVolumes {
  readonly errors: readonly FieldError[];
  /** The volumes without errors, which containers can mount. */
  readonly mountable: VolumeNames;
}

/**
 * Validates the volumes of a pod: each has its own name and one source. A volume that has errors does not keep another one from having its name. `podName` is
 * empty for templates.
 */
export function validateVolumes(volumes: unknown, podName: string, path: string): ValidatedVolumes {
  const all: FieldError[] = [];
  const mountable = new Map<string, boolean>();
  for (const [index, volume] of itemsOf<Volume>(volumes).entries()) {
    const name = textOf(volume.name);
    const errors = [
      // Most pods have no other volume.
      ...(isAddedTokenVolume(volume) ? [] : validateSources(volume, name, podName, `${path}[${index}]`)),
      ...validateName(name, mountable, `${path}[${index}].name`),
    ];
    all.push(...errors);
    if (errors.length === 0)
      mountable.set(name, isPresent(volume.persistentVolumeClaim) || isPresent(volume.ephemeral));
  }
  return { errors: all, mountable };
}

function validateName(name: string, names: VolumeNames, path: string): FieldError[] {
  if (name === '') return [required(path)];
  const errors = invalidEach(path, name, isDns1123Label(name));
  return names.has(name) ? [...errors, duplicate(path, name)] : errors;
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
