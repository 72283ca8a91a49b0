import type { NodeAffinity, NodeSelector, NodeSelectorTerm } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { jsonEqual } from '../../../objects/json.ts';
import { invalid } from '../fieldErrors.ts';
import { fieldsOf, isPresent, itemsOf } from '../fieldsOf.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/** Validates a change of a gated pod's required node affinity: it can only become narrower, by adding requirements to its terms. */
export function validateNodeAffinityChange(affinity: unknown, oldAffinity: unknown, path: string): FieldError[] {
  const must = fieldsOf<NodeAffinity>(affinity)[REQUIRED];
  const oldMust = fieldsOf<NodeAffinity>(oldAffinity)[REQUIRED];
  if (!isPresent(oldMust)) return [];
  const termsPath = `${path}.${REQUIRED}.nodeSelectorTerms`;
  const terms = itemsOf<NodeSelectorTerm>(fieldsOf<NodeSelector>(must).nodeSelectorTerms);
  const oldTerms = itemsOf<NodeSelectorTerm>(fieldsOf<NodeSelector>(oldMust).nodeSelectorTerms);
  if (oldTerms.length > 0 && terms.length !== oldTerms.length) {
    return [invalid(termsPath, terms, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')];
  }
  return oldTerms.flatMap((oldTerm, index) =>
    isAddition(terms[index], oldTerm)
      ? []
      : [invalid(`${termsPath}[${index}]`, terms[index], 'only additions are allowed (no mutations or deletions)')],
  );
}

function isAddition(term: unknown, oldTerm: unknown): boolean {
  const [now, before] = [fieldsOf<NodeSelectorTerm>(term), fieldsOf<NodeSelectorTerm>(oldTerm)];
  const isEmpty = itemsOf(before.matchExpressions).length + itemsOf(before.matchFields).length === 0;
  // An empty term selects no node. Requirements would make it select some, which is wider.
  if (isEmpty) return itemsOf(now.matchExpressions).length + itemsOf(now.matchFields).length === 0;
  return (['matchExpressions', 'matchFields'] as const).every((list) =>
    itemsOf(before[list]).every((requirement, index) => jsonEqual(requirement, itemsOf(now[list])[index])),
  );
}
