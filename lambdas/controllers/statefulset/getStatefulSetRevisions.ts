import type { ControllerRevision, StatefulSet } from '../../objects/kinds.ts';
import { newControllerRevision, type NewRevision } from '../history/newControllerRevision.ts';
import { findEqualRevisions, nextRevision } from '../history/sortControllerRevisions.ts';

/** How the revision of the set's template is stored. */
export type RevisionStep =
  /** The newest one keeps it. */
  | { readonly step: 'keep'; readonly revision: ControllerRevision }
  /** An older one keeps it, so the set has been rolled back: that one gets the highest number. */
  | { readonly step: 'renumber'; readonly revision: ControllerRevision; readonly number: number }
  | { readonly step: 'create'; readonly draft: NewRevision };

/** Decides which revision the set's pods are to get: `getStatefulSetRevisions`. `sorted`: the set's revisions in the order of `sortControllerRevisions`. Pure. */
export function getStatefulSetRevisions(set: StatefulSet, sorted: readonly ControllerRevision[]): RevisionStep {
  const number = nextRevision(sorted);
  const collisionCount = set.status?.collisionCount ?? 0;
  const draft = newControllerRevision(set, set.spec?.template ?? {}, { revision: number, collisionCount });
  const equal = findEqualRevisions(sorted, draft).at(-1);
  if (!equal) return { step: 'create', draft };
  return equal === sorted.at(-1) ? { step: 'keep', revision: equal } : { step: 'renumber', revision: equal, number };
}
