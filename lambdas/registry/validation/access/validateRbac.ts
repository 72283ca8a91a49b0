import type { ClusterRole, ClusterRoleBinding, PolicyRule, RoleRef, Subject } from 'kubernetes-types/rbac/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { jsonEqual } from '../../../objects/json.ts';
import { isDns1123Subdomain, isPathSegmentName } from '../../../objects/nameFormats.ts';
import type { KubernetesObject, Stored } from '../../../objects/KubernetesObject.ts';
import { invalid, invalidEach, notSupported, required } from '../fieldErrors.ts';
import { validateLabelSelector } from '../validateLabels.ts';

const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** Returns the errors of a role's rules. Only cluster roles may have rules on paths. Pure. */
export function validateRules(role: KubernetesObject, namespaced: boolean): FieldError[] {
  const rules = (role['rules'] ?? []) as PolicyRule[];
  return [
    ...rules.flatMap((rule, index) => ruleErrors(rule, `rules[${index}]`, namespaced)),
    ...(namespaced ? [] : aggregationErrors((role as Partial<Stored<ClusterRole>>).aggregationRule)),
  ];
}

function aggregationErrors(aggregation: ClusterRole['aggregationRule']): FieldError[] {
  if (aggregation === undefined) return [];
  const selectors = aggregation.clusterRoleSelectors ?? [];
  const path = 'aggregationRule.clusterRoleSelectors';
  if (selectors.length === 0)
    return [required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  return selectors.flatMap((selector, index) => validateLabelSelector(selector, `${path}[${index}]`));
}

function ruleErrors(rule: Partial<PolicyRule>, path: string, namespaced: boolean): FieldError[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const noVerbs = verbs.length === 0 ? [required(`${path}.verbs`, 'verbs must contain at least one value')] : [];
  if (nonResourceURLs.length > 0) {
    const field = `${path}.nonResourceURLs`;
    const mixed = apiGroups.length + resources.length + resourceNames.length > 0;
    return [
      ...noVerbs,
      ...(namespaced ? [invalid(field, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs')] : []),
      ...(mixed
        ? [invalid(field, nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs')]
        : []),
    ];
  }
  return [
    ...noVerbs,
    ...(apiGroups.length === 0
      ? [required(`${path}.apiGroups`, 'resource rules must supply at least one api group')]
      : []),
    ...(resources.length === 0
      ? [required(`${path}.resources`, 'resource rules must supply at least one resource')]
      : []),
  ];
}

/** Returns the errors of a role binding or, if not `namespaced`, of a cluster role binding. Pure. */
export function validateRoleBinding(binding: KubernetesObject, namespaced: boolean): FieldError[] {
  const { roleRef, subjects = [] } = binding as Partial<Stored<ClusterRoleBinding>>;
  return [
    ...roleRefErrors(roleRef ?? {}, namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']),
    ...subjects.flatMap((subject, index) => subjectErrors(subject, `subjects[${index}]`, namespaced)),
  ];
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

function roleRefErrors(
  { apiGroup = '', kind = '', name = '' }: Partial<RoleRef>,
  kinds: readonly string[],
): FieldError[] {
  return [
    ...(apiGroup === RBAC_GROUP ? [] : [notSupported('roleRef.apiGroup', apiGroup, [RBAC_GROUP])]),
    ...(kinds.includes(kind) ? [] : [notSupported('roleRef.kind', kind, kinds)]),
    ...(name === '' ? [required('roleRef.name')] : invalidEach('roleRef.name', name, isPathSegmentName(name))),
  ];
}

function subjectErrors(
  { kind = '', name = '', namespace = '', apiGroup = '' }: Partial<Subject>,
  path: string,
  namespaced: boolean,
): FieldError[] {
  const noName = name === '' ? [required(`${path}.name`)] : [];
  const wrongGroup = (group: string) =>
    apiGroup === group ? [] : [notSupported(`${path}.apiGroup`, apiGroup, [group])];
  switch (kind) {
    case 'ServiceAccount':
      return [
        ...(name === '' ? noName : invalidEach(`${path}.name`, name, isDns1123Subdomain(name))),
        ...wrongGroup(''),
        ...(!namespaced && namespace === '' ? [required(`${path}.namespace`)] : []),
      ];
    case 'User':
    case 'Group':
      return [...noName, ...wrongGroup(RBAC_GROUP)];
    default:
      return [...noName, notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
  }
}
