import { jsonWord } from '../schema/checkScalar.ts';
import type { FieldSchema, Schema } from '../schema/schemaOf.ts';
import { isObject } from '../../objects/json.ts';
import { setMember } from './applyMergePatch.ts';
import { mergeList } from './mergeList.ts';
import { badFormat, PatchError, unknownDirective } from './PatchError.ts';

const DIRECTIVE = '$patch';
const RETAIN_KEYS = '$retainKeys';
const DELETE_FROM_LIST = '$deleteFromPrimitiveList';
const ELEMENT_ORDER = '$setElementOrder';

type Struct = Record<string, unknown>;

/**
 * Applies a strategic merge patch and returns the result. Objects merge member by member, lists are replaced or merged by the schema's strategies and merge
 * keys, null deletes, and the directives `$patch`, `$retainKeys`, `$deleteFromPrimitiveList/…` and `$setElementOrder/…` work as in Kubernetes. Changes both
 * arguments in place. Without a schema (inside plain maps), lists are replaced. Throws PatchError for a malformed patch.
 */
export function applyStrategicMergePatch(original: Struct, patch: Struct, schema: Schema | undefined): Struct {
  if (Object.hasOwn(patch, DIRECTIVE)) return applyDirective(patch);
  applyRetainKeys(original, patch);
  applyElementOrders(original, patch, schema);
  for (const name of Object.keys(patch)) mergeMember(original, patch[name], name, schema);
  return original;
}

/** `$patch` in a map: `replace` replaces the map with the rest of the patch, `delete` empties it. */
function applyDirective(patch: Struct): Struct {
  const { [DIRECTIVE]: directive, ...rest } = patch;
  if (directive === 'replace') return rest;
  if (directive === 'delete') return {};
  throw unknownDirective(directive, patch);
}

/** `$retainKeys` removes all members that it does not list. It must list every member that the patch sets. */
function applyRetainKeys(original: Struct, patch: Struct): void {
  if (!Object.hasOwn(patch, RETAIN_KEYS)) return;
  const retained = patch[RETAIN_KEYS];
  delete patch[RETAIN_KEYS];
  if (!Array.isArray(retained)) throw badFormat('retainKeys');
  const kept = new Set<unknown>(retained);
  for (const [name, value] of Object.entries(patch)) {
    const directive = name.startsWith(DELETE_FROM_LIST) || name.startsWith(ELEMENT_ORDER);
    if (value !== null && !directive && !kept.has(name)) throw badFormat('retainKeys');
  }
  for (const name of Object.keys(original)) if (!kept.has(name)) delete original[name];
}

/** Merges each list that has a `$setElementOrder/…` directive, and removes both from the patch. */
function applyElementOrders(original: Struct, patch: Struct, schema: Schema | undefined): void {
  for (const directive of Object.keys(patch).filter((name) => name.startsWith(ELEMENT_ORDER))) {
    const order = patch[directive];
    delete patch[directive];
    if (!Array.isArray(order)) throw new PatchError(`expected a []interface {}, but received a ${jsonWord(order)}`);
    const name = listNameOf(directive, ELEMENT_ORDER, 'setElementOrder list');
    const [live, changes] = [listMember(original, name), listMember(patch, name)];
    delete patch[name];
    if (live === undefined && changes === undefined) continue;
    const field = fieldOf(schema, name);
    setMember(
      original,
      name,
      mergeList({ live, changes, order, field, deleting: false, mergeItem: applyStrategicMergePatch }),
    );
  }
}

function listMember(object: Struct, name: string): unknown[] | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (value === undefined || Array.isArray(value)) return value;
  throw new PatchError(`expected a []interface {}, but received a ${value === null ? '<nil>' : jsonWord(value)}`);
}

function listNameOf(directive: string, prefix: string, format: string): string {
  if (!directive.startsWith(`${prefix}/`)) throw badFormat(format);
  return directive.slice(prefix.length + 1);
}

function mergeMember(original: Struct, change: unknown, member: string, schema: Schema | undefined): void {
  const deleting = member.startsWith(DELETE_FROM_LIST);
  const name = deleting ? listNameOf(member, DELETE_FROM_LIST, 'primitive list') : member;
  if (change === null) {
    delete original[name];
    return;
  }
  const present = Object.hasOwn(original, name);
  if (!present && deleting) return;
  const current = present ? original[name] : undefined;
  if (!present || jsonWord(current) !== jsonWord(change) || current === null) {
    setMember(original, name, withoutNulls(change));
    return;
  }
  setMember(original, name, mergeValue(current, change, name, deleting, schema));
}

function mergeValue(current: unknown, change: unknown, name: string, deleting: boolean, schema: Schema | undefined) {
  const field = fieldOf(schema, name);
  if (Array.isArray(current) && Array.isArray(change)) {
    if (!(field?.patchStrategies.includes('merge') ?? false)) return change;
    return mergeList({
      live: current,
      changes: change,
      order: undefined,
      field,
      deleting,
      mergeItem: applyStrategicMergePatch,
    });
  }
  if (isObject(current) && isObject(change)) return applyStrategicMergePatch(current, change, structOf(field));
  return change;
}

/** Prepares a value that the original does not have: its nulls are dropped, because there is nothing to delete. */
function withoutNulls(value: unknown): unknown {
  if (isObject(value)) {
    for (const name of Object.keys(value)) {
      if (value[name] === null) delete value[name];
      else withoutNulls(value[name]);
    }
  }
  return value;
}

function fieldOf(schema: Schema | undefined, name: string): FieldSchema | undefined {
  return schema?.fields.get(name);
}

/** The schema of a member that is a struct. The members of a map have none. */
function structOf(field: FieldSchema | undefined): Schema | undefined {
  return field?.shape === 'single' && typeof field.of !== 'string' ? field.of : undefined;
}
