import type { ControllerRevision, PersistentVolumeClaim, Pod, StatefulSet } from '../../objects/kinds.ts';
import { compileLabelSelector } from '../../objects/selectors/labelSelector.ts';
import { orphansFor, podsOf } from '../claim/candidatePods.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { listControllerRevisions } from '../history/claimRevisions.ts';
import type { ClaimsByName } from './planClaims.ts';
import { isMemberOf } from './podIdentity.ts';

export const STATEFUL_SETS = 'statefulsets.apps';

/** What a sync reads of a set. All reads are strong. */
export interface ObservedSet {
  /** Its pods and the orphans of its namespace, in every state. */
  readonly candidates: readonly Pod[];
  /** Its revisions and the orphans among those of its namespace. */
  readonly revisions: readonly ControllerRevision[];
  /** The claims of its namespace; none if its pods have none. */
  readonly claims: ClaimsByName;
}

export async function observeStatefulSet(registry: RegistryReader, set: StatefulSet): Promise<ObservedSet> {
  const { namespace = '' } = set.metadata;
  const hasClaims = (set.spec?.volumeClaimTemplates ?? []).length > 0;
  const [owned, orphans, revisions, claims] = await Promise.all([
    podsOf(registry, set),
    orphansFor(registry, namespace, set.spec?.selector),
    listControllerRevisions(registry, set),
    hasClaims ? registry.list<PersistentVolumeClaim>('persistentvolumeclaims', { namespace }) : { items: [] },
  ]);
  return {
    candidates: [...owned, ...orphans],
    revisions,
    claims: new Map(claims.items.map((claim) => [claim.metadata.name, claim])),
  };
}

/** Returns a test for whether the set may own a pod: by its labels and by its name. */
export function podMatcher(set: StatefulSet): (pod: { readonly metadata: Pod['metadata'] }) => boolean {
  const matches = compileLabelSelector(set.spec?.selector);
  return (pod) => matches(pod.metadata.labels) && isMemberOf(set, pod);
}
