import { reconcileWithSchema } from './alignFieldSet.ts';
import { compareObjects, type Comparison } from './compareObjects.ts';
import type { FieldFilter } from './fieldFilter.ts';
import { type FieldSet, NOTHING } from './FieldSet.ts';
import type { ManagedFields, ManagedSet } from './ManagedFields.ts';
import type { VersionedObject } from './VersionedObject.ts';

export interface Write {
  readonly live: VersionedObject;
  readonly next: VersionedObject;
  /** The version in which the object is written. */
  readonly apiVersion: string;
  /** The key of the manager who writes; its own fields are left to the caller. */
  readonly writer: string;
  /** The fields that this way of writing can change, and therefore own. */
  readonly filter: FieldFilter;
}

/** What a write changes, and who loses what by it. */
export interface Transfer {
  /** The owners without what they lose. Owners of a version that is no longer served are dropped. */
  readonly managed: ManagedFields;
  /** The fields that others own and this write sets to another value. */
  readonly conflicts: readonly { readonly owner: ManagedSet; readonly fields: FieldSet }[];
  /** What the write changes, in its own version. */
  readonly comparison: Comparison;
}

/**
 * Decides what a write takes from the other managers: the fields that it sets to other values, and those that it removes. As structured-merge-diff's
 * `Updater.update`. Throws FieldManagerError if the objects do not fit their schema. Pure.
 */
export function takeOwnership(managed: ManagedFields, write: Write): Transfer {
  const comparisons = new Comparisons(write);
  const left = new Map<string, ManagedSet>();
  const conflicts: { owner: ManagedSet; fields: FieldSet }[] = [];
  for (const [key, owner] of managed) {
    if (key === write.writer) {
      left.set(key, owner);
      continue;
    }
    const comparison = comparisons.in(owner.apiVersion);
    if (comparison === undefined) continue;
    const fields = owner.set.intersection(comparison.modified.union(comparison.added));
    if (!fields.isEmpty) conflicts.push({ owner, fields });
    const set = owner.set.difference(fields).difference(comparison.removed);
    if (!set.isEmpty) left.set(key, { ...owner, set });
  }
  return { managed: left, conflicts, comparison: comparisons.in(write.apiVersion) ?? NO_CHANGE };
}

const NO_CHANGE: Comparison = { added: NOTHING, modified: NOTHING, removed: NOTHING };

/** Brings all owners in line with the schemas as they are now. Owners of a version that is no longer served are dropped. */
export function reconcileManagers(managed: ManagedFields, live: VersionedObject): ManagedFields {
  const reconciled = new Map<string, ManagedSet>();
  for (const [key, owner] of managed) {
    const schema = live.in(owner.apiVersion)?.schema;
    if (schema !== undefined) reconciled.set(key, { ...owner, set: reconcileWithSchema(owner.set, schema) });
  }
  return reconciled;
}

/** Compares the live object and the next one in each version once. */
class Comparisons {
  readonly #write: Write;
  readonly #known = new Map<string, Comparison>();

  constructor(write: Write) {
    this.#write = write;
  }

  in(apiVersion: string): Comparison | undefined {
    const known = this.#known.get(apiVersion);
    if (known !== undefined) return known;
    const [live, next] = [this.#write.live.in(apiVersion), this.#write.next.in(apiVersion)];
    if (live === undefined || next === undefined) return undefined;
    const { added, modified, removed } = compareObjects(live.object, next.object, live.schema);
    const { filter } = this.#write;
    const comparison = {
      added: filter(added),
      modified: filter(modified),
      removed: filter(removed),
    };
    this.#known.set(apiVersion, comparison);
    return comparison;
  }
}
