/**
 * Returns the value as it would come back from its JSON, deeply frozen. Parts that are already deeply frozen are shared, so a new status on a frozen object
 * costs only a copy of the status. Parts that the caller could still change are copied. `earlier` is a frozen copy that the value may have been made from: members that are still those of
 * `earlier` are shared without a look at what is in them.
 */
export function frozenCopy<T>(value: T, earlier?: object): T {
  return copyOf(value, earlier) as T;
}

function copyOf(value: unknown, earlier?: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== 'object' || value === null || value === earlier) return value;
  if (Array.isArray(value)) return copyOfArray(value);
  if (hasToJSON(value)) return copyOf(value.toJSON());
  return copyOfRecord(value, earlier);
}

type Members = Readonly<Record<string, unknown>>;

function hasToJSON(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function copyOfArray(array: readonly unknown[]): readonly unknown[] {
  if (isFrozenJson(array)) return array;
  return Object.freeze(array.map((item) => copyOf(item === undefined ? null : item)));
}

function copyOfRecord(record: object, earlier?: unknown): object {
  if (isFrozenJson(record)) return record;
  const copy: Record<string, unknown> = {};
  for (const field of Object.keys(record)) {
    const itemCopy = copyOf((record as Members)[field], (earlier as Members | undefined)?.[field]);
    if (itemCopy !== undefined) setField(copy, field, itemCopy);
  }
  return Object.freeze(copy);
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
