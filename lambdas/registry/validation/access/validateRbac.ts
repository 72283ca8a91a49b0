import type { ClusterRole, PolicyRule, RoleRef, Subject } from 'kubernetes-types/rbac/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { jsonEqual } from '../../../objects/json.ts';
import { isPathSegmentName } from '../../../objects/nameFormats.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import {
  all,
  type Check,
  dnsSubdomain,
  fields,
  format,
  given,
  ifPresent,
  items,
  nonEmptyList,
  nonEmptyText,
  oneInOrder,
  when,
  wrong,
} from '../checks.ts';
import { invalid } from '../fieldErrors.ts';
import { textsOf } from '../fieldsOf.ts';
import { validateLabelSelector } from '../validateLabels.ts';

const RBAC_GROUP = 'rbac.authorization.k8s.io';

function policyRule(namespaced: boolean): Check {
  return given<PolicyRule>(({ apiGroups, resources, resourceNames, nonResourceURLs }) => {
    const isOfPaths = textsOf(nonResourceURLs).length > 0;
    const isMixed = [apiGroups, resources, resourceNames].some((list) => textsOf(list).length > 0);
    const ofPaths = all(
      when(namespaced, wrong('namespaced rules cannot apply to non-resource URLs')),
      when(isMixed, wrong('rules cannot apply to both regular resources and non-resource URLs')),
    );
    return all(
      fields<PolicyRule>({ verbs: nonEmptyList('verbs must contain at least one value') }),
      isOfPaths ? fields<PolicyRule>({ nonResourceURLs: ofPaths }) : ofResources,
    );
  });
}

const ofResources = fields<PolicyRule>({
  apiGroups: nonEmptyList('resource rules must supply at least one api group'),
  resources: nonEmptyList('resource rules must supply at least one resource'),
});

const aggregationRule = ifPresent(
  fields<NonNullable<ClusterRole['aggregationRule']>>({
    clusterRoleSelectors: nonEmptyList(
      'at least one clusterRoleSelector required if aggregationRule is non-nil',
      items(validateLabelSelector),
    ),
  }),
);

/** Returns the errors of a role's rules. Only cluster roles may have rules on paths. Pure. */
export function validateRules(role: KubernetesObject, namespaced: boolean): FieldError[] {
  const rules = items(policyRule(namespaced));
  return fields({ rules, ...(!namespaced && { aggregationRule }) })(role, '');
}

function roleRef(kinds: readonly string[]): Check {
  return fields<RoleRef>({
    apiGroup: oneInOrder(RBAC_GROUP),
    kind: oneInOrder(...kinds),
    name: nonEmptyText('', format(isPathSegmentName)),
  });
}

function subject(namespaced: boolean): Check {
  return given<Subject>(({ kind }) => {
    if (kind === 'ServiceAccount')
      return fields<Subject>({
        name: nonEmptyText('', dnsSubdomain),
        apiGroup: oneInOrder(''),
        ...(!namespaced && { namespace: nonEmptyText() }),
      });
    if (kind === 'User' || kind === 'Group')
      return fields<Subject>({ name: nonEmptyText(), apiGroup: oneInOrder(RBAC_GROUP) });
    return fields<Subject>({ name: nonEmptyText(), kind: oneInOrder('ServiceAccount', 'User', 'Group') });
  });
}

/** Returns the errors of a role binding or, if not `namespaced`, of a cluster role binding. Pure. */
export function validateRoleBinding(binding: KubernetesObject, namespaced: boolean): FieldError[] {
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  return fields({ roleRef: roleRef(kinds), subjects: items(subject(namespaced)) })(binding, '');
}

/** Returns the errors of a changed binding. Its role cannot change: a user who may change subjects could otherwise grant another role. Pure. */
export function validateRoleBindingUpdate(
  binding: KubernetesObject,
  old: KubernetesObject,
  namespaced: boolean,
): FieldError[] {
  const moved = jsonEqual(binding['roleRef'], old['roleRef'])
    ? []
    : [invalid('roleRef', binding['roleRef'], 'cannot change roleRef')];
  return [...validateRoleBinding(binding, namespaced), ...moved];
}
