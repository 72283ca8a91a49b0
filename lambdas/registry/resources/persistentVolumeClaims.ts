import type { PersistentVolumeClaim as ApiClaim, PersistentVolumeClaimSpec } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { copyJson, jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { compareQuantities, parseQuantity } from '../../objects/quantities/quantity.ts';
import { canonicalizeResourceList, childDraft } from '../defaulting/drafts.ts';
import { defineResource } from '../defineResource.ts';
import { accessModesText } from '../tables/accessModesText.ts';
import { ageCell, cell, nameCell, tableOf, wideCell } from '../tables/tableOf.ts';
import { fields } from '../validation/checks.ts';
import { forbidden } from '../validation/fieldErrors.ts';
import { fieldsOf, textOf } from '../validation/fieldsOf.ts';
import { validateClaimSpec } from '../validation/storage/validateClaimTemplate.ts';

type Claim = Stored<ApiClaim>;

/** The defaults of a claim, and of the claims that a StatefulSet makes. */
export const CLAIM_DEFAULTS = { 'spec.volumeMode': 'Filesystem' };

/**
 * What of a changed claim must be as it was. A claim without a volume may be bound, one without a class may get one, and a bound one may grow. Everything that may
 * change is made equal.
 */
function withoutAllowedChanges(object: KubernetesObject, old: Claim): unknown {
  const spec: Partial<PersistentVolumeClaimSpec> = copyJson((object as Claim).spec ?? {});
  const before: Partial<PersistentVolumeClaimSpec> = old.spec ?? {};
  if (textOf(before.volumeName) === '') delete spec.volumeName;
  if (before.storageClassName === undefined) delete spec.storageClassName;
  delete spec.volumeAttributesClassName;
  if (old.status?.phase === 'Bound') spec.resources = copyJson(before.resources ?? {});
  return spec;
}

function specErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const claim = old as Claim;
  if (!jsonEqual(withoutAllowedChanges(object, claim), withoutAllowedChanges(old, claim))) {
    const detail =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    return [forbidden('spec', detail)];
  }
  const [wanted, before] = [object as Claim, claim].map(({ spec }) =>
    parseQuantity(spec?.resources?.requests?.['storage']),
  );
  const capacity = parseQuantity(claim.status?.capacity?.['storage']);
  const isLess = wanted && before && compareQuantities(wanted, before) < 0;
  const isBelowCapacity = wanted && (!capacity || compareQuantities(wanted, capacity) <= 0);
  return isLess && isBelowCapacity
    ? [forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity')]
    : [];
}

export const persistentVolumeClaims = defineResource({
  group: '',
  kind: 'PersistentVolumeClaim',
  shortNames: ['pvc'],
  namespaced: true,
  status: true,
  applyDefaults(draft) {
    const resources = childDraft(childDraft(draft, 'spec'), 'resources');
    canonicalizeResourceList(resources, 'limits');
    canonicalizeResourceList(resources, 'requests');
  },
  defaults: CLAIM_DEFAULTS,
  check: fields({ spec: validateClaimSpec }),
  strategy: {
    prepareForCreate(draft) {
      draft['status'] = { phase: 'Pending' };
    },
    validateUpdate: specErrors,
  },
  table: tableOf<Claim>(
    nameCell,
    cell('Status', 'Whether it has a volume.', ({ metadata, status }) =>
      metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
    ),
    cell('Volume', 'The name of its volume.', ({ spec }) => spec?.volumeName ?? ''),
    cell('Capacity', 'How much the volume holds.', ({ spec, status }) =>
      spec?.volumeName ? (status?.capacity?.['storage'] ?? '') : '',
    ),
    cell('Access Modes', 'How the volume may be mounted.', ({ spec, status }) =>
      spec?.volumeName ? accessModesText(status?.accessModes) : '',
    ),
    cell('StorageClass', 'The class of its storage.', ({ spec }) => spec?.storageClassName ?? ''),
    cell(
      'VolumeAttributesClass',
      'The class of the attributes of the volume.',
      ({ spec }) =>
        textOf(fieldsOf<{ volumeAttributesClassName: string }>(spec).volumeAttributesClassName) || '<unset>',
    ),
    ageCell,
    wideCell(
      'VolumeMode',
      'Whether it is a file system or a block device.',
      ({ spec }) => spec?.volumeMode ?? '<unset>',
    ),
  ),
});
