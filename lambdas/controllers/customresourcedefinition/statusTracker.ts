import { formatTime } from '../../ports/Clock.ts';
import { compareObjects } from '../../registry/fieldmanager/compareObjects.ts';
import { encodeManagedFields, decodeManagedFields, managerKey } from '../../registry/fieldmanager/ManagedFields.ts';
import { FieldSet, NOTHING } from '../../registry/fieldmanager/FieldSet.ts';
import type { FieldTracker, TrackedWrite } from '../../registry/fieldmanager/FieldTracker.ts';
import { DEDUCED, type JsonMap, type MergeSchema } from '../../registry/fieldmanager/MergeSchema.ts';

/** The controllers of definitions run in the API server, and write as it. */
const WRITER = {
  manager: 'kube-apiserver',
  operation: 'Update',
  apiVersion: 'apiextensions.k8s.io/v1',
  subresource: 'status',
} as const;

/** Conditions are told apart by their type; everything else is merged by names. */
const CONDITIONS: MergeSchema = { list: { type: 'map', keys: ['type'], items: fieldsOf({}) } };
const STATUS: MergeSchema = fieldsOf({ acceptedNames: fieldsOf({}), conditions: CONDITIONS });

function fieldsOf(schemas: Readonly<Record<string, MergeSchema>>): MergeSchema {
  return {
    map: { atomic: false, field: (name) => ({ schema: schemas[name] ?? DEDUCED }), alwaysPresent: [] },
  };
}

/** Lets the API server own what a write changes in a definition's status. Other owners lose it. A definition that nobody owns stays so. */
export function statusTracker(nowMs: number): FieldTracker {
  return { droppable: true, managedFields: (write) => ownersAfter(write, formatTime(nowMs)) };
}

function ownersAfter({ live, draft }: TrackedWrite, time: string): ReturnType<FieldTracker['managedFields']> {
  const stored = live?.metadata.managedFields ?? [];
  if (stored.length === 0) return stored;
  const managed = decodeManagedFields(stored);
  const { added, modified, removed } = compareObjects(statusOf(live), statusOf(draft), STATUS);
  const changed = below(added.union(modified));
  const lost = changed.union(below(removed));
  const owners = new Map([...managed].map(([key, one]) => [key, { ...one, set: one.set.difference(lost) }]));
  const own = owners.get(managerKey(WRITER))?.set ?? NOTHING;
  owners.set(managerKey(WRITER), { ...WRITER, set: own.union(changed), time });
  return encodeManagedFields(new Map([...owners].filter(([, { set }]) => !set.isEmpty)));
}

/** The names and conditions are always there, so nobody owns that they are. */
function statusOf(definition: TrackedWrite['live']): JsonMap {
  const { acceptedNames, conditions } = (definition?.['status'] ?? {}) as JsonMap;
  return { acceptedNames: acceptedNames ?? {}, conditions: conditions ?? [] };
}

function below(set: FieldSet): FieldSet {
  const status = new FieldSet();
  status.put('f:status', { member: false, children: set });
  return status;
}
