import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  CinderVolumeSource,
  CSIVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  ISCSIVolumeSource,
  QuobyteVolumeSource,
  StorageOSVolumeSource,
} from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { inclusiveRangeMessage, isDns1123Label, isDns1123Subdomain } from '../../../objects/nameFormats.ts';
import { invalid, invalidEach, notSupported, required, tooLong } from '../fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, numberOf, textOf, textsOf } from '../fieldsOf.ts';

/** Disks and file systems of clouds and storage vendors. Driftless never mounts them, but validates them like any other part of a pod. */

const CACHING_MODES = ['None', 'ReadOnly', 'ReadWrite'];
const DISK_KINDS = ['Dedicated', 'Managed', 'Shared'];
const MANAGED_URI = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_URI = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';
const REGISTRY = 'must be a host:port pair or multiple pairs separated by commas';
const QUALIFIED_INITIATORS = [
  /iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)$/,
  /^eui.[A-Za-z0-9]{16}$/,
  /^naa.[A-Za-z0-9]{32}$/,
];

function validatePartition(partition: unknown, path: string): FieldError[] {
  const number = numberOf(partition);
  // 0, no partition, is valid too. As in Kubernetes, the message begins at 1.
  return number >= 0 && number <= 255 ? [] : [invalid(path, number, inclusiveRangeMessage(1, 255))];
}

export function validateGcePersistentDisk(source: unknown, path: string): FieldError[] {
  const { pdName, partition } = fieldsOf<GCEPersistentDiskVolumeSource>(source);
  return [
    ...(textOf(pdName) === '' ? [required(`${path}.pdName`)] : []),
    ...validatePartition(partition, `${path}.partition`),
  ];
}

export function validateElasticBlockStore(source: unknown, path: string): FieldError[] {
  const { volumeID, partition } = fieldsOf<AWSElasticBlockStoreVolumeSource>(source);
  return [
    ...(textOf(volumeID) === '' ? [required(`${path}.volumeID`)] : []),
    ...validatePartition(partition, `${path}.partition`),
  ];
}

export function validateAzureDisk(source: unknown, path: string): FieldError[] {
  const { diskName, diskURI, cachingMode, kind } = fieldsOf<AzureDiskVolumeSource>(source);
  const uri = textOf(diskURI);
  const [prefix, pattern] = kind === 'Managed' ? ['/subscriptions/', MANAGED_URI] : ['https://', BLOB_URI];
  return [
    ...(textOf(diskName) === '' ? [required(`${path}.diskName`)] : []),
    ...(uri === '' ? [required(`${path}.diskURI`)] : []),
    ...(isPresent(cachingMode) && !CACHING_MODES.includes(textOf(cachingMode))
      ? [notSupported(`${path}.cachingMode`, textOf(cachingMode), CACHING_MODES)]
      : []),
    ...(isPresent(kind) && !DISK_KINDS.includes(textOf(kind))
      ? [notSupported(`${path}.kind`, textOf(kind), DISK_KINDS)]
      : []),
    ...(isPresent(kind) && !uri.startsWith(prefix) ? [notSupported(`${path}.diskURI`, uri, [pattern])] : []),
  ];
}

function validateSecretRef(reference: unknown, path: string): FieldError[] {
  if (!isPresent(reference)) return [];
  return textOf(fieldsOf<{ name: string }>(reference).name) === '' ? [required(`${path}.secretRef.name`)] : [];
}

export function validateCinder(source: unknown, path: string): FieldError[] {
  const { volumeID, secretRef } = fieldsOf<CinderVolumeSource>(source);
  return [...(textOf(volumeID) === '' ? [required(`${path}.volumeID`)] : []), ...validateSecretRef(secretRef, path)];
}

export function validateStorageOs(source: unknown, path: string): FieldError[] {
  const { volumeName, volumeNamespace, secretRef } = fieldsOf<StorageOSVolumeSource>(source);
  const [name, namespace] = [textOf(volumeName), textOf(volumeNamespace)];
  return [
    ...(name === '' ? [required(`${path}.volumeName`)] : invalidEach(`${path}.volumeName`, name, isDns1123Label(name))),
    ...(namespace === '' ? [] : invalidEach(`${path}.volumeNamespace`, namespace, isDns1123Label(namespace))),
    ...validateSecretRef(secretRef, path),
  ];
}

export function validateFlocker(source: unknown, path: string): FieldError[] {
  const { datasetName, datasetUUID } = fieldsOf<FlockerVolumeSource>(source);
  const [name, uuid] = [textOf(datasetName), textOf(datasetUUID)];
  const both = 'datasetName and datasetUUID can not be specified simultaneously';
  return [
    ...(name === '' && uuid === '' ? [required(path, 'one of datasetName and datasetUUID is required')] : []),
    ...(name !== '' && uuid !== '' ? [invalid(path, 'resource', both)] : []),
    ...(name.includes('/') ? [invalid(`${path}.datasetName`, name, "must not contain '/'")] : []),
  ];
}

export function validateQuobyte(source: unknown, path: string): FieldError[] {
  const { registry, tenant, volume } = fieldsOf<QuobyteVolumeSource>(source);
  return [
    ...validateRegistry(textOf(registry), textOf(tenant), path),
    ...(textOf(volume) === '' ? [required(`${path}.volume`)] : []),
  ];
}

function validateRegistry(registry: string, tenant: string, path: string): FieldError[] {
  if (registry === '') return [required(`${path}.registry`, REGISTRY)];
  if (Buffer.byteLength(tenant) > 64) {
    return [required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters')];
  }
  const wrong = registry.split(',').filter((pair) => !/^(\[[^[\]]*\]|[^[\]:]*):[^[\]:]*$/.test(pair));
  return wrong.map(() => invalid(`${path}.registry`, registry, REGISTRY));
}

export function validateFibreChannel(source: unknown, path: string): FieldError[] {
  const { targetWWNs, wwids, lun } = fieldsOf<FCVolumeSource>(source);
  const [targets, ids] = [textsOf(targetWWNs), textsOf(wwids)];
  const namesPath = `${path}.targetWWNs`;
  return [
    ...(targets.length + ids.length === 0
      ? [required(namesPath, 'must specify either targetWWNs or wwids, but not both')]
      : []),
    ...(targets.length > 0 && ids.length > 0
      ? [invalid(namesPath, targets, 'targetWWNs and wwids can not be specified simultaneously')]
      : []),
    ...(targets.length > 0 ? validateTargetLun(lun, `${path}.lun`) : []),
  ];
}

function validateTargetLun(lun: unknown, path: string): FieldError[] {
  if (!isPresent(lun)) return [required(path, 'lun is required if targetWWNs is specified')];
  return validateLun(numberOf(lun), path);
}

function validateLun(lun: number, path: string): FieldError[] {
  return lun >= 0 && lun <= 255 ? [] : [invalid(path, lun, inclusiveRangeMessage(0, 255))];
}

export function validateIscsi(source: unknown, path: string): FieldError[] {
  const fields = fieldsOf<ISCSIVolumeSource>(source);
  const usesChap = fields.chapAuthDiscovery === true || fields.chapAuthSession === true;
  const initiator = fields.initiatorName;
  return [
    ...(textOf(fields.targetPortal) === '' ? [required(`${path}.targetPortal`)] : []),
    ...(textOf(fields.iqn) === ''
      ? [required(`${path}.iqn`)]
      : validateQualifiedInitiator(textOf(fields.iqn), `${path}.iqn`)),
    ...validateLun(numberOf(fields.lun), `${path}.lun`),
    ...(usesChap && !isPresent(fields.secretRef) ? [required(`${path}.secretRef`)] : []),
    ...(isPresent(initiator) ? validateQualifiedInitiator(textOf(initiator), `${path}.initiatorname`) : []),
  ];
}

function validateQualifiedInitiator(name: string, path: string): FieldError[] {
  const kind = ['iqn', 'eui', 'naa'].indexOf(name.slice(0, 3));
  if (kind < 0) return [invalid(path, name, 'must be valid format starting with iqn, eui, or naa')];
  return QUALIFIED_INITIATORS[kind]?.test(name) === true ? [] : [invalid(path, name, 'must be valid format')];
}

const MAX_DRIVER_BYTES = 63;

/** Validates an inline volume of a CSI driver. */
export function validateCsiSource(source: Fields<CSIVolumeSource>, path: string): FieldError[] {
  return [
    ...validateDriver(textOf(source.driver), `${path}.driver`),
    ...(isPresent(source.nodePublishSecretRef) ? validateSecretName(source.nodePublishSecretRef, path) : []),
  ];
}

function validateDriver(driver: string, path: string): FieldError[] {
  return [
    ...(driver === '' ? [required(path)] : []),
    ...(Buffer.byteLength(driver) > MAX_DRIVER_BYTES ? [tooLong(path, MAX_DRIVER_BYTES)] : []),
    ...invalidEach(path, driver, isDns1123Subdomain(driver.toLowerCase())),
  ];
}

function validateSecretName(reference: unknown, path: string): FieldError[] {
  const name = textOf(fieldsOf<{ name: string }>(reference).name);
  if (name === '') return [required(`${path}.nodePublishSecretRef.name`)];
  return invalidEach(`${path}.name`, name, isDns1123Subdomain(name));
}
