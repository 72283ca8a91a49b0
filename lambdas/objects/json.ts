/** A deep copy of plain JSON that may be changed; members that are `undefined` or `null` are left out, as Go's decoder reads them as absent. */
export function copyJson<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => copyJson(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    // A key named `__proto__` must become a member and never the prototype.
    if (member !== undefined && member !== null) {
      if (key === '__proto__') Object.defineProperty(copy, key, { value: copyJson(member), enumerable: true });
      else copy[key] = copyJson(member);
    }
  }
  return copy as T;
}

/**
 * Kubernetes' semantic equality on JSON: what is absent, `null` or an empty list is the same. An empty object is something (`emptyDir: {}`); for
 * maps, where it is not, see `mapsEqual`.
 */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && listsEqual(a, b);
  return objectsEqual(a as Record<string, unknown>, b as Record<string, unknown>);
}

/** `jsonEqual` for maps, of which an empty one and none are the same. */
export function mapsEqual(a: object | undefined, b: object | undefined): boolean {
  return jsonEqual(a ?? {}, b ?? {});
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function listsEqual(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]));
}

function objectsEqual(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  for (const key of Object.keys(a)) if (!jsonEqual(a[key], b[key])) return false;
  for (const key of Object.keys(b)) if (!Object.hasOwn(a, key) && !isNothing(b[key])) return false;
  return true;
}
