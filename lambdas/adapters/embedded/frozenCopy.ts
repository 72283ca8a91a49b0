/**
 * Returns the value as it would come back from its JSON, deeply frozen. Parts that are already deeply frozen are shared, so a new status on a frozen object
 * costs only a copy of the status. Parts that the caller could still change are copied.
 */
export function frozenCopy<T>(value: T): T {
  return copyOf(value) as T;
}

function copyOf(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return copyOfArray(value);
  if (hasToJSON(value)) return copyOf(value.toJSON());
  return copyOfRecord(value);
}

function hasToJSON(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function copyOfArray(array: readonly unknown[]): readonly unknown[] {
  let same = Object.isFrozen(array);
  const copies = array.map((item) => {
    const copy = copyOf(item === undefined ? null : item);
    same &&= Object.is(copy, item);
    return copy;
  });
  return same ? array : Object.freeze(copies);
}

function copyOfRecord(record: object): object {
  let same = Object.isFrozen(record);
  const copy: Record<string, unknown> = {};
  for (const [field, item] of Object.entries(record)) {
    const itemCopy = copyOf(item);
    same &&= Object.is(itemCopy, item) && itemCopy !== undefined;
    if (itemCopy !== undefined) setField(copy, field, itemCopy);
  }
  return same ? record : Object.freeze(copy);
}

/** A plain assignment to `__proto__` would set the prototype instead of a field, and JSON may contain such a field. */
function setField(record: Record<string, unknown>, field: string, value: unknown): void {
  if (field === '__proto__') Object.defineProperty(record, field, { value, enumerable: true });
  else record[field] = value;
}
