import type * as core from 'kubernetes-types/core/v1.js';
import { parseQuantity } from '../../../objects/quantities/quantity.ts';
import {
  all,
  type Check,
  fields,
  given,
  matching,
  nonEmptyList,
  nonEmptyText,
  oneInOrder,
  optionalEnum,
  when,
} from '../checks.ts';
import { forbidden, invalid } from '../fieldErrors.ts';
import { fieldsOf, isPresent, textOf } from '../fieldsOf.ts';
import { validateClaimTemplate } from '../storage/validateClaimTemplate.ts';
import {
  validateAzureDisk,
  validateCinder,
  validateCsiSource,
  validateElasticBlockStore,
  validateFibreChannel,
  validateFlocker,
  validateGcePersistentDisk,
  validateIscsi,
  validateQuobyte,
  validateStorageOs,
} from './validateStorageSources.ts';
import { validateLocalDescendingPath, validatePathNoBacksteps } from './validatePaths.ts';
import { validateProjectedSource } from './validateProjectedSource.ts';
import { validateDownwardApiFile, validateKeysToPaths, validateMode } from './validateVolumeFiles.ts';

interface VolumeSourceRules {
  readonly field: string;
  /** The name under which Kubernetes reports errors, if it is not the field. */
  readonly validatedAs?: string;
  /** The name under which Kubernetes refuses a second source, if it is not the field. Clients may depend on its misspellings. */
  readonly refusedAs?: string;
  readonly validate: Check;
}

/** A source of which Kubernetes only requires some fields. */
function requiring(...names: readonly string[]): Check {
  return fields(Object.fromEntries(names.map((name) => [name, nonEmptyText()])));
}

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

const sizeLimit: Check = (value, path) => {
  const quantity = parseQuantity(value);
  const isFine = !isPresent(value) || (quantity !== undefined && quantity.nanos >= 0n);
  return isFine ? [] : [forbidden(path, 'SizeLimit field must be a valid resource quantity')];
};

const hostPath = given<core.HostPathVolumeSource>(({ path }) =>
  fields<core.HostPathVolumeSource>({
    path: nonEmptyText('', validatePathNoBacksteps),
    type: when(textOf(path) !== '', optionalEnum(...HOST_PATH_TYPES)),
  }),
);

const options: Check = (value, path) =>
  Object.keys(fieldsOf<Record<string, unknown>>(value))
    .filter((key) => /\.(?:kubernetes|k8s)\.io$/.test(`.${(key.split('/')[0] ?? '').toLowerCase()}`))
    .map((key) => invalid(`${path}[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved'));

/** As in Kubernetes, the errors of the files name the source and not the item. */
const downwardFiles: Check = (source, path) => {
  const { items } = fieldsOf<core.DownwardAPIVolumeSource>(source);
  return (Array.isArray(items) ? items : []).flatMap((file: unknown) => validateDownwardApiFile(file, path));
};

/** Every source that a volume can have, in the order of Kubernetes: the first that is present is validated, all others are refused. */
export const VOLUME_SOURCES: readonly VolumeSourceRules[] = [
  { field: 'emptyDir', validate: fields<core.EmptyDirVolumeSource>({ sizeLimit }) },
  { field: 'hostPath', validate: hostPath },
  {
    field: 'gitRepo',
    validate: fields<core.GitRepoVolumeSource>({ repository: nonEmptyText(), directory: validateLocalDescendingPath }),
  },
  { field: 'gcePersistentDisk', validatedAs: 'persistentDisk', validate: validateGcePersistentDisk },
  { field: 'awsElasticBlockStore', validate: validateElasticBlockStore },
  {
    field: 'secret',
    validate: fields<core.SecretVolumeSource>({
      secretName: nonEmptyText(),
      defaultMode: validateMode,
      items: validateKeysToPaths,
    }),
  },
  {
    field: 'nfs',
    validate: fields<core.NFSVolumeSource>({
      server: nonEmptyText(),
      path: all(
        nonEmptyText(),
        matching((path) => path.startsWith('/'), 'must be an absolute path'),
      ),
    }),
  },
  { field: 'iscsi', validate: validateIscsi },
  { field: 'glusterfs', validate: requiring('endpoints', 'path') },
  { field: 'flocker', validate: validateFlocker },
  { field: 'persistentVolumeClaim', validate: requiring('claimName') },
  { field: 'rbd', validate: fields({ monitors: nonEmptyList(), image: nonEmptyText() }) },
  { field: 'cinder', validate: validateCinder },
  { field: 'cephfs', refusedAs: 'cephFS', validate: fields({ monitors: nonEmptyList() }) },
  { field: 'quobyte', validate: validateQuobyte },
  {
    field: 'downwardAPI',
    refusedAs: 'downwarAPI',
    validate: all(fields<core.DownwardAPIVolumeSource>({ defaultMode: validateMode }), downwardFiles),
  },
  { field: 'fc', validate: validateFibreChannel },
  { field: 'flexVolume', validate: fields<core.FlexVolumeSource>({ driver: nonEmptyText(), options }) },
  {
    field: 'configMap',
    validate: fields<core.ConfigMapVolumeSource>({
      name: nonEmptyText(),
      defaultMode: validateMode,
      items: validateKeysToPaths,
    }),
  },
  { field: 'azureFile', validate: requiring('secretName', 'shareName') },
  { field: 'vsphereVolume', validate: requiring('volumePath') },
  { field: 'photonPersistentDisk', validate: requiring('pdID') },
  { field: 'portworxVolume', validate: requiring('volumeID') },
  { field: 'azureDisk', validate: validateAzureDisk },
  { field: 'storageos', validate: validateStorageOs },
  { field: 'projected', validate: validateProjectedSource },
  { field: 'scaleIO', validate: requiring('gateway', 'system', 'volumeName') },
  { field: 'csi', validate: validateCsiSource },
  { field: 'ephemeral', validate: fields({ volumeClaimTemplate: validateClaimTemplate }) },
  {
    field: 'image',
    validate: fields({ reference: nonEmptyText(), pullPolicy: oneInOrder('Always', 'IfNotPresent', 'Never') }),
  },
];
