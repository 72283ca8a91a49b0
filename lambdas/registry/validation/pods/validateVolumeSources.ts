import type {
  ConfigMapVolumeSource,
  CSIVolumeSource,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  EmptyDirVolumeSource,
  EphemeralVolumeSource,
  FlexVolumeSource,
  GitRepoVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  SecretVolumeSource,
} from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { parseQuantity } from '../../../objects/quantities/quantity.ts';
import { forbidden, invalid, notSupported, required } from '../fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, textOf } from '../fieldsOf.ts';
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
  validate(source: unknown, path: string): FieldError[];
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

/** Every source that a volume can have, in the order of Kubernetes: the first that is present is validated, all others are refused. */
export const VOLUME_SOURCES: readonly VolumeSourceRules[] = [
  { field: 'emptyDir', validate: validateEmptyDir },
  { field: 'hostPath', validate: validateHostPath },
  { field: 'gitRepo', validate: validateGitRepo },
  { field: 'gcePersistentDisk', validatedAs: 'persistentDisk', validate: validateGcePersistentDisk },
  { field: 'awsElasticBlockStore', validate: validateElasticBlockStore },
  { field: 'secret', validate: (source, path) => validateSecret(fieldsOf<SecretVolumeSource>(source), path) },
  { field: 'nfs', validate: validateNfs },
  { field: 'iscsi', validate: validateIscsi },
  { field: 'glusterfs', validate: requiring('endpoints', 'path') },
  { field: 'flocker', validate: validateFlocker },
  { field: 'persistentVolumeClaim', validate: requiring('claimName') },
  { field: 'rbd', validate: requiring('monitors', 'image') },
  { field: 'cinder', validate: validateCinder },
  { field: 'cephfs', refusedAs: 'cephFS', validate: requiring('monitors') },
  { field: 'quobyte', validate: validateQuobyte },
  { field: 'downwardAPI', refusedAs: 'downwarAPI', validate: validateDownwardApi },
  { field: 'fc', validate: validateFibreChannel },
  { field: 'flexVolume', validate: validateFlexVolume },
  { field: 'configMap', validate: (source, path) => validateConfigMap(fieldsOf<ConfigMapVolumeSource>(source), path) },
  { field: 'azureFile', validate: requiring('secretName', 'shareName') },
  { field: 'vsphereVolume', validate: requiring('volumePath') },
  { field: 'photonPersistentDisk', validate: requiring('pdID') },
  { field: 'portworxVolume', validate: requiring('volumeID') },
  { field: 'azureDisk', validate: validateAzureDisk },
  { field: 'storageos', validate: validateStorageOs },
  { field: 'projected', validate: validateProjectedSource },
  { field: 'scaleIO', validate: requiring('gateway', 'system', 'volumeName') },
  { field: 'csi', validate: (source, path) => validateCsiSource(fieldsOf<CSIVolumeSource>(source), path) },
  {
    field: 'ephemeral',
    validate: (source, path) =>
      validateClaimTemplate(fieldsOf<EphemeralVolumeSource>(source).volumeClaimTemplate, `${path}.volumeClaimTemplate`),
  },
  { field: 'image', validate: validateImage },
];

/** Makes the validation of a source for which Kubernetes only requires some fields. */
function requiring(...fields: readonly string[]): VolumeSourceRules['validate'] {
  return (source, path) => {
    const values = fieldsOf<Record<string, unknown>>(source);
    return fields.filter((field) => !hasContent(values[field])).map((field) => required(`${path}.${field}`));
  };
}

function hasContent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : textOf(value) !== '';
}

function validateEmptyDir(source: unknown, path: string): FieldError[] {
  const { sizeLimit } = fieldsOf<EmptyDirVolumeSource>(source);
  const quantity = parseQuantity(sizeLimit);
  const isFine = !isPresent(sizeLimit) || (quantity !== undefined && quantity.nanos >= 0n);
  return isFine ? [] : [forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')];
}

function validateHostPath(source: unknown, path: string): FieldError[] {
  const { path: hostPath, type } = fieldsOf<HostPathVolumeSource>(source);
  if (textOf(hostPath) === '') return [required(`${path}.path`)];
  return [
    ...validatePathNoBacksteps(textOf(hostPath), `${path}.path`),
    ...(isPresent(type) && !HOST_PATH_TYPES.includes(textOf(type))
      ? [notSupported(`${path}.type`, textOf(type), HOST_PATH_TYPES)]
      : []),
  ];
}

function validateGitRepo(source: unknown, path: string): FieldError[] {
  const { repository, directory } = fieldsOf<GitRepoVolumeSource>(source);
  return [
    ...(textOf(repository) === '' ? [required(`${path}.repository`)] : []),
    ...validateLocalDescendingPath(textOf(directory), `${path}.directory`),
  ];
}

function validateNfs(source: unknown, path: string): FieldError[] {
  const { server, path: exported } = fieldsOf<NFSVolumeSource>(source);
  return [
    ...(textOf(server) === '' ? [required(`${path}.server`)] : []),
    ...(textOf(exported) === '' ? [required(`${path}.path`)] : []),
    ...(textOf(exported).startsWith('/')
      ? []
      : [invalid(`${path}.path`, textOf(exported), 'must be an absolute path')]),
  ];
}

function validateFlexVolume(source: unknown, path: string): FieldError[] {
  const { driver, options } = fieldsOf<FlexVolumeSource>(source);
  const reserved = Object.keys(fieldsOf<Record<string, unknown>>(options)).filter((key) => {
    const namespace = `.${(key.split('/')[0] ?? '').toLowerCase()}`;
    return namespace.endsWith('.kubernetes.io') || namespace.endsWith('.k8s.io');
  });
  return [
    ...(textOf(driver) === '' ? [required(`${path}.driver`)] : []),
    ...reserved.map((key) =>
      invalid(`${path}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved'),
    ),
  ];
}

function validateImage(source: unknown, path: string): FieldError[] {
  const { reference, pullPolicy } = fieldsOf<{ reference: string; pullPolicy: string }>(source);
  const policies = ['Always', 'IfNotPresent', 'Never'];
  return [
    ...(textOf(reference) === '' ? [required(`${path}.reference`)] : []),
    ...(policies.includes(textOf(pullPolicy))
      ? []
      : [notSupported(`${path}.pullPolicy`, textOf(pullPolicy), policies)]),
  ];
}

function validateSecret(source: Fields<SecretVolumeSource>, path: string): FieldError[] {
  return [
    ...(textOf(source.secretName) === '' ? [required(`${path}.secretName`)] : []),
    ...validateMode(source.defaultMode, `${path}.defaultMode`),
    ...validateKeysToPaths(source.items, `${path}.items`),
  ];
}

function validateConfigMap(source: Fields<ConfigMapVolumeSource>, path: string): FieldError[] {
  return [
    ...(textOf(source.name) === '' ? [required(`${path}.name`)] : []),
    ...validateMode(source.defaultMode, `${path}.defaultMode`),
    ...validateKeysToPaths(source.items, `${path}.items`),
  ];
}

function validateDownwardApi(source: unknown, path: string): FieldError[] {
  const { defaultMode, items } = fieldsOf<DownwardAPIVolumeSource>(source);
  return [
    ...validateMode(defaultMode, `${path}.defaultMode`),
    ...itemsOf<DownwardAPIVolumeFile>(items).flatMap((file) => validateDownwardApiFile(file, path)),
  ];
}
