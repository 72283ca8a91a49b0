import type { CSINodeDriver, CSINodeSpec } from 'kubernetes-types/storage/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { isQualifiedName } from '../../objects/nameFormats.ts';
import { childDraft } from '../defaulting/drafts.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { all, type Check, distinct, fields, items, nonEmptyText, notNegative } from '../validation/checks.ts';
import { duplicate, immutableField, invalid, invalidEach, required } from '../validation/fieldErrors.ts';
import { type Fields, fieldsOf, itemsOf, textOf, textsOf } from '../validation/fieldsOf.ts';
import { driverName } from '../validation/storage/validateDriverName.ts';

const MAX_NODE_ID_BYTES = 192;

const nodeId: Check = (value, path) =>
  Buffer.byteLength(textOf(value)) > MAX_NODE_ID_BYTES
    ? [invalid(path, textOf(value), `must be ${MAX_NODE_ID_BYTES} characters or less`)]
    : [];

function driversOf(object: KubernetesObject) {
  return itemsOf<CSINodeDriver>(fieldsOf<CSINodeSpec>(object['spec']).drivers);
}

/** Go writes the list of drivers even if there is none. */
function applyNoDrivers(draft: KubernetesObject): void {
  childDraft(draft, 'spec')['drivers'] ??= null;
}

/** A driver on a node never changes; it can only come and go. */
function changedDriverErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const before = new Map(driversOf(old).map((driver) => [driver.name, driver]));
  return driversOf(object)
    .filter(({ name }) => before.has(name))
    .flatMap((driver) => immutableField('spec.drivers', withoutCount(driver), withoutCount(before.get(driver.name))));
}

/** How many volumes a node can attach may change. */
function withoutCount(driver: Partial<Fields<CSINodeDriver>> = {}): object {
  const { allocatable: _allocatable, ...rest } = driver;
  return rest;
}

const driver: Check = all(
  fields({ name: driverName, nodeID: nonEmptyText('', nodeId), allocatable: fields({ count: notNegative }) }),
  (value, path) => topologyErrors(textsOf(fieldsOf<CSINodeDriver>(value).topologyKeys), path),
);

/** The errors are at the driver, as upstream's are. */
function topologyErrors(keys: readonly string[], path: string): FieldError[] {
  return keys.flatMap((key, index) => [
    ...(key === '' ? [required(path)] : []),
    ...(keys.indexOf(key) < index ? [duplicate(path, key)] : []),
    ...invalidEach(path, key, isQualifiedName(key)),
  ]);
}

export const csiNodes = defineResource({
  group: 'storage.k8s.io',
  kind: 'CSINode',
  namespaced: false,
  applyDefaults: applyNoDrivers,
  check: fields({
    spec: fields({
      drivers: all(
        items(driver),
        distinct((one) => fieldsOf<CSINodeDriver>(one).name, '.name'),
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
