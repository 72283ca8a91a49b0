import { formatQuantity, parseQuantity, roundUpToMilli } from '../../objects/quantity.ts';

/**
 * Filling in drafts of API objects that come from outside: whatever stands where an object or a list should is left alone, so that defaulting never
 * throws and validation can say what is wrong.
 */
export type Draft = Record<string, unknown>;

export function isDraft(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object in that field, put there if it is absent. A throw-away one if something else is there. */
export function childDraft(parent: Draft, field: string): Draft {
  parent[field] ??= {};
  const child = parent[field];
  return isDraft(child) ? child : {};
}

/** The object in that field, if there is one. */
export function presentDraft(parent: Draft, field: string): Draft | undefined {
  const child = parent[field];
  return isDraft(child) ? child : undefined;
}

/** The objects of the list in that field; a null among them becomes an empty object, as Go decodes it. */
export function itemDrafts(parent: Draft, field: string): Draft[] {
  const items: unknown = parent[field];
  if (!Array.isArray(items)) return [];
  for (const [index, item] of items.entries()) items[index] = item ?? {};
  return items.filter(isDraft);
}

/** For fields where Kubernetes tells absent from zero (pointers in Go). */
export function fillAbsent(draft: Draft, field: string, value: unknown): void {
  draft[field] ??= value;
}

/** For fields where zero and the empty string count as absent (plain values in Go). */
export function fillZero(draft: Draft, field: string, value: unknown): void {
  if (draft[field] === '' || draft[field] === 0) draft[field] = value;
  draft[field] ??= value;
}

/** For plain values that Kubernetes does not write when they are zero or false: saying so is saying nothing. */
export function dropZero(draft: Draft, ...fields: readonly string[]): void {
  for (const field of fields)
    if (draft[field] === null || draft[field] === 0 || draft[field] === false) delete draft[field];
}

/** Rewrites the quantity in that field in canonical form: `1024Mi` becomes `1Gi`. What is no quantity stays, for validation to name. */
export function canonicalizeQuantity(draft: Draft, field: string): void {
  const quantity = parseQuantity(draft[field]);
  if (quantity !== undefined) draft[field] = formatQuantity(quantity);
}

/** Rewrites a resource list (`limits`, `requests`, `hard`) in canonical form, rounded up to thousandths as Kubernetes keeps them. */
export function canonicalizeResourceList(parent: Draft, field: string): void {
  const list = presentDraft(parent, field);
  if (list === undefined) return;
  for (const [name, value] of Object.entries(list)) {
    const quantity = parseQuantity(value);
    if (quantity !== undefined) list[name] = formatQuantity(roundUpToMilli(quantity));
  }
}
