import type { ManagedFieldsEntry } from 'kubernetes-types/meta/v1.js';
import { capUpdateManagers } from './capUpdateManagers.ts';
import type { FieldFilter } from './fieldFilter.ts';
import { FieldManagerError } from './FieldManagerError.ts';
import { FieldSet } from './FieldSet.ts';
import { decodeManagedFields, managerKey, type ManagedFields } from './ManagedFields.ts';
import type { JsonMap } from './MergeSchema.ts';
import { reconcileManagers, takeOwnership } from './takeOwnership.ts';
import { type ObjectVersions, VersionedObject } from './VersionedObject.ts';

/** Runs a decision about owners, again and again until all objects that it needs in other versions have been converted. */
export type Settle = <T>(decide: () => T) => Promise<T>;

/** Who writes an object, and how it can be read. */
export interface FieldWriter {
  /** The name of the manager: the option `fieldManager`, or the start of the User-Agent. */
  readonly manager: string;
  /** The version of the request, and that in which objects are stored. */
  readonly apiVersion: string;
  readonly storageApiVersion: string;
  readonly kind: string;
  /** `''` for the object itself. */
  readonly subresource: string;
  readonly versions: ObjectVersions;
  /** See `FieldTracker.settle`. */
  readonly settle?: Settle;
  /** Reads a stored object as the version of the request shows it; absent if that is the stored object itself. */
  readStored?(object: JsonMap): JsonMap;
  /** The fields that this way of writing can change, and that can therefore be owned through it. */
  readonly filter: FieldFilter;
  /** RFC 3339; absent for writes whose time is not noted. */
  readonly time?: string;
}

const field = (...names: readonly string[]) => names.map((name) => `f:${name}` as const);

/** What every object has and nobody owns. */
const UNOWNED = FieldSet.of(
  field('apiVersion'),
  field('kind'),
  field('metadata'),
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => field('metadata', name)),
);

export interface TrackedUpdate {
  /** The stored object; `undefined` for a create. */
  readonly live: JsonMap | undefined;
  /** The object as the client wants it, with its defaults, in the storage version. */
  readonly draft: JsonMap;
  /** The owners before the update. */
  readonly managed: ManagedFields;
}

/** Decides who owns what after a create, an update or a patch: the writer owns what it changed. An object that nobody has tracked yet is tracked from its creation only. Pure. */
export function trackUpdate(writer: FieldWriter, update: TrackedUpdate): ManagedFields {
  if (update.managed.size === 0 && update.live !== undefined) return update.managed;
  return capUpdateManagers(recordUpdate(writer, update));
}

/** A key that is no manager's: what the update changes is first gathered apart, so that even the writer's own entry loses what it removes. */
const CURRENT_OPERATION = 'current-operation';

/** Records an update without a limit on the number of owners. Throws FieldManagerError if the objects do not fit their schema. */
export function recordUpdate(writer: FieldWriter, { live, draft, managed }: TrackedUpdate): ManagedFields {
  const { manager, apiVersion, subresource } = writer;
  const before = liveObject(writer, live);
  const next = before.with(withoutManagedFields(draft), writer.storageApiVersion);
  const write = { live: before, next, apiVersion, writer: CURRENT_OPERATION, filter: writer.filter };
  const transfer = takeOwnership(reconcileManagers(managed, before), write);
  const changed = transfer.comparison.modified.union(transfer.comparison.added).difference(UNOWNED);
  if (changed.isEmpty) return transfer.managed;
  const entry = { manager, operation: 'Update', subresource, apiVersion } as const;
  const previous = transfer.managed.get(managerKey(entry));
  const set = previous === undefined ? changed : changed.union(previous.set);
  return new Map(transfer.managed).set(managerKey(entry), { ...entry, set, time: writer.time ?? previous?.time });
}

/** The stored object; for a create, an object that has nothing but its kind. */
export function liveObject(writer: FieldWriter, live: JsonMap | undefined): VersionedObject {
  const { storageApiVersion, kind, versions } = writer;
  const object =
    live === undefined
      ? { apiVersion: storageApiVersion, kind, metadata: {} }
      : withoutManagedFields(writer.readStored?.(live) ?? live);
  return new VersionedObject(object, storageApiVersion, versions);
}

function withoutManagedFields(object: JsonMap): JsonMap {
  const { managedFields: _, ...metadata } = (object['metadata'] ?? {}) as Record<string, unknown>;
  return { ...object, metadata };
}

/** Drops from one manager's entry what nobody owns. */
export function stripUnowned(managed: ManagedFields, key: string): ManagedFields {
  const entry = managed.get(key);
  if (entry === undefined) return managed;
  const set = entry.set.difference(UNOWNED);
  const stripped = new Map(managed);
  if (set.isEmpty) stripped.delete(key);
  else stripped.set(key, { ...entry, set });
  return stripped;
}

const NOBODY: ManagedFields = new Map();

/**
 * The owners before an update. A client may send managedFields back, and so change them; none, or ones that cannot be read, mean those of the stored object.
 * An empty list or a single empty entry means that nobody shall own anything. Through a subresource, they cannot be changed.
 */
export function ownersBefore(
  given: readonly ManagedFieldsEntry[] | undefined,
  stored: readonly ManagedFieldsEntry[],
  subresource: string,
): ManagedFields {
  if (subresource !== '' || given === undefined) return readManagedFields(stored) ?? NOBODY;
  const isReset = given.length === 0 || (given.length === 1 && Object.keys(given[0] ?? {}).length === 0);
  if (isReset) return NOBODY;
  return readManagedFields(given) ?? readManagedFields(stored) ?? NOBODY;
}

/** `undefined` for entries that cannot be read. */
function readManagedFields(entries: readonly ManagedFieldsEntry[]): ManagedFields | undefined {
  try {
    return decodeManagedFields(entries);
  } catch (error) {
    if (error instanceof FieldManagerError) return undefined;
    throw error;
  }
}
