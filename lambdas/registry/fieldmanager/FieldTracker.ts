import type { ManagedFieldsEntry } from 'kubernetes-types/meta/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { exceedsManagedValues, tooManyManagedValues } from './boundManagedFields.ts';
import { FieldManagerError } from './FieldManagerError.ts';
import { encodeManagedFields, type ManagedFields } from './ManagedFields.ts';
import { type FieldWriter, ownersBefore, type Settle, trackUpdate } from './trackUpdate.ts';
import { validateConfiguration } from './validateConfiguration.ts';

/** A write as the registry has prepared it, when its fields get their owners: with its defaults, and before the server sets anything itself. */
export interface TrackedWrite {
  /** The stored object; `undefined` for a create. */
  readonly live: KubernetesObject | undefined;
  /** The object to store, in the storage version. */
  readonly draft: KubernetesObject;
  /** The managedFields that the client sent. */
  readonly given: readonly ManagedFieldsEntry[] | undefined;
  /** True for a draft of which parts may not fit its schema. */
  readonly isUnchecked?: true;
}

/** Decides who owns which fields of an object after a client's write. */
export interface FieldTracker {
  /** `metadata.managedFields` after the write; empty if nobody owns anything. Pure. */
  managedFields(write: TrackedWrite): readonly ManagedFieldsEntry[];
  /** True if an object that is too large with its managedFields may be stored without them. */
  readonly droppable: boolean;
  /** Runs what asks the tracker, if a webhook has to convert objects for it; see `decideTracked`. Absent: nothing has to be waited for. */
  readonly settle?: Settle;
}

/** Decides something that asks the tracker for owners. The decision may be run several times, and has no effects outside of what it returns and its own draft. */
export function decideTracked<T>(tracker: FieldTracker | undefined, decide: () => T): T | Promise<T> {
  return tracker?.settle ? tracker.settle(decide) : decide();
}

/** Tracks creates, updates and patches: the writer owns what it changed. An object that does not fit its schema, or whose owners would hold too many values, gets no managedFields. */
export function updateTracker(writer: FieldWriter): FieldTracker {
  return {
    droppable: true,
    ...(writer.settle && { settle: writer.settle }),
    managedFields: ({ live, draft, given, isUnchecked }) => {
      const managed = ownersBefore(given, live?.metadata.managedFields ?? [], writer.subresource);
      const mayNotFit = isUnchecked || writer.readStored !== undefined;
      const schema = mayNotFit ? writer.versions.schema(writer.apiVersion) : undefined;
      try {
        if (schema) validateConfiguration(draft, schema);
        const entries = encodeManagedFields(trackUpdate(writer, { live, draft, managed }));
        return exceedsManagedValues(entries) ? [] : entries;
      } catch (error) {
        if (error instanceof FieldManagerError) return [];
        throw error;
      }
    },
  };
}

/** The owners have been decided, by an apply: it fails if they cannot be stored. Throws ApiError RequestEntityTooLarge if they hold too many values. */
export function appliedTracker(managed: ManagedFields): FieldTracker {
  const entries = encodeManagedFields(managed);
  if (exceedsManagedValues(entries)) throw tooManyManagedValues();
  return { droppable: false, managedFields: () => entries };
}

/** Sets an object's managedFields. Changes the draft. */
export function trackFields(tracker: FieldTracker | undefined, write: TrackedWrite): void {
  if (tracker === undefined) return;
  const entries = tracker.managedFields(write);
  const { metadata } = write.draft;
  if (entries.length === 0) delete metadata.managedFields;
  else metadata.managedFields = [...entries];
}
