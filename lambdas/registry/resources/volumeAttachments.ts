import type { VolumeAttachment, VolumeAttachmentSource } from 'kubernetes-types/storage/v1.js';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { atLeast, type Check, dnsSubdomain, fields, ifPresent, nonEmptyText } from '../validation/checks.ts';
import { forbidden, required, tooLong } from '../validation/fieldErrors.ts';
import { fieldsOf, isPresent, textEntriesOf, textOf } from '../validation/fieldsOf.ts';
import { driverName } from '../validation/storage/validateDriverName.ts';

const FIELDS = 'inlineVolumeSpec and persistentVolumeName';

const source: Check = (value, path) => {
  const { inlineVolumeSpec, persistentVolumeName } = fieldsOf<VolumeAttachmentSource>(value);
  if (isPresent(inlineVolumeSpec) && isPresent(persistentVolumeName))
    return [forbidden(path, `must specify exactly one of ${FIELDS}`)];
  if (!isPresent(inlineVolumeSpec) && !isPresent(persistentVolumeName))
    return [required(path, `must specify exactly one of ${FIELDS}`)];
  return persistentVolumeName === ''
    ? [required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName')]
    : [];
};

/** What only v1 asks of a new object; so a missing attacher is named twice. */
const checkNew = fields({
  spec: fields({ attacher: driverName, source: fields({ persistentVolumeName: ifPresent(dnsSubdomain) }) }),
});

const MOST_METADATA_BYTES = 256 * 1024;
const MOST_MESSAGE_BYTES = 1024;

const metadata: Check = (value, path) => {
  const bytes = textEntriesOf(value).reduce((sum, entry) => sum + Buffer.byteLength(entry.join('')), 0);
  return bytes > MOST_METADATA_BYTES ? [tooLong(path, MOST_METADATA_BYTES)] : [];
};

const volumeError: Check = ifPresent(
  fields({
    // Upstream names another limit than the one that it checks.
    message: (value, path) =>
      Buffer.byteLength(textOf(value)) > MOST_MESSAGE_BYTES ? [tooLong(path, MOST_METADATA_BYTES)] : [],
    errorCode: ifPresent(atLeast(0, 'must be between 0 and 2147483647, inclusive')),
  }),
);

const checkStatus = fields({ attachmentMetadata: metadata, attachError: volumeError, detachError: volumeError });

export const volumeAttachments = defineResource({
  group: 'storage.k8s.io',
  kind: 'VolumeAttachment',
  namespaced: false,
  status: true,
  check: fields({ spec: fields({ attacher: nonEmptyText(), source, nodeName: dnsSubdomain }) }),
  immutable: ['spec'],
  checkStatus,
  strategy: { validate: (object) => checkNew(object, '') },
  table: tableOf<VolumeAttachment>(
    nameCell,
    cell('Attacher', 'The driver that attaches it.', ({ spec }) => spec.attacher),
    cell('PV', 'The volume.', ({ spec }) => spec.source.persistentVolumeName ?? ''),
    cell('Node', 'The node that it is attached to.', ({ spec }) => spec.nodeName),
    cell('Attached', 'Whether it is attached.', ({ status }) => status?.attached ?? false, 'boolean'),
    ageCell,
  ),
});
