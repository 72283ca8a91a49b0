import { isDns1123Label, isDns1123Subdomain } from '../../../objects/nameFormats.ts';
import {
  AuthorizerValue,
  DecisionValue,
  GroupCheckValue,
  PathCheckValue,
  type ResourceAccess,
  ResourceCheckValue,
} from '../evaluate/AuthorizationValue.ts';
import { CelError, type CelResult } from '../evaluate/CelValue.ts';
import { type Overload, overload } from './Overload.ts';

const AUTHORIZER = 'kubernetes.authorization.Authorizer';
const PATH_CHECK = 'kubernetes.authorization.PathCheck';
const GROUP_CHECK = 'kubernetes.authorization.GroupCheck';
const RESOURCE_CHECK = 'kubernetes.authorization.ResourceCheck';
const DECISION = 'kubernetes.authorization.Decision';

/**
 * Kubernetes' library of authorization checks. Selectors narrow a check down only for authorizers that look at them, which RBAC does not do. An answer has neither
 * a reason nor an error here: it is a yes or a no.
 */
export const AUTHORIZATION: readonly Overload[] = [
  overload('authorizer_path', 'path', `${AUTHORIZER}.(string) ${PATH_CHECK}`, pathCheck),
  overload(
    'authorizer_group',
    'group',
    `${AUTHORIZER}.(string) ${GROUP_CHECK}`,
    (authorizer: AuthorizerValue, group: string) => new GroupCheckValue(authorizer, group),
  ),
  overload(
    'authorizer_serviceaccount',
    'serviceAccount',
    `${AUTHORIZER}.(string, string) ${AUTHORIZER}`,
    asServiceAccount,
  ),
  overload('groupcheck_resource', 'resource', `${GROUP_CHECK}.(string) ${RESOURCE_CHECK}`, resourceCheck),
  narrowing('resourcecheck_subresource', 'subresource', (subresource) => ({ subresource })),
  narrowing('resourcecheck_namespace', 'namespace', (namespace) => ({ namespace })),
  narrowing('resourcecheck_name', 'name', (name) => ({ name })),
  narrowing('authorizer_fieldselector', 'fieldSelector', () => ({})),
  narrowing('authorizer_labelselector', 'labelSelector', () => ({})),
  overload(
    'pathcheck_check',
    'check',
    `${PATH_CHECK}.(string) ${DECISION}`,
    ({ authorizer, path }: PathCheckValue, verb: string) =>
      new DecisionValue(authorizer.ask({ user: authorizer.user, access: { verb, path } })),
  ),
  overload(
    'resourcecheck_check',
    'check',
    `${RESOURCE_CHECK}.(string) ${DECISION}`,
    ({ authorizer, resource }: ResourceCheckValue, verb: string) =>
      new DecisionValue(authorizer.ask({ user: authorizer.user, access: { verb, ...resource } })),
  ),
  overload('decision_allowed', 'allowed', `${DECISION}.() bool`, ({ isAllowed }: DecisionValue) => isAllowed),
  overload('decision_reason', 'reason', `${DECISION}.() string`, () => ''),
  overload('decision_errored', 'errored', `${DECISION}.() bool`, () => false),
  overload('decision_error', 'error', `${DECISION}.() string`, () => ''),
];

function pathCheck(authorizer: AuthorizerValue, path: string): CelResult {
  return path.trim() === '' ? new CelError('path must not be empty') : new PathCheckValue(authorizer, path);
}

function resourceCheck({ authorizer, group }: GroupCheckValue, resource: string): CelResult {
  if (resource.trim() === '') return new CelError('resource must not be empty');
  return new ResourceCheckValue(authorizer, { group, resource, subresource: '', namespace: '', name: '' });
}

function asServiceAccount({ ask }: AuthorizerValue, namespace: string, name: string): CelResult {
  if (isDns1123Subdomain(name).length > 0) return new CelError('Invalid service account name');
  if (isDns1123Label(namespace).length > 0) return new CelError('Invalid service account namespace');
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return new AuthorizerValue({ username: `system:serviceaccount:${namespace}:${name}`, groups }, ask);
}

function narrowing(id: string, name: string, membersOf: (text: string) => Partial<ResourceAccess>): Overload {
  return overload(
    id,
    name,
    `${RESOURCE_CHECK}.(string) ${RESOURCE_CHECK}`,
    ({ authorizer, resource }: ResourceCheckValue, text: string) =>
      new ResourceCheckValue(authorizer, { ...resource, ...membersOf(text) }),
  );
}
