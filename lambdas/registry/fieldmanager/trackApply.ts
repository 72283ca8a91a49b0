import type { ManagedFieldsEntry } from 'kubernetes-types/meta/v1.js';
import type { ApiError } from '../../objects/ApiError.ts';
import { applyConflict, type FieldConflict } from './applyConflict.ts';
import { applyFields } from './applyFields.ts';
import { FieldManagerError } from './FieldManagerError.ts';
import { clientSideApplied, withLastApplied } from './lastApplied.ts';
import { decodeManagedFields, managerKey, type ManagedFields } from './ManagedFields.ts';
import type { JsonMap } from './MergeSchema.ts';
import { type FieldWriter, liveObject, recordUpdate, stripUnowned } from './trackUpdate.ts';
import { validateConfiguration } from './validateConfiguration.ts';
import type { TypedObject } from './VersionedObject.ts';

export interface ApplyRequest {
  /** The stored object; `undefined` if no object has this name. */
  readonly live: JsonMap | undefined;
  /** The stored object's `metadata.managedFields`. */
  readonly stored: readonly ManagedFieldsEntry[];
  /** What is applied, in the version of the request. Its apiVersion and kind are the request's. */
  readonly config: JsonMap;
  /** Takes the fields that other managers own. */
  readonly force: boolean;
}

/** The outcome of an apply: the object to store, in the version of the request, and its owners. Or the refusal, because others own some of the fields. */
export type ApplyOutcome =
  | { readonly object: JsonMap; readonly managed: ManagedFields; readonly refused?: undefined }
  | { readonly refused: ApiError };

/** Who owns what was there before an object was first applied. */
const BEFORE_FIRST_APPLY = 'before-first-apply';

/** The name under which kubectl applies. What it applied earlier on the client's side counts as its own. */
const KUBECTL = 'kubectl';

/**
 * Applies a configuration: merges it into the live object, and decides who owns what, as apimachinery's field managers do. An object that nobody has applied
 * before gets an owner for what it has. Throws FieldManagerError, worded for the client, for a configuration that does not fit the kind's schema. Pure.
 */
export function trackApply(writer: FieldWriter, { live, stored, config, force }: ApplyRequest): ApplyOutcome {
  const { manager, subresource, apiVersion, filter } = writer;
  const before = liveObject(writer, live);
  const typed = before.in(apiVersion);
  if (typed === undefined) throw new Error(`${apiVersion} is not served`);
  checkConfiguration(config, typed, 'patch');
  // The definition of a custom resource may have changed since the object was stored.
  if (live !== undefined) checkConfiguration(typed.object, typed, 'live');
  const entry = { manager, operation: 'Apply', subresource, apiVersion } as const;
  const key = managerKey(entry);
  const managed = ownersBefore(writer, live, stored);
  const applied = applyFields({ live: before, config, apiVersion, managed, writer: key, entry, filter });
  const conflicts = force ? [] : refusedConflicts(manager, applied.conflicts, typed);
  if (conflicts.length > 0) return { refused: applyConflict(conflicts) };
  const owners = stripUnowned(applied.managed, key);
  const object = applied.object ?? typed.object;
  return {
    object: manager === KUBECTL ? withLastApplied(object, config) : object,
    managed: applied.object === undefined ? owners : withTime(owners, key, writer.time),
  };
}

function checkConfiguration(config: JsonMap, { schema }: TypedObject, what: 'patch' | 'live'): void {
  try {
    validateConfiguration(config, schema, what === 'live');
  } catch (error) {
    if (!(error instanceof FieldManagerError)) throw error;
    const message = `failed to create typed ${what} object (${objectText(config)}): ${error.message}`;
    throw new FieldManagerError(message, { cause: error });
  }
}

/** Names an object as these errors do: `default/web; apps/v1, Kind=Deployment`. */
export function objectText(object: JsonMap): string {
  const { name, namespace } = (object['metadata'] ?? {}) as Record<string, unknown>;
  const [apiVersion, kind] = [String(object['apiVersion']), String(object['kind'])];
  return `${text(namespace)}/${text(name)}; ${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${kind}`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function ownersBefore(
  writer: FieldWriter,
  live: JsonMap | undefined,
  stored: readonly ManagedFieldsEntry[],
): ManagedFields {
  const managed = decodeManagedFields(stored);
  if (managed.size > 0 || live === undefined) return managed;
  return recordUpdate({ ...writer, manager: BEFORE_FIRST_APPLY }, { live: undefined, draft: live, managed });
}

/** The conflicts that stand against the apply. Kubectl may take what it applied on the client's side; then only the other conflicts count. */
function refusedConflicts(
  manager: string,
  conflicts: readonly FieldConflict[],
  live: TypedObject,
): readonly FieldConflict[] {
  if (manager !== KUBECTL || conflicts.length === 0) return conflicts;
  const allowed = clientSideApplied(live);
  return conflicts
    .map(({ owner, fields }) => ({ owner, fields: fields.difference(allowed) }))
    .filter(({ fields }) => !fields.isEmpty);
}

function withTime(managed: ManagedFields, key: string, time: string | undefined): ManagedFields {
  const entry = managed.get(key);
  return entry === undefined || time === undefined ? managed : new Map(managed).set(key, { ...entry, time });
}
