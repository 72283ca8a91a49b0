import type * as core from 'kubernetes-types/core/v1.js';
import { inclusiveRangeMessage, isDns1123Subdomain } from '../../../objects/nameFormats.ts';
import {
  all,
  at,
  type Check,
  dnsLabel,
  dnsSubdomain,
  fields,
  format,
  given,
  ifPresent,
  ifSet,
  matching,
  missing,
  nonEmptyText,
  oneInOrder,
  optionalEnum,
  present,
  range,
  when,
  wrong,
} from '../checks.ts';
import { invalid, tooLong } from '../fieldErrors.ts';
import { isPresent, textOf, textsOf } from '../fieldsOf.ts';

/** Disks and file systems of clouds and storage vendors. Driftless never mounts them, but validates them like any other part of a pod. */

const MANAGED_URI = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_URI = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';
const REGISTRY = 'must be a host:port pair or multiple pairs separated by commas';
const QUALIFIED_INITIATORS = [
  /iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)$/,
  /^eui.[A-Za-z0-9]{16}$/,
  /^naa.[A-Za-z0-9]{32}$/,
];

/** 0, no partition, is valid too. As in Kubernetes, the message begins at 1. */
const partition = range(0, 255, inclusiveRangeMessage(1, 255));
const lun = range(0, 255, inclusiveRangeMessage(0, 255));
const secretRef = ifPresent(fields({ name: nonEmptyText() }));

export const validateGcePersistentDisk = fields<core.GCEPersistentDiskVolumeSource>({
  pdName: nonEmptyText(),
  partition,
});
export const validateElasticBlockStore = fields<core.AWSElasticBlockStoreVolumeSource>({
  volumeID: nonEmptyText(),
  partition,
});
export const validateCinder = fields<core.CinderVolumeSource>({ volumeID: nonEmptyText(), secretRef });
export const validateStorageOs = fields<core.StorageOSVolumeSource>({
  volumeName: nonEmptyText('', dnsLabel),
  volumeNamespace: ifSet(dnsLabel),
  secretRef,
});

export const validateAzureDisk = given<core.AzureDiskVolumeSource>(({ kind, diskURI }) => {
  const [prefix, pattern] = kind === 'Managed' ? ['/subscriptions/', MANAGED_URI] : ['https://', BLOB_URI];
  return all(
    fields<core.AzureDiskVolumeSource>({
      diskName: nonEmptyText(),
      diskURI: nonEmptyText(),
      cachingMode: optionalEnum('None', 'ReadOnly', 'ReadWrite'),
      kind: optionalEnum('Dedicated', 'Managed', 'Shared'),
    }),
    when(isPresent(kind) && !textOf(diskURI).startsWith(prefix), fields({ diskURI: oneInOrder(pattern) })),
  );
});

export const validateFlocker = given<core.FlockerVolumeSource>(({ datasetName, datasetUUID }) => {
  const [name, uuid] = [textOf(datasetName), textOf(datasetUUID)];
  const both: Check = (_, path) => [
    invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'),
  ];
  return all(
    when(name === '' && uuid === '', missing('one of datasetName and datasetUUID is required')),
    when(name !== '' && uuid !== '', both),
    fields({ datasetName: matching((text) => !text.includes('/'), "must not contain '/'") }),
  );
});

const registry = given<core.QuobyteVolumeSource>(({ registry: text, tenant }) => {
  if (textOf(text) === '') return at('.registry', missing(REGISTRY));
  if (Buffer.byteLength(textOf(tenant)) > 64)
    return at('.tenant', missing('must be a UUID and may not exceed a length of 64 characters'));
  const pairs = textOf(text).split(',');
  const wrongPairs = pairs.filter((pair) => !/^(\[[^[\]]*\]|[^[\]:]*):[^[\]:]*$/.test(pair));
  return fields({ registry: all(...wrongPairs.map(() => wrong(REGISTRY))) });
});

export const validateQuobyte = all(registry, fields<core.QuobyteVolumeSource>({ volume: nonEmptyText() }));

export const validateFibreChannel = given<core.FCVolumeSource>(({ targetWWNs, wwids }) => {
  const [targets, ids] = [textsOf(targetWWNs).length, textsOf(wwids).length];
  return fields<core.FCVolumeSource>({
    targetWWNs: all(
      when(targets + ids === 0, missing('must specify either targetWWNs or wwids, but not both')),
      when(targets > 0 && ids > 0, wrong('targetWWNs and wwids can not be specified simultaneously')),
    ),
    lun: when(targets > 0, present('lun is required if targetWWNs is specified', lun)),
  });
});

const qualifiedInitiator: Check = (value, path) => {
  const name = textOf(value);
  const kind = ['iqn', 'eui', 'naa'].indexOf(name.slice(0, 3));
  if (kind < 0) return [invalid(path, name, 'must be valid format starting with iqn, eui, or naa')];
  return QUALIFIED_INITIATORS[kind]?.test(name) === true ? [] : [invalid(path, name, 'must be valid format')];
};

export const validateIscsi = given<core.ISCSIVolumeSource>((source) => {
  const usesChap = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  const initiator: Check = (_, path) => qualifiedInitiator(source.initiatorName, `${path}.initiatorname`);
  return all(
    fields<core.ISCSIVolumeSource>({
      targetPortal: nonEmptyText(),
      iqn: nonEmptyText('', qualifiedInitiator),
      lun,
      secretRef: when(usesChap, present()),
    }),
    when(isPresent(source.initiatorName), initiator),
  );
});

const MAX_DRIVER_BYTES = 63;

const driver: Check = all(
  nonEmptyText(),
  (value, path) => (Buffer.byteLength(textOf(value)) > MAX_DRIVER_BYTES ? [tooLong(path, MAX_DRIVER_BYTES)] : []),
  format((name) => isDns1123Subdomain(name.toLowerCase())),
);

/** An inline volume of a CSI driver. As in Kubernetes, the error of a secret's name leaves out the reference. */
export const validateCsiSource = given<core.CSIVolumeSource>(({ nodePublishSecretRef: reference }) => {
  const name = textOf((reference as { name?: unknown } | null | undefined)?.name);
  const secret: Check = (_, path) =>
    name === '' ? missing()(name, `${path}.nodePublishSecretRef.name`) : dnsSubdomain(name, `${path}.name`);
  return all(fields<core.CSIVolumeSource>({ driver }), when(isPresent(reference), secret));
});
