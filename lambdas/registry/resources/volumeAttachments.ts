import type { VolumeAttachment, VolumeAttachmentSource } from 'kubernetes-types/storage/v1.js';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { type Check, dnsSubdomain, fields } from '../validation/checks.ts';
import { forbidden, required } from '../validation/fieldErrors.ts';
import { fieldsOf, isPresent } from '../validation/fieldsOf.ts';
import { driverName } from '../validation/validateDriverName.ts';

const FIELDS = 'inlineVolumeSpec and persistentVolumeName';

const source: Check = (value, path) => {
  const { inlineVolumeSpec, persistentVolumeName } = fieldsOf<VolumeAttachmentSource>(value);
  if (isPresent(inlineVolumeSpec) && isPresent(persistentVolumeName))
    return [forbidden(path, `must specify exactly one of ${FIELDS}`)];
  if (!isPresent(inlineVolumeSpec) && !isPresent(persistentVolumeName))
    return [required(path, `must specify one of ${FIELDS}`)];
  return persistentVolumeName === ''
    ? [required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName')]
    : [];
};

export const volumeAttachments = defineResource({
  group: 'storage.k8s.io',
  kind: 'VolumeAttachment',
  namespaced: false,
  status: true,
  check: fields({ spec: fields({ attacher: driverName, source, nodeName: dnsSubdomain }) }),
  immutable: ['spec'],
  table: tableOf<VolumeAttachment>(
    nameCell,
    cell('Attacher', 'The driver that attaches it.', ({ spec }) => spec.attacher),
    cell('PV', 'The volume.', ({ spec }) => spec.source.persistentVolumeName ?? ''),
    cell('Node', 'The node that it is attached to.', ({ spec }) => spec.nodeName),
    cell('Attached', 'Whether it is attached.', ({ status }) => status?.attached ?? false, 'boolean'),
    ageCell,
  ),
});
