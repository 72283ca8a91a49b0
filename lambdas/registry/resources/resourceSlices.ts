import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { all, atLeast, type Check, distinct, dnsLabel, fields, items, nonEmptyText } from '../validation/checks.ts';
import { atMostItems, deviceDriver } from '../validation/storage/deviceClaims.ts';
import { immutableField, invalid, required } from '../validation/fieldErrors.ts';
import { fieldsOf, textOf } from '../validation/fieldsOf.ts';

interface ResourceSliceSpec {
  readonly driver: string;
  readonly pool: { readonly name: string };
  readonly nodeName?: string;
  readonly nodeSelector?: object;
  readonly allNodes?: boolean;
  readonly perDeviceNodeSelection?: boolean;
}

const MOST_DEVICES = 128;
const ONE = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

/** From which nodes the devices can be reached: said in one way. */
const place: Check = (value, path) => {
  const { nodeName, nodeSelector, allNodes, perDeviceNodeSelection } = fieldsOf<ResourceSliceSpec>(value);
  const ways = [textOf(nodeName) !== '', Boolean(nodeSelector), allNodes === true, perDeviceNodeSelection === true];
  const count = ways.filter(Boolean).length;
  if (count === 0) return [required(path, ONE)];
  return count > 1 ? [invalid(path, `{${ways.join(' ')}}`, `${ONE}, but multiple fields are set`)] : [];
};

const devices = atMostItems(
  MOST_DEVICES,
  all(
    items(fields({ name: nonEmptyText('', dnsLabel) })),
    distinct((device) => fieldsOf<{ name: string }>(device).name, '.name'),
  ),
);

const spec = all(
  fields({
    driver: deviceDriver,
    pool: fields({
      name: nonEmptyText(),
      resourceSliceCount: atLeast(1, 'must be greater than zero'),
      generation: atLeast(0, 'must be greater than or equal to zero'),
    }),
  }),
  place,
  fields({ devices }),
);

/** The driver, the pool and the node of a slice never change. */
function changedErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [now, before] = [object, old].map(({ spec: one }) => fieldsOf<ResourceSliceSpec>(one));
  const poolName = (pool: unknown) => fieldsOf<{ name: string }>(pool).name;
  return [
    ...immutableField('spec.driver', now?.driver, before?.driver),
    ...immutableField('spec.pool.name', poolName(now?.pool), poolName(before?.pool)),
    ...immutableField('spec.nodeName', now?.nodeName, before?.nodeName),
  ];
}

const text = (object: KubernetesObject, field: 'driver' | 'nodeName') =>
  textOf(fieldsOf<ResourceSliceSpec>(object['spec'])[field]);

/** The devices that a driver offers on a node. */
export const resourceSlices = defineResource({
  group: 'resource.k8s.io',
  kind: 'ResourceSlice',
  since: 34,
  namespaced: false,
  hasGeneration: true,
  check: fields({ spec }),
  strategy: { validateUpdate: changedErrors },
  selectableFields: (object) => ({ 'spec.driver': text(object, 'driver'), 'spec.nodeName': text(object, 'nodeName') }),
  table: tableOf<KubernetesObject>(
    nameCell,
    cell('Node', 'The node whose devices they are.', (it) => text(it, 'nodeName')),
    cell('Driver', 'The driver of the devices.', (it) => text(it, 'driver')),
    cell('Pool', 'The pool to which the slice belongs.', (it) =>
      textOf(fieldsOf<{ name: string }>(fieldsOf<ResourceSliceSpec>(it['spec']).pool).name),
    ),
    ageCell,
  ),
});
