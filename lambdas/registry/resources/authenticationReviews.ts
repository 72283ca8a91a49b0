import type { ResourceEntry } from '../ResourceEntry.ts';
import { defaultTable } from '../tables/columns.ts';

/** Reviews of who somebody is are answered and not stored. rest/ computes the answer. */
function review(kind: string): ResourceEntry {
  const singular = kind.toLowerCase();
  return {
    groupResource: `${singular}s.authentication.k8s.io`,
    group: 'authentication.k8s.io',
    plural: `${singular}s`,
    singular,
    kind,
    namespaced: false,
    verbs: ['create'],
    storageVersion: 'v1',
    versions: [{ version: 'v1' }],
    strategy: {},
    virtual: true,
    table: defaultTable,
  };
}

export const authenticationReviews: readonly ResourceEntry[] = [review('SelfSubjectReview'), review('TokenReview')];
