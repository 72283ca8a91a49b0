import type { PolicyRule } from 'kubernetes-types/rbac/v1.js';
import { describe, expect, it } from 'vitest';
import { uncoveredRules } from '../../../lambdas/rest/rbac/uncoveredRules.ts';
import { rulesAllow, subjectMatches } from '../../../lambdas/rest/rbac/evaluateRules.ts';
import { forbiddenError, type AccessAttributes } from '../../../lambdas/rest/rbac/AccessAttributes.ts';

const rule = (verbs: string[], apiGroups: string[], resources: string[], resourceNames?: string[]): PolicyRule => ({
  verbs,
  apiGroups,
  resources,
  ...(resourceNames && { resourceNames }),
});
const ask = (verb: string, group: string, resource: string, name = '', subresource = ''): AccessAttributes => ({
  verb,
  group,
  resource,
  name,
  subresource,
  namespace: 'default',
});

describe('rulesAllow', () => {
  it.each<[string, PolicyRule, AccessAttributes, boolean]>([
    ['allows its verb on its resource', rule(['get'], [''], ['pods']), ask('get', '', 'pods'), true],
    ['does not allow another verb', rule(['get'], [''], ['pods']), ask('list', '', 'pods'), false],
    ['does not allow another group', rule(['get'], [''], ['deployments']), ask('get', 'apps', 'deployments'), false],
    [
      'does not allow a subresource that it does not name',
      rule(['update'], ['apps'], ['deployments']),
      ask('update', 'apps', 'deployments', 'web', 'scale'),
      false,
    ],
    [
      'allows a subresource that it names',
      rule(['update'], ['apps'], ['deployments/scale']),
      ask('update', 'apps', 'deployments', 'web', 'scale'),
      true,
    ],
    [
      'allows a subresource of any resource by a star before the slash',
      rule(['update'], ['apps'], ['*/scale']),
      ask('update', 'apps', 'deployments', 'web', 'scale'),
      true,
    ],
    [
      'allows everything, even subresources, by a star',
      rule(['*'], ['*'], ['*']),
      ask('update', 'apps', 'deployments', 'web', 'scale'),
      true,
    ],
    ['allows an object that it names', rule(['get'], [''], ['pods'], ['web']), ask('get', '', 'pods', 'web'), true],
    [
      'does not allow another object if it has names',
      rule(['get'], [''], ['pods'], ['web']),
      ask('get', '', 'pods', 'api'),
      false,
    ],
    ['does not allow a list if it has names', rule(['list'], [''], ['pods'], ['web']), ask('list', '', 'pods'), false],
    ['allows a path', { verbs: ['get'], nonResourceURLs: ['/version'] }, { verb: 'get', path: '/version' }, true],
    [
      'allows a path below another one by a star',
      { verbs: ['get'], nonResourceURLs: ['/openapi/*'] },
      { verb: 'get', path: '/openapi/v3' },
      true,
    ],
    [
      'does not allow a path outside of it',
      { verbs: ['get'], nonResourceURLs: ['/openapi/*'] },
      { verb: 'get', path: '/metrics' },
      false,
    ],
    [
      'does not allow a path by a rule for resources',
      rule(['*'], ['*'], ['*']),
      { verb: 'get', path: '/metrics' },
      false,
    ],
  ])('%s', (_, given, attributes, allowed) => expect(rulesAllow([given], attributes)).toBe(allowed));
});

describe('subjectMatches', () => {
  const ann = { username: 'ann', groups: ['team', 'system:authenticated'] };
  const robot = { username: 'system:serviceaccount:ci:robot', groups: ['system:serviceaccounts'] };
  it.each([
    ['matches the user with that name', { kind: 'User', name: 'ann' }, ann, true],
    ['does not match another user', { kind: 'User', name: 'bob' }, ann, false],
    ['does not match every user by a star, which is a name like any other', { kind: 'User', name: '*' }, ann, false],
    ['matches the user whose name is a star', { kind: 'User', name: '*' }, { username: '*', groups: [] }, true],
    ['matches members of the group', { kind: 'Group', name: 'team' }, ann, true],
    ['does not match a group with the user’s name', { kind: 'Group', name: 'ann' }, ann, false],
    [
      'matches a service account by name and namespace',
      { kind: 'ServiceAccount', name: 'robot', namespace: 'ci' },
      robot,
      true,
    ],
    [
      'matches a service account in the binding’s namespace if the subject names none',
      { kind: 'ServiceAccount', name: 'robot' },
      robot,
      true,
    ],
    [
      'does not match a service account in another namespace',
      { kind: 'ServiceAccount', name: 'robot', namespace: 'prod' },
      robot,
      false,
    ],
  ])('%s', (_, subject, user, matches) => expect(subjectMatches(subject, user, 'ci')).toBe(matches));
});

describe('uncoveredRules', () => {
  it.each<[string, PolicyRule[], PolicyRule[], number]>([
    ['the same rule is covered', [rule(['get'], [''], ['pods'])], [rule(['get'], [''], ['pods'])], 0],
    [
      'a part of a rule is covered',
      [rule(['get', 'list'], [''], ['pods', 'secrets'])],
      [rule(['list'], [''], ['pods'])],
      0,
    ],
    [
      'a rule is covered by two rules together',
      [rule(['get'], [''], ['pods']), rule(['list'], [''], ['pods'])],
      [rule(['get', 'list'], [''], ['pods'])],
      0,
    ],
    [
      'one name is covered by a rule for all names',
      [rule(['get'], [''], ['pods'])],
      [rule(['get'], [''], ['pods'], ['web'])],
      0,
    ],
    [
      'an additional verb is not covered',
      [rule(['get'], [''], ['pods'])],
      [rule(['get', 'delete'], [''], ['pods'])],
      1,
    ],
    [
      'all names are not covered by a rule for one name',
      [rule(['get'], [''], ['pods'], ['web'])],
      [rule(['get'], [''], ['pods'])],
      1,
    ],
    ['a star is not covered by some verbs', [rule(['get', 'list'], [''], ['pods'])], [rule(['*'], [''], ['pods'])], 1],
    [
      'a path is covered by a star',
      [{ verbs: ['get'], nonResourceURLs: ['/healthz/*'] }],
      [{ verbs: ['get'], nonResourceURLs: ['/healthz/etcd'] }],
      0,
    ],
    [
      'another path is not covered',
      [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
      [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }],
      1,
    ],
  ])('%s', (_, held, wanted, missing) => expect(uncoveredRules(held, wanted)).toHaveLength(missing));
});

describe('forbiddenError', () => {
  const ann = { username: 'ann', groups: [] };
  it.each<[AccessAttributes, string]>([
    [
      ask('get', 'apps', 'deployments', 'web'),
      'deployments.apps "web" is forbidden: User "ann" cannot get resource "deployments" in API group "apps" in the namespace "default"',
    ],
    [
      { ...(ask('list', '', 'pods') as object), namespace: '' } as AccessAttributes,
      'pods is forbidden: User "ann" cannot list resource "pods" in API group "" at the cluster scope',
    ],
    [
      ask('update', 'apps', 'deployments', 'web', 'scale'),
      'deployments.apps "web" is forbidden: User "ann" cannot update resource "deployments/scale" in API group "apps" in the namespace "default"',
    ],
    [{ verb: 'get', path: '/metrics' }, 'forbidden: User "ann" cannot get path "/metrics"'],
  ])('is worded as in Kubernetes for %j', (attributes, message) =>
    expect(forbiddenError(ann, attributes).message).toBe(message),
  );
});
