import { isDeepStrictEqual } from 'node:util';
import { withDeclaredFields } from './alignFieldSet.ts';
import type { FieldFilter } from './fieldFilter.ts';
import { FieldManagerError } from './FieldManagerError.ts';
import { type FieldSet, NOTHING } from './FieldSet.ts';
import type { ManagedFields, ManagedSet } from './ManagedFields.ts';
import type { JsonMap } from './MergeSchema.ts';
import { mergeObjects } from './mergeObjects.ts';
import { removeFields } from './removeFields.ts';
import { reconcileManagers, takeOwnership, type Transfer } from './takeOwnership.ts';
import { toFieldSet } from './toFieldSet.ts';
import type { TypedObject, VersionedObject } from './VersionedObject.ts';

export interface ApplyInput {
  readonly live: VersionedObject;
  /** What is applied, in the version `apiVersion`; it fits its schema. */
  readonly config: JsonMap;
  readonly apiVersion: string;
  readonly managed: ManagedFields;
  /** The key of the manager who applies, and what its entry says besides the fields. */
  readonly writer: string;
  readonly entry: Omit<ManagedSet, 'set' | 'time'>;
  /** The fields that this way of writing can change. */
  readonly filter: FieldFilter;
}

export interface Applied extends Transfer {
  /** The object after the apply, in the applied version; `undefined` if nothing in it changes. */
  readonly object: JsonMap | undefined;
}

/**
 * Merges a configuration into the live object, removes what the manager applied before and does not any more (unless somebody else owns it), and decides who
 * owns what then. As structured-merge-diff's `Updater.Apply`. Throws FieldManagerError if the objects do not fit their schema. Pure.
 */
export function applyFields(input: ApplyInput): Applied {
  const { live, config, apiVersion, writer, filter } = input;
  const managed = reconcileManagers(input.managed, live);
  const typed = requireVersion(live, apiVersion);
  const last = managed.get(writer);
  const set = filter(toFieldSet(config, typed.schema));
  const next = new Map(managed).set(writer, { ...input.entry, set, ...(last && { time: last.time }) });
  const merged = live.with(mergeObjects(typed.object, config, typed.schema), apiVersion);
  const pruned = last === undefined || last.set.isEmpty ? merged : prune(merged, last, next);
  const transfer = takeOwnership(next, { live, next: pruned, apiVersion, writer, filter });
  const { object } = requireVersion(pruned, apiVersion);
  const owners = set.isEmpty ? without(transfer.managed, writer) : transfer.managed;
  return { ...transfer, managed: owners, object: isDeepStrictEqual(object, typed.object) ? undefined : object };
}

function without(managed: ManagedFields, key: string): ManagedFields {
  const left = new Map(managed);
  left.delete(key);
  return left;
}

/** The version of a request is served: it has been routed by it. */
function requireVersion(object: VersionedObject, apiVersion: string): TypedObject {
  const typed = object.in(apiVersion);
  if (typed === undefined) throw new Error(`${apiVersion} is not served`);
  return typed;
}

/** Removes what the manager owned by its last apply and nobody owns now. */
function prune(merged: VersionedObject, last: ManagedSet, managed: ManagedFields): VersionedObject {
  const typed = lastApplied(merged, last.apiVersion);
  if (typed === undefined) return merged;
  const lastSet = withDeclaredFields(last.set, typed.schema);
  let pruned = merged.with(removeFields(typed.object, lastSet, typed.schema), last.apiVersion);
  // The version of the last apply comes first: what it needs to be converted must be back before it is.
  for (const [version, owned] of ownedByVersion(last.apiVersion, managed)) {
    pruned = addBackOwned(merged, pruned, version, owned);
  }
  return addBackDangling(merged, pruned, last.apiVersion, lastSet);
}

/** The merged object in the version of the last apply. Throws FieldManagerError if it does not fit that version. */
function lastApplied(merged: VersionedObject, version: string): TypedObject | undefined {
  try {
    return merged.in(version);
  } catch (error) {
    if (!(error instanceof FieldManagerError)) throw error;
    const why = `failed to convert merged object to last applied version: ${error.message}`;
    throw new FieldManagerError(`failed to prune fields: ${why}`, { cause: error });
  }
}

function ownedByVersion(first: string, managed: ManagedFields): Map<string, FieldSet> {
  const owned = new Map<string, FieldSet>([[first, NOTHING]]);
  for (const { apiVersion, set } of managed.values())
    owned.set(apiVersion, (owned.get(apiVersion) ?? NOTHING).union(set));
  return owned;
}

/** Puts back what was removed although somebody owns it in this version. */
function addBackOwned(
  merged: VersionedObject,
  pruned: VersionedObject,
  version: string,
  owned: FieldSet,
): VersionedObject {
  const [whole, rest] = [merged.in(version), pruned.in(version)];
  if (whole === undefined || rest === undefined) return pruned;
  const kept = fieldsOf(rest).union(withDeclaredFields(owned, whole.schema));
  return pruned.with(removeFields(whole.object, fieldsOf(whole).difference(kept), whole.schema), version);
}

/** Puts back what was removed only because it lay in something that was removed: the manager never owned it, and nobody else does. */
function addBackDangling(
  merged: VersionedObject,
  pruned: VersionedObject,
  version: string,
  lastSet: FieldSet,
): VersionedObject {
  const [whole, rest] = [merged.in(version), pruned.in(version)];
  if (whole === undefined || rest === undefined) return merged;
  const gone = fieldsOf(whole).difference(fieldsOf(rest)).intersection(lastSet);
  return pruned.with(removeFields(whole.object, gone, whole.schema), version);
}

function fieldsOf({ object, schema }: TypedObject): FieldSet {
  return withDeclaredFields(toFieldSet(object, schema), schema);
}
