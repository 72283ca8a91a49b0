import type { PolicyRule } from 'kubernetes-types/rbac/v1.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { checkEscalation } from '../../../lambdas/rest/rbac/checkEscalation.ts';
import { type Authorizer, createRbacAuthorizer } from '../../../lambdas/rest/rbac/createRbacAuthorizer.ts';
import { ensureDefaultRoles } from '../../../lambdas/rest/rbac/ensureDefaultRoles.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';
import type { AccessAttributes } from '../../../lambdas/rest/rbac/AccessAttributes.ts';
import type { UserInfo } from '../../../lambdas/rest/rbac/UserInfo.ts';

const RBAC = 'rbac.authorization.k8s.io';
const apiVersion = `${RBAC}/v1`;
const ann = { username: 'ann', groups: ['team', 'system:authenticated'] };
const root = { username: 'root', groups: ['system:masters'] };

const ask = (verb: string, resource: string, namespace = 'a', group = ''): AccessAttributes => ({
  verb,
  group,
  resource,
  subresource: '',
  namespace,
  name: '',
});

describe('RBAC over stored roles', () => {
  let bench: ControllerBench;
  let authorizer: Authorizer;
  beforeEach(async () => {
    bench = new ControllerBench();
    authorizer = createRbacAuthorizer(bench.registry);
    await ensureDefaultRoles(bench.registry);
    for (const name of ['a', 'b'])
      await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  });
  const bind = (role: string, namespace?: string) =>
    bench.create(namespace ? `rolebindings.${RBAC}` : `clusterrolebindings.${RBAC}`, {
      apiVersion,
      kind: namespace ? 'RoleBinding' : 'ClusterRoleBinding',
      metadata: { name: `ann-${role}`, ...(namespace && { namespace }) },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup: RBAC, kind: 'User', name: 'ann' }],
    });
  const can = (attributes: AccessAttributes) => authorizer.allows(ann, attributes);

  it('lets masters do everything, and users without bindings only use discovery', async () => {
    expect(await authorizer.allows(root, ask('delete', 'nodes', ''))).toBe(true);
    expect(await can(ask('get', 'pods'))).toBe(false);
    expect(await can({ verb: 'get', path: '/apis/apps/v1' })).toBe(true);
    expect(await can({ verb: 'get', path: '/metrics' })).toBe(false);
    expect(await can(ask('create', 'selfsubjectaccessreviews', '', 'authorization.k8s.io'))).toBe(true);
  });

  it('takes a role that several bindings give at the place of the first, and names that', async () => {
    const role = (name: string, resource: string) =>
      bench.create(`clusterroles.${RBAC}`, {
        apiVersion,
        kind: 'ClusterRole',
        metadata: { name },
        rules: [{ apiGroups: [''], resources: [resource], verbs: ['get'] }],
      });
    const give = (name: string, roleName: string) =>
      bench.create(`clusterrolebindings.${RBAC}`, {
        apiVersion,
        kind: 'ClusterRoleBinding',
        metadata: { name },
        roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: roleName },
        subjects: [{ apiGroup: RBAC, kind: 'User', name: 'ann' }],
      });
    await role('x', 'pods');
    await role('y', 'secrets');
    await give('a', 'x');
    await give('b', 'y');
    await give('c', 'x');
    const own = (await authorizer.rulesFor(ann, 'a')).flatMap(({ resources = [] }) => resources);
    expect(own.filter((resource) => ['pods', 'secrets'].includes(resource))).toEqual(['pods', 'secrets']);
    expect(await authorizer.judge(ann, ask('get', 'pods'))).toEqual({
      isAllowed: true,
      reason: 'RBAC: allowed by ClusterRoleBinding "a" of ClusterRole "x" to User "ann"',
    });
  });

  it('applies a cluster role in one namespace through a role binding', async () => {
    await bind('edit', 'a');
    expect(await can(ask('update', 'deployments', 'a', 'apps'))).toBe(true);
    expect(await can(ask('update', 'deployments', 'b', 'apps'))).toBe(false);
    expect(await can(ask('list', 'pods', ''))).toBe(false);
    expect(await can(ask('create', 'rolebindings', 'a', RBAC))).toBe(false);
  });

  it('applies a cluster role everywhere through a cluster role binding', async () => {
    await bind('view');
    expect(await can(ask('list', 'pods', ''))).toBe(true);
    expect(await can(ask('get', 'pods', 'b'))).toBe(true);
    expect(await can(ask('get', 'secrets', 'b'))).toBe(false);
    expect(await can(ask('delete', 'pods', 'b'))).toBe(false);
  });

  it('says which binding allows an action, in Kubernetes` words', async () => {
    await bind('view', 'a');
    await bench.create(`clusterrolebindings.${RBAC}`, {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'robots' },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'a' }],
    });
    const robot = { username: 'system:serviceaccount:a:robot', groups: [] };
    expect(await authorizer.judge(ann, ask('get', 'pods'))).toEqual({
      isAllowed: true,
      reason: 'RBAC: allowed by RoleBinding "ann-view/a" of ClusterRole "view" to User "ann"',
    });
    expect(await authorizer.judge(robot, ask('get', 'pods', 'b'))).toEqual({
      isAllowed: true,
      reason: 'RBAC: allowed by ClusterRoleBinding "robots" of ClusterRole "view" to ServiceAccount "robot/a"',
    });
    expect(await authorizer.judge(ann, { verb: 'get', path: '/apis' })).toEqual({
      isAllowed: true,
      reason:
        'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
    });
    expect(await authorizer.judge(root, ask('get', 'pods'))).toEqual({ isAllowed: true, reason: '' });
    expect(await authorizer.judge(ann, ask('delete', 'pods'))).toEqual({ isAllowed: false, reason: '' });
  });

  it('no longer allows an action once its binding is deleted', async () => {
    await bind('view', 'a');
    expect(await can(ask('get', 'pods'))).toBe(true);
    await bench.registry.delete({ resource: `rolebindings.${RBAC}`, namespace: 'a', name: 'ann-view' });
    expect(await can(ask('get', 'pods'))).toBe(false);
  });

  const role = (rules: PolicyRule[]): KubernetesObject => ({
    apiVersion,
    kind: 'Role',
    metadata: { name: 'r', namespace: 'a', uid: '', resourceVersion: '', creationTimestamp: '' },
    rules,
  });

  it('refuses a role with more permissions than its author has', async () => {
    await bind('admin', 'a');
    const check = (rules: PolicyRule[], old?: KubernetesObject) =>
      checkEscalation(authorizer, ann, `roles.${RBAC}`, role(rules), old);
    expect(await check([{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }])).toBeUndefined();
    const nodes = [{ verbs: ['get'], apiGroups: [''], resources: ['nodes'] }];
    expect((await check(nodes))?.message).toBe(
      'roles.rbac.authorization.k8s.io "r" is forbidden: user "ann" (groups=["team" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["nodes"], Verbs:["get"]}',
    );
    const released = { ...role(nodes), metadata: { ...role(nodes).metadata, finalizers: ['example.com/hold'] } };
    expect(await checkEscalation(authorizer, ann, `roles.${RBAC}`, role(nodes), released)).toBeUndefined();
    const labelled = { ...role(nodes), metadata: { ...role(nodes).metadata, labels: { added: 'true' } } };
    expect(await checkEscalation(authorizer, ann, `roles.${RBAC}`, labelled, role(nodes))).toBeDefined();
  });

  it('adds the rules of labelled cluster roles to a role, and lets only cluster admins write an aggregationRule', async () => {
    await bind('view', 'a');
    const widgets: AccessAttributes = {
      ...(ask('get', 'widgets', 'a', 'example.com') as Extract<AccessAttributes, { path?: undefined }>),
    };
    expect(await can(widgets)).toBe(false);
    await bench.create(`clusterroles.${RBAC}`, {
      apiVersion,
      kind: 'ClusterRole',
      metadata: { name: 'widgets', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
      rules: [{ apiGroups: ['example.com'], resources: ['widgets'], verbs: ['get'] }],
    });
    expect(await can(widgets)).toBe(true);
    const aggregating = { ...role([]), kind: 'ClusterRole', aggregationRule: { clusterRoleSelectors: [] } };
    expect((await checkEscalation(authorizer, ann, `clusterroles.${RBAC}`, aggregating))?.message).toContain(
      'must have cluster-admin privileges to use an aggregationRule',
    );
  });

  it('refuses a binding to a role with more permissions than its author has', async () => {
    await bind('admin', 'a');
    const binding = (name: string): KubernetesObject => ({
      ...role([]),
      kind: 'RoleBinding',
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
    });
    const check = (name: string) => checkEscalation(authorizer, ann, `rolebindings.${RBAC}`, binding(name));
    expect(await check('edit')).toBeUndefined();
    expect(await check('cluster-admin')).toMatchObject({ reason: 'Forbidden' });
    expect(await checkEscalation(authorizer, root, `rolebindings.${RBAC}`, binding('cluster-admin'))).toBeUndefined();
  });

  it.each([
    ['Role', 'roles.rbac.authorization.k8s.io "later" not found'],
    ['ClusterRole', 'clusterroles.rbac.authorization.k8s.io "later" not found'],
  ])('refuses a binding to a %s that does not exist yet, unless its author may bind it', async (kind, message) => {
    await bind('admin', 'a');
    const binding = { ...role([]), kind: 'RoleBinding', roleRef: { apiGroup: RBAC, kind, name: 'later' } };
    const check = (user: UserInfo) => checkEscalation(authorizer, user, `rolebindings.${RBAC}`, binding);
    expect(await check(ann)).toMatchObject({ reason: 'NotFound', message });
    expect(await check(root)).toBeUndefined();
    await bench.create(`roles.${RBAC}`, {
      ...role([{ verbs: ['bind'], apiGroups: [RBAC], resources: ['roles', 'clusterroles'], resourceNames: ['later'] }]),
      metadata: { name: 'binder', namespace: 'a' },
    });
    await bench.create(`rolebindings.${RBAC}`, {
      apiVersion,
      kind: 'RoleBinding',
      metadata: { name: 'binder', namespace: 'a' },
      roleRef: { apiGroup: RBAC, kind: 'Role', name: 'binder' },
      subjects: [{ apiGroup: RBAC, kind: 'User', name: 'ann' }],
    });
    expect(await check(ann)).toBeUndefined();
  });

  it('restores removed rules of the default roles unless autoupdate is false', async () => {
    const key = { resource: `clusterroles.${RBAC}`, namespace: '', name: 'view' };
    const stored = (await bench.registry.get(key)) as KubernetesObject;
    await bench.registry.update(key.resource, { ...stored, rules: [] });
    await ensureDefaultRoles(bench.registry);
    expect((await bench.registry.get(key))?.['rules']).not.toEqual([]);
    const again = (await bench.registry.get(key)) as KubernetesObject;
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' };
    await bench.registry.update(key.resource, { ...again, metadata: { ...again.metadata, annotations }, rules: [] });
    await ensureDefaultRoles(bench.registry);
    expect((await bench.registry.get(key))?.['rules']).toEqual([]);
  });

  it.each([
    [
      'a rule without verbs',
      'roles',
      { rules: [{ apiGroups: [''], resources: ['pods'], verbs: [] }] },
      'rules[0].verbs: Required value: verbs must contain at least one value',
    ],
    [
      'a non-resource URL in a namespaced role',
      'roles',
      { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
      'namespaced rules cannot apply to non-resource URLs',
    ],
    [
      'a binding to a kind other than a role',
      'rolebindings',
      { roleRef: { apiGroup: RBAC, kind: 'Pod', name: 'x' } },
      'roleRef.kind: Unsupported value: "Pod": supported values: "Role", "ClusterRole"',
    ],
    [
      'a binding to a role whose name contains a slash',
      'rolebindings',
      { roleRef: { apiGroup: RBAC, kind: 'Role', name: 'a/b' } },
      `roleRef.name: Invalid value: "a/b": may not contain '/'`,
    ],
    [
      'a binding to a role whose name contains a percent sign',
      'rolebindings',
      { roleRef: { apiGroup: RBAC, kind: 'Role', name: 'a%2fb' } },
      `roleRef.name: Invalid value: "a%2fb": may not contain '%'`,
    ],
    [
      'a binding to a role that is named like a step up in a path',
      'rolebindings',
      { roleRef: { apiGroup: RBAC, kind: 'Role', name: '..' } },
      `roleRef.name: Invalid value: "..": may not be '..'`,
    ],
    [
      'a role whose name contains a slash',
      'roles',
      { metadata: { name: 'a/b', namespace: 'a' } },
      `metadata.name: Invalid value: "a/b": may not contain '/'`,
    ],
    [
      'a service account whose name would change the user name',
      'rolebindings',
      { roleRef: { apiGroup: RBAC, kind: 'Role', name: 'x' }, subjects: [{ kind: 'ServiceAccount', name: 'a:b' }] },
      'subjects[0].name: Invalid value: "a:b": a lowercase RFC 1123 subdomain must consist of',
    ],
  ])('refuses %s', async (_, plural, content, message) => {
    const outcome = await bench.registry.create(`${plural}.${RBAC}`, {
      apiVersion,
      kind: plural === 'roles' ? 'Role' : 'RoleBinding',
      metadata: { name: 'x', namespace: 'a' },
      ...content,
    });
    expect(outcome.status === 'refused' && outcome.error.message).toContain(message);
  });
});
