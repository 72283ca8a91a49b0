import {
  CelError,
  CelList,
  CelMap,
  CelOptional,
  type CelResult,
  CelUint,
  type CelValue,
  LiteralMap,
} from './CelValue.ts';
import { typeNameOf } from './typeNameOf.ts';

/** What upstream says when no form of a function takes the values. */
export const NO_OVERLOAD = new CelError('no such overload');

/** Returns a member of a map or an item of a list. If the map or the list does not have it, returns an error that says so. */
export function memberOf(container: CelValue, key: CelValue): CelResult {
  const value = find(container, key);
  if (value !== undefined) return value;
  return container instanceof CelList
    ? new CelError(`index out of bounds: ${shown(key)}`)
    : new CelError(`no such key: ${shown(key)}`);
}

/** Returns a member or an item, `undefined` if it is not there. */
function find(container: CelValue, key: CelValue): CelResult | undefined {
  if (container instanceof CelMap) return container.source.resolve?.(key) ?? container.source.get(key);
  if (!(container instanceof CelList)) return NO_OVERLOAD;
  const index = key instanceof CelUint ? Number(key.value) : Number(key);
  if (typeof key === 'string' || !Number.isInteger(index))
    return new CelError(`unsupported index type '${typeNameOf(key)}' in list`);
  return index < 0 ? undefined : container.items[index];
}

/** `memberOf` for what may be missing: what is not there is no error. */
export function optionalMember({ value: container }: CelOptional, key: CelValue): CelResult {
  if (container === undefined) return CelOptional.NONE;
  const value = find(container, key);
  if (value instanceof CelError) return value;
  return value === undefined ? CelOptional.NONE : new CelOptional(value);
}

/** What `has(a.b)` says. */
export function hasField(operand: CelValue, field: string): CelResult {
  const container = operand instanceof CelOptional ? operand.value : operand;
  if (container === undefined) return false;
  return container instanceof CelMap ? container.source.get(field) !== undefined : NO_OVERLOAD;
}

/** Adds an entry to a map that a fold collects. */
export function insert(map: CelMap, key: CelValue, value: CelValue): CelResult {
  if (map.source instanceof LiteralMap && map.source.add(key, value)) return map;
  return new CelError(`insert failed: key ${shown(key)} already exists`);
}

export function insertAll(map: CelMap, added: CelValue | undefined): CelResult {
  if (!(added instanceof CelMap)) return NO_OVERLOAD;
  for (const key of added.source.keys()) {
    const result = insert(map, key, added.source.get(key) ?? null);
    if (result instanceof CelError) return result;
  }
  return map;
}

/** Prints a key as Go's `%v`. */
export function shown(key: CelValue): string {
  if (typeof key === 'object' && key !== null) return key instanceof CelUint ? String(key.value) : typeNameOf(key);
  return String(key);
}
