/**
 * Returns the value as it would come back from its JSON, deeply frozen. Parts that are already deeply frozen are shared, so a new status on a frozen object
 * costs only a copy of the status. Parts that the caller could still change are copied. `similar` is a frozen copy that is likely to have parts in common with the value, since the value was made from it, or both
 * from one template: parts of it that are equal are shared.
 */
export function frozenCopy<T>(value: T, similar?: object): T {
  return copyOf(value, similar) as T;
}

function copyOf(value: unknown, similar?: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== 'object' || value === null || value === similar) return value;
  if (isSame(value, similar)) return similar;
  if (Array.isArray(value)) return copyOfArray(value, similar);
  if (hasToJSON(value)) return copyOf(value.toJSON());
  return copyOfRecord(value, similar);
}

/** True if the JSON of the value gives back what `frozen` holds, in the same order. */
function isSame(value: unknown, frozen: unknown): boolean {
  if (value === frozen) return true;
  if (typeof value !== 'object' || value === null || typeof frozen !== 'object' || frozen === null) return false;
  if (Array.isArray(value)) {
    if (!Array.isArray(frozen) || value.length !== frozen.length) return false;
    return value.every((item, index) => isSame(item, frozen[index]));
  }
  if (Array.isArray(frozen) || hasToJSON(value)) return false;
  const fields = Object.keys(value);
  const frozenFields = Object.keys(frozen);
  if (fields.length !== frozenFields.length) return false;
  for (const [index, field] of fields.entries()) {
    if (field !== frozenFields[index] || !isSame((value as Members)[field], (frozen as Members)[field])) return false;
  }
  return true;
}

type Members = Readonly<Record<string, unknown>>;

function hasToJSON(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function copyOfArray(array: readonly unknown[], similar?: unknown): readonly unknown[] {
  const others: readonly unknown[] = Array.isArray(similar) ? similar : [];
  if (isFrozenJson(array)) {
    if (others.length === 0) return array;
    const shared = array.map((item, index) => copyOf(item, others[index]));
    return shared.every((item, index) => item === array[index]) ? array : Object.freeze(shared);
  }
  return Object.freeze(array.map((item, index) => copyOf(item === undefined ? null : item, others[index])));
}

function copyOfRecord(record: object, similar?: unknown): object {
  const others = typeof similar === 'object' && similar !== null ? (similar as Members) : undefined;
  const isFrozen = isFrozenJson(record);
  if (isFrozen && !others) return record;
  const copy: Record<string, unknown> = {};
  let isItself = isFrozen;
  for (const field of Object.keys(record)) {
    const item = (record as Members)[field];
    const itemCopy = copyOf(item, others && Object.hasOwn(others, field) ? others[field] : undefined);
    if (itemCopy !== item) isItself = false;
    if (itemCopy !== undefined) setField(copy, field, itemCopy);
  }
  return isItself ? record : Object.freeze(copy);
}

/** True if the value is deeply frozen, and equals what would come back from its JSON. Looks without making anything: most parts of what is stored were stored before. */
function isFrozenJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || value === null) return value !== undefined;
  if (!Object.isFrozen(value)) return false;
  if (Array.isArray(value)) return value.every(isFrozenJson);
  if (hasToJSON(value)) return false;
  for (const field of Object.keys(value)) if (!isFrozenJson((value as Members)[field])) return false;
  return true;
}

/** A plain assignment to `__proto__` would set the prototype instead of a field, and JSON may contain such a field. */
function setField(record: Record<string, unknown>, field: string, value: unknown): void {
  if (field === '__proto__') Object.defineProperty(record, field, { value, enumerable: true });
  else record[field] = value;
}
