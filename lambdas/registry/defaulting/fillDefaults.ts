import { childDraft, type Draft, fillAbsent, fillZero, isDraft, itemDrafts } from './drafts.ts';

/** Defaults by path: `spec.updateStrategy.type`, `spec.ports[].protocol` for each item. */
export type Defaults = Readonly<Record<string, string | number | boolean>>;

/**
 * Fills in the defaults. Missing objects on the way are created, as Go's structs always exist; missing lists and items are not. A text counts as absent if it is empty. Numbers and booleans have
 * a default only where Kubernetes distinguishes zero from absent.
 */
export function fillDefaults(draft: Draft, defaults: Defaults): void {
  for (const [path, value] of Object.entries(defaults)) fillAt(draft, path.split('.'), value);
}

function fillAt(draft: Draft, [first = '', ...rest]: readonly string[], value: string | number | boolean): void {
  if (rest.length === 0) fillField(draft, first, value);
  else if (first.endsWith('[]')) for (const item of itemDrafts(draft, first.slice(0, -2))) fillAt(item, rest, value);
  else if (first.endsWith('?')) fillPresent(draft[first.slice(0, -1)], rest, value);
  else fillAt(childDraft(draft, first), rest, value);
}

/** A path through a pointer, `spec.rollingUpdate?.partition`: nothing is filled in below an absent object. */
function fillPresent(child: unknown, rest: readonly string[], value: string | number | boolean): void {
  if (isDraft(child)) fillAt(child, rest, value);
}

function fillField(draft: Draft, field: string, value: string | number | boolean): void {
  if (typeof value === 'string') fillZero(draft, field, value);
  else fillAbsent(draft, field, value);
}
