import type {
  NonResourceAttributes,
  ResourceAttributes,
  SubjectAccessReviewSpec,
} from 'kubernetes-types/authorization/v1.js';
import type { PolicyRule } from 'kubernetes-types/rbac/v1.js';
import { badRequest } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Authorizer } from './createRbacAuthorizer.ts';
import { EVERYTHING, type UserInfo } from './UserInfo.ts';
import type { AccessAttributes } from './AccessAttributes.ts';

/** The user who asks, and the authorizer to ask. Without an authorizer everyone may do everything, and the answers say so. */
export interface Requester {
  readonly authorizer: Authorizer | undefined;
  readonly user: UserInfo | undefined;
}

/** Computes the status of an access review. Throws ApiError BadRequest for rules without a namespace. */
export async function reviewAccess({ authorizer, user }: Requester, review: KubernetesObject): Promise<object> {
  const spec = (review['spec'] ?? {}) as Partial<SubjectAccessReviewSpec> & { namespace?: string };
  if (review.kind === 'SelfSubjectRulesReview') {
    const { namespace = '' } = spec;
    if (namespace === '') throw badRequest('no namespace on request');
    const rules = authorizer && user ? await authorizer.rulesFor(user, namespace) : EVERYTHING;
    return rulesStatus(rules, user && authorizer?.missingRules?.(user));
  }
  const subject = review.kind === 'SelfSubjectAccessReview' ? user : subjectOf(spec);
  const attributes = attributesOf(spec);
  const allowed = !authorizer || !subject || !attributes || (await authorizer.allows(subject, attributes));
  return { allowed };
}

function subjectOf({ user = '', groups = [], uid }: Partial<SubjectAccessReviewSpec>): UserInfo {
  return { username: user, groups, ...(uid !== undefined && { uid }) };
}

function attributesOf({
  resourceAttributes,
  nonResourceAttributes,
}: Partial<SubjectAccessReviewSpec>): AccessAttributes | undefined {
  if (nonResourceAttributes) return pathAttributes(nonResourceAttributes);
  return resourceAttributes && placeAttributes(resourceAttributes);
}

function pathAttributes({ verb = '', path = '' }: NonResourceAttributes): AccessAttributes {
  return { verb, path };
}

/** The selectors of a review, which name what a list is limited to: since 1.31. */
interface SelectorAttributes {
  readonly fieldSelector?: {
    readonly rawSelector?: string;
    readonly requirements?: readonly {
      readonly key?: string;
      readonly operator?: string;
      readonly values?: readonly string[];
    }[];
  };
}

function placeAttributes(asked: ResourceAttributes & SelectorAttributes): AccessAttributes {
  const { verb = '', group = '', resource = '', subresource = '', namespace = '', name = '' } = asked;
  const fieldSelector = selectorText(asked.fieldSelector);
  return { verb, group, resource, subresource, namespace, name, ...(fieldSelector !== '' && { fieldSelector }) };
}

/** Only what names one value can limit a list to it. Other requirements are left out, so the review is about a longer list. */
function selectorText({
  rawSelector = '',
  requirements = [],
}: NonNullable<SelectorAttributes['fieldSelector']> = {}): string {
  if (rawSelector !== '') return rawSelector;
  const named = requirements.filter(({ operator, values = [] }) => operator === 'In' && values.length === 1);
  return named.map(({ key = '', values = [] }) => `${key}=${values[0]}`).join(',');
}

function rulesStatus(rules: readonly PolicyRule[], evaluationError: string | undefined): object {
  const onPaths = rules.filter(({ nonResourceURLs }) => nonResourceURLs?.length);
  const onResources = rules.filter(({ resources }) => resources?.length);
  return {
    resourceRules: onResources.map(({ verbs, apiGroups, resources, resourceNames }) => ({
      verbs,
      apiGroups,
      resources,
      ...(resourceNames && { resourceNames }),
    })),
    nonResourceRules: onPaths.map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: evaluationError !== undefined,
    ...(evaluationError !== undefined && { evaluationError }),
  };
}
