import type { SelfSubjectAccessReview } from 'kubernetes-types/authorization/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { ResourceEntry } from '../ResourceEntry.ts';
import { defaultTable } from '../tables/defaultTable.ts';
import { invalid } from '../validation/fieldErrors.ts';

function validateReview(object: KubernetesObject): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } =
    (object as unknown as Partial<SelfSubjectAccessReview>).spec ?? {};
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined)
    return [
      invalid(
        'spec.nonResourceAttributes',
        nonResourceAttributes,
        'cannot be specified in combination with resourceAttributes',
      ),
    ];
  if (resourceAttributes !== undefined || nonResourceAttributes !== undefined) return [];
  return [
    invalid(
      'spec.resourceAttributes',
      nonResourceAttributes,
      'exactly one of nonResourceAttributes or resourceAttributes must be specified',
    ),
  ];
}

/** May the one who asks do this? Whoever reaches an API without authorization may do everything. */
export const selfSubjectAccessReviews: ResourceEntry = {
  groupResource: 'selfsubjectaccessreviews.authorization.k8s.io',
  group: 'authorization.k8s.io',
  plural: 'selfsubjectaccessreviews',
  singular: 'selfsubjectaccessreview',
  kind: 'SelfSubjectAccessReview',
  namespaced: false,
  verbs: ['create'],
  storageVersion: 'v1',
  versions: [{ version: 'v1' }],
  strategy: {
    prepareForCreate(draft) {
      draft['status'] = { allowed: true };
    },
    validate: validateReview,
  },
  virtual: true,
  table: defaultTable,
};
