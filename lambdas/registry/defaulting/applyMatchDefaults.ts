import { type Draft, fillAbsent, itemDrafts } from './drafts.ts';

/**
 * Fills in what policies, their bindings and webhooks have in common: they match equivalent resources, every namespace, every object, and in each rule every scope.
 * `ruleFields` are the lists of rules: `rules`, `resourceRules`.
 */
export function applyMatchDefaults(draft: Draft, ruleFields: readonly string[]): void {
  fillAbsent(draft, 'matchPolicy', 'Equivalent');
  fillAbsent(draft, 'namespaceSelector', {});
  fillAbsent(draft, 'objectSelector', {});
  for (const field of ruleFields) for (const rule of itemDrafts(draft, field)) fillAbsent(rule, 'scope', '*');
}
