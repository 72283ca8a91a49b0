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

describe('what a rule allows', () => {
  it.each<[string, PolicyRule, AccessAttributes, boolean]>([
    ['its verb on its resource', rule(['get'], [''], ['pods']), ask('get', '', 'pods'), true],
    ['not another verb', rule(['get'], [''], ['pods']), ask('list', '', 'pods'), false],
    ['not another group', rule(['get'], [''], ['deployments']), ask('get', 'apps', 'deployments'), false],
    [
      'not a subresource',
      rule(['update'], ['apps'], ['deployments']),
      ask('update', 'apps', 'deployments', 'web', 'scale'),
      false,
    ],
    [
      'a subresource that it names',
      rule(['update'], ['apps'], ['deployments/scale']),
      ask('update', 'apps', 'deployments', 'web', 'scale'),
      true,
    ],
    [
      'a subresource of everything',
      rule(['update'], ['apps'], ['*/scale']),
      ask('update', 'apps', 'deployments', 'web', 'scale'),
      true,
    ],
    [
      'everything, subresources too, by a star',
      rule(['*'], ['*'], ['*']),
      ask('update', 'apps', 'deployments', 'web', 'scale'),
      true,
    ],
    ['a name that it names', rule(['get'], [''], ['pods'], ['web']), ask('get', '', 'pods', 'web'), true],
    ['not another name', rule(['get'], [''], ['pods'], ['web']), ask('get', '', 'pods', 'api'), false],
    ['no list, if it has names', rule(['list'], [''], ['pods'], ['web']), ask('list', '', 'pods'), false],
    ['a path', { verbs: ['get'], nonResourceURLs: ['/version'] }, { verb: 'get', path: '/version' }, true],
    [
      'what is below a path',
      { verbs: ['get'], nonResourceURLs: ['/openapi/*'] },
      { verb: 'get', path: '/openapi/v3' },
      true,
    ],
    [
      'not a path beside it',
      { verbs: ['get'], nonResourceURLs: ['/openapi/*'] },
      { verb: 'get', path: '/metrics' },
      false,
    ],
    ['no path by a rule on resources', rule(['*'], ['*'], ['*']), { verb: 'get', path: '/metrics' }, false],
  ])('%s', (_, given, attributes, allowed) => expect(rulesAllow([given], attributes)).toBe(allowed));
});

describe('whom a subject means', () => {
  const ann = { username: 'ann', groups: ['team', 'system:authenticated'] };
  const robot = { username: 'system:serviceaccount:ci:robot', groups: ['system:serviceaccounts'] };
  it.each([
    ['the user of that name', { kind: 'User', name: 'ann' }, ann, true],
    ['no other user', { kind: 'User', name: 'bob' }, ann, false],
    ['members of the group', { kind: 'Group', name: 'team' }, ann, true],
    ['no group of the user’s name', { kind: 'Group', name: 'ann' }, ann, false],
    ['a service account by namespace', { kind: 'ServiceAccount', name: 'robot', namespace: 'ci' }, robot, true],
    ['a service account of the binding’s namespace', { kind: 'ServiceAccount', name: 'robot' }, robot, true],
    ['no service account elsewhere', { kind: 'ServiceAccount', name: 'robot', namespace: 'prod' }, robot, false],
  ])('%s', (_, subject, user, matches) => expect(subjectMatches(subject, user, 'ci')).toBe(matches));
});

describe('granting no more than one has', () => {
  it.each<[string, PolicyRule[], PolicyRule[], number]>([
    ['the same rule', [rule(['get'], [''], ['pods'])], [rule(['get'], [''], ['pods'])], 0],
    ['a part of a rule', [rule(['get', 'list'], [''], ['pods', 'secrets'])], [rule(['list'], [''], ['pods'])], 0],
    [
      'two rules together',
      [rule(['get'], [''], ['pods']), rule(['list'], [''], ['pods'])],
      [rule(['get', 'list'], [''], ['pods'])],
      0,
    ],
    ['one name of all', [rule(['get'], [''], ['pods'])], [rule(['get'], [''], ['pods'], ['web'])], 0],
    ['a verb too many', [rule(['get'], [''], ['pods'])], [rule(['get', 'delete'], [''], ['pods'])], 1],
    ['all names for one', [rule(['get'], [''], ['pods'], ['web'])], [rule(['get'], [''], ['pods'])], 1],
    ['a star for a verb', [rule(['get', 'list'], [''], ['pods'])], [rule(['*'], [''], ['pods'])], 1],
    [
      'a path',
      [{ verbs: ['get'], nonResourceURLs: ['/healthz/*'] }],
      [{ verbs: ['get'], nonResourceURLs: ['/healthz/etcd'] }],
      0,
    ],
    [
      'another path',
      [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
      [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }],
      1,
    ],
  ])('%s', (_, held, wanted, missing) => expect(uncoveredRules(held, wanted)).toHaveLength(missing));
});

describe('the wording of a 403', () => {
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
  ])('%j', (attributes, message) => expect(forbiddenError(ann, attributes).message).toBe(message));
});
