import type { CSINodeDriver, CSINodeSpec } from 'kubernetes-types/storage/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { isQualifiedName } from '../../objects/nameFormats.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { all, distinct, fields, format, items, nonEmptyText, notNegative } from '../validation/checks.ts';
import { invalid } from '../validation/fieldErrors.ts';
import { fieldsOf, itemsOf } from '../validation/fieldsOf.ts';
import { driverName, shorterThan } from '../validation/validateDriverName.ts';

const MAX_NODE_ID_BYTES = 192;

function driversOf(object: KubernetesObject) {
  return itemsOf<CSINodeDriver>(fieldsOf<CSINodeSpec>(object['spec']).drivers);
}

/** A driver on a node never changes; it can only come and go. */
function changedDriverErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const before = new Map(driversOf(old).map((driver) => [driver.name, driver]));
  return driversOf(object)
    .filter((driver) => before.has(driver.name) && !jsonEqual(driver, before.get(driver.name)))
    .map((driver) => invalid('CSINodeDriver', driver, 'field is immutable'));
}

export const csiNodes = defineResource({
  group: 'storage.k8s.io',
  kind: 'CSINode',
  namespaced: false,
  check: fields({
    spec: fields({
      drivers: all(
        items(
          fields({
            name: driverName,
            nodeID: nonEmptyText('', shorterThan(MAX_NODE_ID_BYTES)),
            topologyKeys: all(
              items(nonEmptyText('', format(isQualifiedName))),
              distinct((key) => key),
            ),
            allocatable: fields({ count: notNegative }),
          }),
        ),
        distinct((driver) => fieldsOf<CSINodeDriver>(driver).name, '.name'),
      ),
    }),
  }),
  strategy: { validateUpdate: changedDriverErrors },
  table: tableOf<KubernetesObject>(
    nameCell,
    cell('Drivers', 'How many drivers the node has.', (it) => driversOf(it).length, 'integer'),
    ageCell,
  ),
});
