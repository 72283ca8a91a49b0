/** The fields of an API type from outside: each may hold any JSON value. */
export type Fields<T> = Partial<Readonly<Record<keyof T, unknown>>>;

/**
 * Returns an object's fields, and no fields for any other value. The readers below turn an absent or wrong value into Go's zero value, so that
 * validation never throws on hostile input.
 */
export function fieldsOf<T extends object>(value: unknown): Fields<T> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** Returns the items of a list in their order, each as its fields. */
export function itemsOf<T extends object>(value: unknown): Fields<T>[] {
  return Array.isArray(value) ? value.map((item: unknown) => fieldsOf<T>(item)) : [];
}

export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

/** Returns the entries of a string map such as labels. */
export function textEntriesOf(value: unknown): [string, string][] {
  const map = fieldsOf<Record<string, unknown>>(value);
  // `Object.entries` takes several times as long on a large map.
  return Object.keys(map).map((key) => [key, textOf(map[key])]);
}
