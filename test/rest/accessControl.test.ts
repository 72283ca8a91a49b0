import { Registry as MetricsRegistry } from 'prom-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { REQUEST_LIFETIME_MS } from '../../lambdas/functions/limits.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { createApiApp } from '../../lambdas/rest/createApiApp.ts';
import { MemorySigningKeys } from '../../lambdas/adapters/embedded/MemorySigningKeys.ts';
import { openTokens } from '../../lambdas/rest/authentication/authenticateToken.ts';
import { createRbacAuthorizer } from '../../lambdas/rest/rbac/createRbacAuthorizer.ts';
import { ensureDefaultRoles } from '../../lambdas/rest/rbac/ensureDefaultRoles.ts';
import type { UserInfo } from '../../lambdas/rest/rbac/UserInfo.ts';
import { ControllerBench } from '../support/ControllerBench.ts';

const RBAC = 'rbac.authorization.k8s.io';
const ann: UserInfo = { username: 'ann', groups: ['system:authenticated'] };
const root: UserInfo = { username: 'root', groups: ['system:masters', 'system:authenticated'] };

describe('the API with authorization', () => {
  let app: ReturnType<typeof createApiApp>;
  beforeEach(async () => {
    const bench = new ControllerBench();
    const { registry, clock, ids } = bench;
    app = createApiApp({
      ...openTokens({ registry, clock, signingKeys: new MemorySigningKeys() }),
      registry,
      clock,
      ids,
      changeLog: bench.store.changeLog,
      catalog: createResourceCatalog(resourceEntries),
      requestLifetimeMs: REQUEST_LIFETIME_MS,
      metrics: new MetricsRegistry(),
      authorizer: createRbacAuthorizer(registry),
      userOf: (env) => (env as { user?: UserInfo } | undefined)?.user,
      logError: (message, cause) => {
        throw new Error(message, { cause });
      },
    });
    await ensureDefaultRoles(registry);
    for (const name of ['a', 'b']) await send(root, 'POST', '/api/v1/namespaces', { metadata: { name } });
  });

  async function send(
    user: UserInfo | undefined,
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ) {
    const init = {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    };
    const answer = await app.request(path, init, { user });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> & { message?: string } };
  }
  const bind = (role: string, namespace: string) =>
    send(root, 'POST', `/apis/${RBAC}/v1/namespaces/${namespace}/rolebindings`, {
      metadata: { name: role },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'User', name: 'ann' }],
    });
  const PODS = '/api/v1/namespaces/a/pods';
  /** Grants ann this rule in namespace a. */
  const allow = async (rule: object) => {
    await send(root, 'POST', `/apis/${RBAC}/v1/namespaces/a/roles`, { metadata: { name: 'one' }, rules: [rule] });
    await send(root, 'POST', `/apis/${RBAC}/v1/namespaces/a/rolebindings`, {
      metadata: { name: 'one' },
      roleRef: { apiGroup: RBAC, kind: 'Role', name: 'one' },
      subjects: [{ kind: 'User', name: 'ann' }],
    });
  };

  it('answers a request without a user with 401', async () => {
    expect(await send(undefined, 'GET', PODS)).toMatchObject({
      status: 401,
      body: { reason: 'Unauthorized', message: 'Unauthorized' },
    });
    expect((await send(undefined, 'GET', '/version')).status).toBe(401);
    expect((await send(undefined, 'GET', '/healthz')).status).toBe(401);
  });

  it('takes no identity from headers that the client sends', async () => {
    const headers = {
      'x-user': 'root',
      'x-remote-user': 'root',
      'x-remote-group': 'system:masters',
      authorization: 'Bearer root',
    };
    expect((await send(undefined, 'GET', PODS, undefined, headers)).status).toBe(401);
    expect((await send(ann, 'GET', PODS, undefined, headers)).status).toBe(403);
  });

  it('refuses a request that no role allows, in Kubernetes’ words', async () => {
    expect(await send(ann, 'GET', PODS)).toMatchObject({
      status: 403,
      body: {
        reason: 'Forbidden',
        message: 'pods is forbidden: User "ann" cannot list resource "pods" in API group "" in the namespace "a"',
      },
    });
    expect((await send(ann, 'GET', '/metrics')).body.message).toBe('forbidden: User "ann" cannot get path "/metrics"');
  });

  it('applies a role binding in its own namespace only', async () => {
    await bind('edit', 'a');
    expect((await send(ann, 'GET', PODS)).status).toBe(200);
    expect((await send(ann, 'GET', '/api/v1/namespaces/b/pods')).status).toBe(403);
    expect((await send(ann, 'GET', '/api/v1/pods')).status).toBe(403);
    expect((await send(ann, 'GET', '/api/v1/namespaces/a/../b/pods')).status).toBe(403);
    expect((await send(ann, 'GET', '/api/v1/namespaces/a%2F..%2Fb/pods')).status).toBe(403);
  });

  it('authorizes lists, watches and requests for one name separately', async () => {
    await allow({ apiGroups: [''], resources: ['pods'], resourceNames: ['web'], verbs: ['get', 'list'] });
    expect((await send(ann, 'GET', `${PODS}?fieldSelector=metadata.name%3Dweb`)).status).toBe(200);
    expect((await send(ann, 'GET', PODS)).status).toBe(403);
    expect((await send(ann, 'GET', `${PODS}?watch=1&fieldSelector=metadata.name%3Dweb`)).status).toBe(403);
    expect((await send(ann, 'GET', `${PODS}/web`)).status).toBe(404);
  });

  it('does not take an escaped comma in a field selector for a selected name', async () => {
    await allow({ apiGroups: [''], resources: ['pods'], resourceNames: ['web'], verbs: ['list'] });
    const sly = encodeURIComponent('spec.nodeName!=x\\,metadata.name=web');
    expect((await send(ann, 'GET', `${PODS}?fieldSelector=${sly}`)).status).toBe(403);
  });

  it('finds no namespaces inside a namespace, even for a user who may do everything there', async () => {
    await allow({ apiGroups: ['*'], resources: ['*'], verbs: ['*'] });
    expect((await send(ann, 'GET', '/api/v1/namespaces/a/namespaces')).status).toBe(404);
    expect((await send(ann, 'GET', '/api/v1/namespaces/a/namespaces?fieldSelector=metadata.name%3Da')).status).toBe(
      404,
    );
    expect((await send(ann, 'GET', '/api/v1/namespaces/a/namespaces/b')).status).toBe(404);
    expect((await send(ann, 'DELETE', '/api/v1/namespaces/a/namespaces/b')).status).toBe(404);
    expect((await send(ann, 'GET', '/api/v1/namespaces/a')).status).toBe(200);
  });

  it('requires permission to create for a PUT that creates', async () => {
    await allow({ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'update'] });
    const leases = '/apis/coordination.k8s.io/v1/namespaces/a/leases';
    const lease = { metadata: { name: 'mine' }, spec: { holderIdentity: 'ann' } };
    expect((await send(ann, 'PUT', `${leases}/mine`, lease)).body).toMatchObject({ code: 403 });
    const created = await send(root, 'PUT', `${leases}/mine`, lease);
    expect(created.status).toBe(201);
    expect((await send(ann, 'PUT', `${leases}/mine`, created.body)).status).toBe(200);
  });

  it.each([
    ['a binding without a role', 'rolebindings', { subjects: [{ kind: 'User', name: 'ann' }] }, 422],
    ['a rule without verbs', 'roles', { rules: [{ apiGroups: [''], resources: ['pods'] }] }, 422],
    ['a null rule', 'roles', { rules: [null] }, 422],
  ])('answers %s with a validation error', async (_, resource, body, status) => {
    await bind('admin', 'a');
    const path = `/apis/${RBAC}/v1/namespaces/a/${resource}`;
    expect((await send(ann, 'POST', path, { metadata: { name: 'x' }, ...body })).status).toBe(status);
  });

  it('lets no users grant themselves more by POST, PUT or PATCH', async () => {
    await bind('admin', 'a');
    const roles = `/apis/${RBAC}/v1/namespaces/a/roles`;
    const mine = { metadata: { name: 'mine' }, rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] };
    const more = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    expect((await send(ann, 'POST', roles, mine)).status).toBe(201);
    expect((await send(ann, 'POST', roles, { ...mine, metadata: { name: 'more' }, rules: more })).status).toBe(403);
    expect((await send(ann, 'PUT', `${roles}/mine`, { ...mine, rules: more })).status).toBe(403);
    const merge = { 'content-type': 'application/merge-patch+json' };
    expect((await send(ann, 'PATCH', `${roles}/mine`, { rules: more }, merge)).status).toBe(403);
    const binding = {
      metadata: { name: 'up' },
      roleRef: { kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'User', name: 'ann' }],
    };
    expect((await send(ann, 'POST', `/apis/${RBAC}/v1/namespaces/a/rolebindings`, binding)).body.message).toContain(
      'is attempting to grant RBAC permissions not currently held',
    );
  });

  it('answers access reviews with what the user may do', async () => {
    await bind('view', 'a');
    const ask = async (user: UserInfo, verb: string, namespace: string) => {
      const spec = { resourceAttributes: { verb, resource: 'pods', namespace } };
      return (await send(user, 'POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { spec })).body[
        'status'
      ];
    };
    expect(await ask(ann, 'list', 'a')).toEqual({ allowed: true });
    expect(await ask(ann, 'delete', 'a')).toEqual({ allowed: false });
    expect(await ask(ann, 'list', 'b')).toEqual({ allowed: false });
    expect(await ask(root, 'delete', 'b')).toEqual({ allowed: true });
    const rules = await send(ann, 'POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
      spec: { namespace: 'a' },
    });
    expect(JSON.stringify(rules.body['status'])).toContain('"deployments/scale"');
  });

  it('lets only users with permission impersonate others', async () => {
    const as = { 'impersonate-user': 'root', 'impersonate-group': 'system:masters' };
    expect((await send(ann, 'GET', PODS, undefined, as)).body.message).toContain(
      'User "ann" cannot impersonate resource "users"',
    );
    expect((await send(root, 'GET', PODS, undefined, { 'impersonate-user': 'ann' })).status).toBe(403);
    expect((await send(root, 'GET', PODS, undefined, { 'impersonate-group': 'system:masters' })).status).toBe(400);
    await send(root, 'POST', `/apis/${RBAC}/v1/namespaces/a/rolebindings`, {
      metadata: { name: 'accounts' },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: RBAC, kind: 'Group', name: 'system:serviceaccounts:b' }],
    });
    const account = { 'impersonate-user': 'system:serviceaccount:b:robot' };
    expect((await send(root, 'GET', PODS, undefined, account)).status).toBe(200);
    expect((await send(root, 'GET', PODS, undefined, { ...account, 'impersonate-group': 'x' })).status).toBe(403);
  });
});
