/** The fields of an API type, none of them trusted: what stands there may be anything that JSON can hold. */
export type Fields<T> = Partial<Readonly<Record<keyof T, unknown>>>;

/** An object's fields; none for anything else. With the readers below an absent field is Go's zero value, so that hostile input is judged, never thrown at. */
export function fieldsOf<T extends object>(value: unknown): Fields<T> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** The objects of a list, in their places. */
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

/** The entries of a string map such as labels. */
export function textEntriesOf(value: unknown): [string, string][] {
  return Object.entries(fieldsOf<Record<string, unknown>>(value)).map(([key, text]) => [key, textOf(text)]);
}
