import type { FieldError } from '../../objects/FieldError.ts';
import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { type Check, fields } from '../validation/checks.ts';
import { forbidden, required } from '../validation/fieldErrors.ts';
import { textEntriesOf, textOf } from '../validation/fieldsOf.ts';
import { driverName } from '../validation/storage/validateDriverName.ts';
import { storageParameters } from '../validation/storage/storageParameters.ts';

/** A class without parameters would change nothing. */
const parameters: Check = (value, path) =>
  textEntriesOf(value).length === 0
    ? [required(path, 'must contain at least one key/value pair')]
    : storageParameters(value, path);

function changedErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  return ['driverName', 'parameters']
    .filter((field) => !jsonEqual(object[field], old[field]))
    .map((field) => forbidden(field, `updates to ${field} are forbidden.`));
}

export const volumeAttributesClasses = defineResource({
  group: 'storage.k8s.io',
  kind: 'VolumeAttributesClass',
  since: 34,
  plural: 'volumeattributesclasses',
  namespaced: false,
  shortNames: ['vac'],
  check: fields({ driverName, parameters }),
  strategy: { validateUpdate: changedErrors },
  table: tableOf<KubernetesObject>(
    nameCell,
    cell('DriverName', 'The driver that changes its volumes.', (it) => textOf(it['driverName'])),
    ageCell,
  ),
});
