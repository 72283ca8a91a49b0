import type { FlowSchemaSpec, Subject } from 'kubernetes-types/flowcontrol/v1.js';
import { describe, expect, test } from 'vitest';
import { matchesFlowSchema } from '../../../lambdas/rest/flowcontrol/matchFlowSchema.ts';
import type { UserInfo } from '../../../lambdas/rest/rbac/UserInfo.ts';
import { resolveRequestInfo } from '../../../lambdas/rest/request/RequestInfo.ts';

const ANN: UserInfo = { username: 'ann', groups: ['team', 'system:authenticated'] };
const ROBOT: UserInfo = { username: 'system:serviceaccount:ci:robot', groups: ['system:serviceaccounts'] };
const ANYBODY: Subject = { kind: 'Group', group: { name: '*' } };
const RULE = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true };

const matches = (rules: FlowSchemaSpec['rules'], method: string, path: string, user: UserInfo = ANN) =>
  matchesFlowSchema(
    { priorityLevelConfiguration: { name: 'any' }, ...(rules && { rules }) },
    resolveRequestInfo(method, new URL(`http://localhost${path}`)),
    user,
  );

const PODS = '/api/v1/namespaces/dev/pods';

// The rows follow match_test.go and rule.go of apiserver's package flowcontrol.
describe('a subject', () => {
  test.each<[string, Subject, UserInfo, boolean]>([
    ['of a user', { kind: 'User', user: { name: 'ann' } }, ANN, true],
    ['of another user', { kind: 'User', user: { name: 'bob' } }, ANN, false],
    ['of every user', { kind: 'User', user: { name: '*' } }, ANN, true],
    ['of a group', { kind: 'Group', group: { name: 'team' } }, ANN, true],
    ['of another group', { kind: 'Group', group: { name: 'tea' } }, ANN, false],
    ['of every group', ANYBODY, { username: 'ann', groups: [] }, true],
    ['of a service account', account('ci', 'robot'), ROBOT, true],
    ['of another service account', account('ci', 'rob'), ROBOT, false],
    ['of all service accounts of a namespace', account('ci', '*'), ROBOT, true],
    ['of all service accounts of a namespace with a longer name', account('c', '*'), ROBOT, false],
    ['of a service account, for a user', account('ci', '*'), ANN, false],
    ['without what describes it', { kind: 'User' }, ANN, false],
    ['of an unknown kind', { kind: 'Robot', user: { name: 'ann' } }, ANN, false],
  ])('%s', (_, subject, user, expected) => {
    expect(matches([{ subjects: [subject], resourceRules: [RULE] }], 'GET', PODS, user)).toBe(expected);
  });
});

describe('a rule about resources', () => {
  test.each<[string, Partial<typeof RULE>, string, string, boolean]>([
    ['about everything', {}, 'GET', PODS, true],
    ['about the verb', { verbs: ['list'] }, 'GET', PODS, true],
    ['about other verbs', { verbs: ['get', 'watch'] }, 'GET', PODS, false],
    ['about the group', { apiGroups: ['apps'] }, 'GET', '/apis/apps/v1/deployments', true],
    ['about another group', { apiGroups: ['apps'] }, 'GET', PODS, false],
    ['about the core group', { apiGroups: [''] }, 'GET', PODS, true],
    ['about the resource', { resources: ['secrets', 'pods'] }, 'GET', PODS, true],
    ['about the resource, of a subresource', { resources: ['pods'] }, 'PUT', `${PODS}/a/status`, false],
    ['about the subresource', { resources: ['pods/status'] }, 'PUT', `${PODS}/a/status`, true],
    ['about all resources, of a subresource', {}, 'PUT', `${PODS}/a/status`, true],
    ['about a star for all subresources, which is none', { resources: ['pods/*'] }, 'PUT', `${PODS}/a/status`, false],
    ['about the namespace', { namespaces: ['dev'], clusterScope: false }, 'GET', PODS, true],
    ['about another namespace', { namespaces: ['prod'] }, 'GET', PODS, false],
    ['about all namespaces, of a list over all', { clusterScope: false }, 'GET', '/api/v1/pods', false],
    ['about the cluster, of a list over all namespaces', { namespaces: [] }, 'GET', '/api/v1/pods', true],
    ['about the cluster, of a list in a namespace', { namespaces: [] }, 'GET', PODS, false],
    ['about a namespace, of that object', { namespaces: ['dev'] }, 'GET', '/api/v1/namespaces/dev', true],
    ['about a star beside others, which is a name', { verbs: ['get', '*'] }, 'GET', PODS, false],
    ['about resources, of a path', {}, 'GET', '/version', false],
  ])('%s', (_, rule, method, path, expected) => {
    expect(matches([{ subjects: [ANYBODY], resourceRules: [{ ...RULE, ...rule }] }], method, path)).toBe(expected);
  });
});

describe('a rule about paths', () => {
  test.each<[string, string[], string[], string, boolean]>([
    ['about all', ['*'], ['*'], '/version', true],
    ['about the path', ['get'], ['/healthz'], '/healthz', true],
    ['about the path above', ['get'], ['/healthz'], '/healthz/etcd', true],
    ['about a path that begins alike', ['get'], ['/health'], '/healthz', false],
    ['about all below', ['get'], ['/apis/*'], '/apis/apps', true],
    ['about all below, of the path itself', ['get'], ['/apis/*'], '/apis', false],
    ['about the root', ['get'], ['/'], '/version', true],
    ['about another verb', ['post'], ['*'], '/version', false],
  ])('%s', (_, verbs, nonResourceURLs, path, expected) => {
    const rules = [{ subjects: [ANYBODY], nonResourceRules: [{ verbs, nonResourceURLs }] }];
    expect(matches(rules, 'GET', path)).toBe(expected);
  });
});

test('a schema without rules matches nothing, and one of several rules is enough', () => {
  expect(matches(undefined, 'GET', PODS)).toBe(false);
  const other = { subjects: [{ kind: 'User', user: { name: 'bob' } }], resourceRules: [RULE] };
  expect(matches([other, { subjects: [ANYBODY], resourceRules: [RULE] }], 'GET', PODS)).toBe(true);
});

test('a subject and a resource of different rules match nothing together', () => {
  const subjectOnly = { subjects: [ANYBODY], resourceRules: [{ ...RULE, verbs: ['create'] }] };
  const resourceOnly = { subjects: [{ kind: 'User', user: { name: 'bob' } }], resourceRules: [RULE] };
  expect(matches([subjectOnly, resourceOnly], 'GET', PODS)).toBe(false);
});

function account(namespace: string, name: string): Subject {
  return { kind: 'ServiceAccount', serviceAccount: { namespace, name } };
}
