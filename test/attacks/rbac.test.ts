import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackPaths, get } from './attackPaths.ts';
import { attackParsers } from './attackParsers.ts';
import { rawRequest, sendRaw } from './sendRaw.ts';
import { create, grant, prepareTarget, startWithRbac, type Target } from './targets.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

describe('the API with RBAC', () => {
  let target: Target;
  beforeAll(async () => {
    target = await startWithRbac();
    await prepareTarget(target);
    await grant(target, 'bob', [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }], 'a');
    await grant(
      target,
      'system:serviceaccount:a:robot',
      [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }],
      'a',
    );
    const may = (apiGroup: string, resource: string, ...resourceNames: string[]) => ({
      verbs: ['impersonate'],
      apiGroups: [apiGroup],
      resources: [resource],
      resourceNames,
    });
    await grant(target, 'ivy', [may('', 'serviceaccounts', 'robot')], 'a');
    await grant(target, 'ivy', [
      may('', 'users', 'bob'),
      may('', 'groups', 'team'),
      may('authentication.k8s.io', 'uids', 'u1'),
      may('authentication.k8s.io', 'userextras/scopes', 'view'),
    ]);
    await create(target, `${RBAC}/namespaces/a/rolebindings`, {
      metadata: { name: 'carl' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' },
      subjects: [{ kind: 'User', name: 'carl' }],
    });
  });
  afterAll(() => target.stop());

  test('no path leads around it', () => attackPaths(target));

  describe('and a user without rights', () => attackParsers(() => target, 'nobody'));

  test.each<[string, string, Readonly<Record<string, string | readonly string[]>>, number]>([
    ['an allowed user', 'ivy', { 'Impersonate-User': 'bob' }, 200],
    ['an allowed user and group', 'ivy', { 'Impersonate-User': 'bob', 'Impersonate-Group': 'team' }, 200],
    ['an allowed UID', 'ivy', { 'Impersonate-User': 'bob', 'Impersonate-Uid': 'u1' }, 200],
    ['an allowed extra', 'ivy', { 'Impersonate-User': 'bob', 'Impersonate-Extra-Scopes': 'view' }, 200],
    ['an allowed service account', 'ivy', { 'Impersonate-User': 'system:serviceaccount:a:robot' }, 200],
    ['a user by someone without permission', 'ann', { 'Impersonate-User': 'bob' }, 403],
    ['another user', 'ivy', { 'Impersonate-User': 'root' }, 403],
    ['a user named like the group of administrators', 'ivy', { 'Impersonate-User': 'system:masters' }, 403],
    ['a user named *', 'ivy', { 'Impersonate-User': '*' }, 403],
    ['a user in capitals', 'ivy', { 'Impersonate-User': 'BOB' }, 403],
    ['an empty user', 'ivy', { 'Impersonate-User': '' }, 403],
    ['two users', 'ivy', { 'Impersonate-User': ['bob', 'root'] }, 403],
    ['the administrators', 'ivy', { 'Impersonate-User': 'bob', 'Impersonate-Group': 'system:masters' }, 403],
    [
      'an allowed and another group',
      'ivy',
      { 'Impersonate-User': 'bob', 'Impersonate-Group': ['team', 'system:masters'] },
      403,
    ],
    ['two groups in one header', 'ivy', { 'Impersonate-User': 'bob', 'Impersonate-Group': 'team,system:masters' }, 403],
    ['another UID', 'ivy', { 'Impersonate-User': 'bob', 'Impersonate-Uid': 'u2' }, 403],
    ['another value of an extra', 'ivy', { 'Impersonate-User': 'bob', 'Impersonate-Extra-Scopes': 'edit' }, 403],
    ['another extra', 'ivy', { 'Impersonate-User': 'bob', 'Impersonate-Extra-Groups': 'view' }, 403],
    ['a service account of another namespace', 'ivy', { 'Impersonate-User': 'system:serviceaccount:b:robot' }, 403],
    ['a service account without a namespace', 'ivy', { 'Impersonate-User': 'system:serviceaccount::robot' }, 403],
    [
      'a name that goes on after a service account',
      'ivy',
      { 'Impersonate-User': 'system:serviceaccount:a:robot:x' },
      403,
    ],
    ['a group without a user', 'ivy', { 'Impersonate-Group': 'system:masters' }, 400],
    ['a UID without a user', 'ivy', { 'Impersonate-Uid': 'u1' }, 400],
    ['an extra without a user', 'ivy', { 'Impersonate-Extra-Scopes': 'view' }, 400],
  ])('impersonating %s', async (_, user, headers, status) => {
    expect((await get(target, user, '/api/v1/namespaces/a/configmaps/c', headers)).status).toBe(status);
  });

  const binding = (kind: string, name: string, subject: object = { kind: 'User', name: 'carl' }) => ({
    metadata: { generateName: 'x-' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    subjects: [subject],
  });
  const role = (...rules: object[]) => ({ metadata: { generateName: 'x-' }, rules });
  const inA = `${RBAC}/namespaces/a`;
  const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };

  test.each<[string, string, object, number]>([
    ['a role that he has', `${inA}/rolebindings`, binding('ClusterRole', 'edit'), 201],
    ['a role with more rules', `${inA}/rolebindings`, binding('ClusterRole', 'cluster-admin'), 403],
    [
      'a role with more rules, as a dry run',
      `${inA}/rolebindings?dryRun=All`,
      binding('ClusterRole', 'cluster-admin'),
      403,
    ],
    ['a role that does not exist yet', `${inA}/rolebindings`, binding('Role', 'later'), 404],
    ['a cluster role that does not exist yet', `${inA}/rolebindings`, binding('ClusterRole', 'later'), 404],
    ['a role whose name is a path', `${inA}/rolebindings`, binding('ClusterRole', '../clusterroles/edit'), 404],
    ['a role in another namespace', `${RBAC}/namespaces/b/rolebindings`, binding('ClusterRole', 'view'), 403],
    ['a role in the whole cluster', `${RBAC}/clusterrolebindings`, binding('ClusterRole', 'view'), 403],
    ['all rules by a role of his own', `${inA}/roles`, role(everything), 403],
    ['the right to escalate', `${inA}/roles`, role({ ...everything, verbs: ['escalate'], resources: ['roles'] }), 403],
    ['rules on paths', `${RBAC}/clusterroles`, role({ verbs: ['get'], nonResourceURLs: ['/metrics'] }), 403],
    [
      'a role of his own within his rules',
      `${inA}/roles`,
      role({ verbs: ['get'], apiGroups: [''], resources: ['pods'] }),
      201,
    ],
  ])('the administrator of a namespace grants %s', async (_, path, object, status) => {
    const headers = { ...target.as('carl'), 'Content-Type': 'application/json' };
    const answer = await sendRaw(target.port, rawRequest('POST', path, headers, JSON.stringify(object)));
    expect(answer.status).toBe(status);
  });

  test('a subject named * is no one else', async () => {
    await create(target, `${inA}/rolebindings`, binding('ClusterRole', 'view', { kind: 'User', name: '*' }));
    expect((await get(target, 'stranger', '/api/v1/namespaces/a/configmaps/c')).status).toBe(403);
  });
});
