import { formatQuantity, parseQuantity, roundUpToMilli } from '../../objects/quantity.ts';
import { type Draft, presentDraft } from './drafts.ts';

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
