import { fieldErrorMessage } from '../../lambdas/objects/FieldError.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { RequestBudget } from '../../lambdas/objects/RequestBudget.ts';
import { applyStorageDefaults, type ResourceEntry, storageApiVersion } from '../../lambdas/registry/ResourceEntry.ts';

type Members = Readonly<Record<string, unknown>>;

/** One minute after the objects of `objectOf` were created. */
const NOW_MS = Date.parse('2026-01-31T12:00:00Z');

/** An object of the kind named `x`, with these members and the defaults of its storage version. */
export function objectOf(entry: ResourceEntry, members: Members = {}, metadata: Members = {}): KubernetesObject {
  const object = {
    apiVersion: storageApiVersion(entry),
    kind: entry.kind,
    metadata: {
      name: 'x',
      ...(entry.namespaced && { namespace: 'default' }),
      uid: 'u1',
      resourceVersion: '1',
      creationTimestamp: '2026-01-31T11:59:00Z',
      ...metadata,
    },
    ...structuredClone(members),
  } as KubernetesObject;
  applyStorageDefaults(entry, object);
  return object;
}

/** The messages of the errors of a new object, as a create finds them. */
export function createErrors(entry: ResourceEntry, members: Members, metadata: Members = {}): string[] {
  const object = objectOf(entry, members, metadata);
  entry.strategy.prepareForCreate?.(object);
  return (entry.strategy.validate?.(object, new RequestBudget()) ?? []).map(fieldErrorMessage);
}

/** The messages of the errors of a change. */
export function updateErrors(entry: ResourceEntry, members: Members, old: Members): string[] {
  const [object, before] = [objectOf(entry, members), objectOf(entry, old)];
  entry.strategy.prepareForUpdate?.(object, before);
  return (entry.strategy.validateUpdate?.(object, before, new RequestBudget()) ?? []).map(fieldErrorMessage);
}

/** The messages of the errors of a changed status. */
export function statusErrors(entry: ResourceEntry, status: Members, old: Members = {}): string[] {
  const [object, before] = [objectOf(entry, { status }), objectOf(entry, { status: old })];
  return (entry.strategy.validateStatusUpdate?.(object, before, new RequestBudget()) ?? []).map(fieldErrorMessage);
}

/** The row of a table as kubectl prints it with `-o wide`: cells by the name of their column. */
export function rowOf(entry: ResourceEntry, members: Members, metadata: Members = {}): Record<string, unknown> {
  const cells = entry.table.cells(objectOf(entry, members, metadata), NOW_MS);
  return Object.fromEntries(entry.table.columns.map(({ name }, index) => [name, cells[index]]));
}
