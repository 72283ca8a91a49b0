import { formatQuantity, parseQuantity, roundUpToMilli } from '../../objects/quantities/quantity.ts';

/**
 * An API object from outside that defaulting fills in. These functions leave a value of the wrong type alone, so that defaulting never
 * throws and validation can report the error.
 */
export type Draft = Record<string, unknown>;

export function isDraft(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object in that field, and creates it if the field is absent. If the field holds something else, returns an object that is not attached. */
export function childDraft(parent: Draft, field: string): Draft {
  parent[field] ??= {};
  const child = parent[field];
  return isDraft(child) ? child : {};
}

/** Returns the object in that field, if there is one. */
export function presentDraft(parent: Draft, field: string): Draft | undefined {
  const child = parent[field];
  return isDraft(child) ? child : undefined;
}

/** Returns the objects of the list in that field. A null becomes an empty object, as in Go's decoder. */
export function itemDrafts(parent: Draft, field: string): Draft[] {
  const items: unknown = parent[field];
  if (!Array.isArray(items)) return [];
  for (const [index, item] of items.entries()) items[index] = item ?? {};
  return items.filter(isDraft);
}

/** Sets a default in a field where Kubernetes distinguishes absent from zero (a pointer in Go). */
export function fillAbsent(draft: Draft, field: string, value: unknown): void {
  draft[field] ??= value;
}

/** Sets a default in a field where zero and the empty string count as absent (a plain value in Go). */
export function fillZero(draft: Draft, field: string, value: unknown): void {
  if (draft[field] === '' || draft[field] === 0) draft[field] = value;
  draft[field] ??= value;
}

/** Drops plain values that Kubernetes does not write when they are zero or false. */
export function dropZero(draft: Draft, ...fields: readonly string[]): void {
  for (const field of fields)
    if (draft[field] === null || draft[field] === 0 || draft[field] === false) delete draft[field];
}

/** Rewrites the quantity in that field in canonical form: `1024Mi` becomes `1Gi`. Other values stay, for validation to report. */
export function canonicalizeQuantity(draft: Draft, field: string): void {
  const quantity = parseQuantity(draft[field]);
  if (quantity !== undefined) draft[field] = formatQuantity(quantity);
}

/** Rewrites a resource list (`limits`, `requests`, `hard`) in canonical form, rounded up to thousandths as in Kubernetes. */
export function canonicalizeResourceList(parent: Draft, field: string): void {
  const list = presentDraft(parent, field);
  if (list === undefined) return;
  for (const [name, value] of Object.entries(list)) {
    const quantity = parseQuantity(value);
    if (quantity !== undefined) list[name] = formatQuantity(roundUpToMilli(quantity));
  }
}
