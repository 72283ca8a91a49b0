import type { SubjectAccessReviewSpec } from 'kubernetes-types/authorization/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { ResourceEntry } from '../ResourceEntry.ts';
import { defaultTable } from '../tables/columns.ts';
import { invalid } from '../validation/fieldErrors.ts';

type Spec = Partial<SubjectAccessReviewSpec>;

function validateAttributes({ resourceAttributes, nonResourceAttributes }: Spec): FieldError[] {
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    return [invalid('spec.nonResourceAttributes', nonResourceAttributes, detail)];
  }
  if (resourceAttributes !== undefined || nonResourceAttributes !== undefined) return [];
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalid('spec.resourceAttributes', nonResourceAttributes, detail)];
}

function validateSubject({ user, groups }: Spec): FieldError[] {
  if (user || groups?.length) return [];
  return [invalid('spec.user', user ?? '', 'at least one of user or group must be specified')];
}

/** A review is a question and no object, so it has no metadata of the client's; a local one has its namespace. */
function validateMetadata({ metadata }: KubernetesObject, namespaced: boolean): FieldError[] {
  const { name, generateName, namespace, labels, annotations, ownerReferences, finalizers } = metadata;
  const given = { ...(name !== '' && { name }), generateName, labels, annotations, ownerReferences, finalizers };
  const isEmpty = Object.values(given).every((value) => value === undefined);
  if (isEmpty && (namespaced || namespace === undefined)) return [];
  const detail = namespaced ? 'must be empty except for namespace' : 'must be empty';
  return [invalid('metadata', { ...given, namespace }, detail)];
}

/** A local review is about its own namespace and nothing else. */
function validateLocal(object: KubernetesObject): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = specOf(object);
  const other = resourceAttributes && resourceAttributes.namespace !== object.metadata.namespace;
  return [
    ...(other
      ? [invalid('spec.resourceAttributes.namespace', resourceAttributes.namespace, 'must match metadata.namespace')]
      : []),
    ...(nonResourceAttributes
      ? [invalid('spec.nonResourceAttributes', nonResourceAttributes, 'disallowed on this kind of request')]
      : []),
  ];
}

function specOf(object: KubernetesObject): Spec {
  return object['spec'] ?? {};
}

/** Access reviews are answered and not stored. rest/ computes the answer, since it knows the user who asks. */
function review(
  kind: string,
  namespaced: boolean,
  validate: (object: KubernetesObject) => FieldError[],
): ResourceEntry {
  const singular = kind.toLowerCase();
  return {
    groupResource: `${singular}s.authorization.k8s.io`,
    group: 'authorization.k8s.io',
    plural: `${singular}s`,
    singular,
    kind,
    namespaced,
    verbs: ['create'],
    storageVersion: 'v1',
    versions: [{ version: 'v1' }],
    strategy: { validate },
    virtual: true,
    table: defaultTable,
  };
}

export const accessReviews: readonly ResourceEntry[] = [
  review('SelfSubjectAccessReview', false, (object) => [
    ...validateAttributes(specOf(object)),
    ...validateMetadata(object, false),
  ]),
  review('SelfSubjectRulesReview', false, () => []),
  review('SubjectAccessReview', false, (object) => [
    ...validateAttributes(specOf(object)),
    ...validateSubject(specOf(object)),
    ...validateMetadata(object, false),
  ]),
  review('LocalSubjectAccessReview', true, (object) => [
    ...validateAttributes(specOf(object)),
    ...validateSubject(specOf(object)),
    ...validateMetadata(object, true),
    ...validateLocal(object),
  ]),
];
