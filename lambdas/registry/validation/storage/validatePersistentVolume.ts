import type { PersistentVolumeSpec } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import {
  all,
  type Check,
  dnsLabel,
  dnsSubdomain,
  enumOf,
  fields,
  format,
  ifPresent,
  ifSet,
  nonEmptyList,
  nonEmptyText,
  present,
  quantity,
} from '../checks.ts';
import { isDns1123Subdomain } from '../../../objects/nameFormats.ts';
import { parseQuantity } from '../../../objects/quantities/quantity.ts';
import { forbidden, invalid, notSupported, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, textOf, textsOf } from '../fieldsOf.ts';
import { validateAffinity } from '../pods/validateAffinity.ts';
import { ACCESS_MODES, VOLUME_MODES } from './validateClaimTemplate.ts';
import { validatePathNoBacksteps } from '../pods/validatePaths.ts';
import { VOLUME_SOURCES } from '../pods/validateVolumeSources.ts';

const secretReference: Check = ifPresent(fields({ name: nonEmptyText(), namespace: nonEmptyText('', dnsLabel) }));

const csi: Check = fields({
  driver: nonEmptyText(
    '',
    format((name) => isDns1123Subdomain(name.toLowerCase())),
  ),
  volumeHandle: nonEmptyText(),
  controllerPublishSecretRef: secretReference,
  nodePublishSecretRef: secretReference,
  nodeStageSecretRef: secretReference,
});

/** The sources that only persistent volumes have, or have in another form than pods. */
const OWN_SOURCES: Readonly<Record<string, Check>> = {
  local: fields({ path: nonEmptyText('', (value, path) => validatePathNoBacksteps(textOf(value), path)) }),
  csi,
  rbd: fields({ monitors: nonEmptyList(), image: nonEmptyText() }),
  azureFile: fields({ secretName: nonEmptyText(), shareName: nonEmptyText() }),
};

/** The checks of each source that a volume can have: those of pods, except the sources that belong to a pod. */
const SOURCES: ReadonlyMap<string, Check> = new Map([
  ...VOLUME_SOURCES.filter(({ field }) => !isOfPods(field)).map((rules): [string, Check] => [
    rules.field,
    (value, path) => rules.validate(value, path),
  ]),
  ...Object.entries(OWN_SOURCES),
]);

function isOfPods(field: string): boolean {
  return [
    'configMap',
    'downwardAPI',
    'emptyDir',
    'ephemeral',
    'gitRepo',
    'image',
    'persistentVolumeClaim',
    'projected',
    'secret',
  ].includes(field);
}

/** A volume has exactly one source. */
const source: Check = (value, path) => {
  const spec = fieldsOf<Record<string, unknown>>(value);
  const [first, ...others] = [...SOURCES].filter(([field]) => isPresent(spec[field]));
  if (!first) return [required(path, 'must specify a volume type')];
  const [field, check] = first;
  return [
    ...check(spec[field], `${path}.${field}`),
    ...others.map(([other]) => forbidden(`${path}.${other}`, 'may not specify more than 1 volume type')),
  ];
};

const accessModes: Check = (value, path) => {
  const modes = textsOf(value);
  const isShared = modes.includes('ReadWriteOncePod') && modes.length > 1;
  return [
    ...(modes.length === 0 ? [required(path)] : []),
    ...modes.filter((mode) => !ACCESS_MODES.includes(mode)).map((mode) => notSupported(path, mode, ACCESS_MODES)),
    ...(isShared ? [forbidden(path, 'may not use ReadWriteOncePod with other access modes')] : []),
  ];
};

/** A capacity names `storage` and nothing else. */
const capacity: Check = (value, path) => {
  const amounts = fieldsOf<Record<string, unknown>>(value);
  const names = Object.keys(amounts);
  if (names.length === 0) return [required(path)];
  const isStorage = names.length === 1 && names[0] === 'storage';
  return [
    ...(isStorage ? [] : [notSupported(path, value, ['storage'])]),
    ...names.flatMap((name) => aboveZero(amounts[name], `${path}[${name}]`)),
  ];
};

function aboveZero(value: unknown, path: string): FieldError[] {
  const amount = parseQuantity(value);
  if (amount === undefined || amount.nanos > 0n) return quantity(value, path);
  return [invalid(path, value, 'must be greater than zero')];
}

const nodeAffinity: Check = (value, path) => {
  const { required: terms } = fieldsOf<{ required: object }>(value);
  if (!isPresent(terms)) return [required(`${path}.required`, 'must specify required node constraints')];
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } };
  return validateAffinity(affinity, path).map((error) => ({
    ...error,
    field: error.field.replace('nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution', 'required'),
  }));
};

/** Recycling empties the directory. */
const notRecycledRoot: Check = (value, path) => {
  const { hostPath, persistentVolumeReclaimPolicy: policy } = fieldsOf<PersistentVolumeSpec>(value);
  const directory = textOf(fieldsOf<{ path: string }>(hostPath).path);
  if (policy !== 'Recycle' || !/^\/+$/.test(directory)) return [];
  return [forbidden(`${path}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath volume of '/'")];
};

/** Checks the spec of a PersistentVolume, as `ValidatePersistentVolumeSpec`. */
export const persistentVolumeSpec: Check = all(
  fields({
    accessModes,
    capacity,
    persistentVolumeReclaimPolicy: ifSet(enumOf('Delete', 'Recycle', 'Retain')),
    nodeAffinity: ifPresent(nodeAffinity),
  }),
  source,
  notRecycledRoot,
  fields({
    storageClassName: ifSet(dnsSubdomain),
    volumeMode: present('', enumOf(...VOLUME_MODES)),
  }),
);
