import type { PersistentVolume as ApiVolume } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { canonicalizeResourceList, childDraft } from '../defaulting/drafts.ts';
import { defineResource } from '../defineResource.ts';
import { accessModesText } from '../tables/accessModesText.ts';
import { ageCell, cell, nameCell, tableOf, wideCell } from '../tables/tableOf.ts';
import { fields } from '../validation/checks.ts';
import { forbidden } from '../validation/fieldErrors.ts';
import { fieldsOf, textOf } from '../validation/fieldsOf.ts';
import { persistentVolumeSpec } from '../validation/storage/validatePersistentVolume.ts';

type Volume = Stored<ApiVolume>;

/** The fields of the spec that say nothing of where the data are. */
const OTHER_FIELDS = new Set([
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
]);

function sourceOf(object: KubernetesObject): unknown {
  const spec = Object.entries(fieldsOf<Record<string, unknown>>(object['spec']));
  return Object.fromEntries(spec.filter(([field]) => !OTHER_FIELDS.has(field)));
}

function sourceErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  if (jsonEqual(sourceOf(object), sourceOf(old))) return [];
  const path = 'spec.persistentvolumesource';
  return [forbidden(path, `${path} is immutable after creation`)];
}

function claimCell({ spec }: Volume): string {
  return spec?.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '';
}

export const persistentVolumes = defineResource({
  group: '',
  kind: 'PersistentVolume',
  shortNames: ['pv'],
  namespaced: false,
  status: true,
  applyDefaults: (draft) => canonicalizeResourceList(childDraft(draft, 'spec'), 'capacity'),
  defaults: { 'spec.persistentVolumeReclaimPolicy': 'Retain', 'spec.volumeMode': 'Filesystem' },
  check: fields({ spec: persistentVolumeSpec }),
  immutable: ['spec.volumeMode'],
  strategy: {
    prepareForCreate(draft) {
      draft['status'] = { phase: 'Pending', lastPhaseTransitionTime: draft.metadata.creationTimestamp };
    },
    validateUpdate: sourceErrors,
  },
  table: tableOf<Volume>(
    nameCell,
    cell('Capacity', 'How much it holds.', ({ spec }) => spec?.capacity?.['storage'] ?? ''),
    cell('Access Modes', 'How it may be mounted.', ({ spec }) => accessModesText(spec?.accessModes)),
    cell(
      'Reclaim Policy',
      'What happens when its claim is gone.',
      ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? '',
    ),
    cell('Status', 'Whether it is bound to a claim.', ({ metadata, status }) =>
      metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
    ),
    cell('Claim', 'The claim that it is bound to.', claimCell),
    cell('StorageClass', 'The class of its storage.', ({ spec }) => spec?.storageClassName ?? ''),
    cell(
      'VolumeAttributesClass',
      'The class of its attributes.',
      ({ spec }) =>
        textOf(fieldsOf<{ volumeAttributesClassName: string }>(spec).volumeAttributesClassName) || '<unset>',
    ),
    cell('Reason', 'Why it is in this status.', ({ status }) => status?.reason ?? ''),
    ageCell,
    wideCell(
      'VolumeMode',
      'Whether it is a file system or a block device.',
      ({ spec }) => spec?.volumeMode ?? '<unset>',
    ),
  ),
});
