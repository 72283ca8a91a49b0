import { describe, expect, test } from 'vitest';
import type { Cluster, Fault } from '../../infra/testCluster/startCluster.ts';
import { startTestCluster } from '../support/startTestCluster.ts';
import { widgetDefinition } from '../support/widgetDefinition.ts';
import { webDeployment } from '../support/webDeployment.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

/** Sends a request as a client does. */
async function send(
  cluster: Cluster,
  path: string,
  method = 'GET',
  body?: object,
): Promise<{ code: number; reason?: string }> {
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const response = await fetch(cluster.url + path, {
    method,
    headers: { 'Content-Type': contentType },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { reason } = (await response.json()) as { reason?: string };
  return { code: response.status, ...(reason !== undefined && { reason }) };
}

describe('a fault for clients', () => {
  test('refuses a request `times` times and then lets it pass', async () => {
    const cluster = await startTestCluster();
    const fault = cluster.faults.add({
      verb: 'create',
      resource: 'deployments',
      times: 2,
      respond: { reason: 'ServiceUnavailable' },
    });
    const answers = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      answers.push(await send(cluster, DEPLOYMENTS, 'POST', webDeployment()));
    }
    expect(answers).toEqual([
      { code: 503, reason: 'ServiceUnavailable' },
      { code: 503, reason: 'ServiceUnavailable' },
      { code: 201 },
    ]);
    expect(fault.met).toBe(2);
  });

  test('meets a custom resource by its whole name, even before its definition exists', async () => {
    const cluster = await startTestCluster();
    const fault = cluster.faults.add({ verb: 'list', resource: 'widgets.example.com', respond: { code: 503 } });
    await cluster.apply(widgetDefinition());
    expect(await send(cluster, '/apis/example.com/v1/widgets')).toEqual({ code: 503, reason: 'ServiceUnavailable' });
    expect(await send(cluster, DEPLOYMENTS)).toEqual({ code: 200 });
    expect(fault.met).toBe(1);
    expect(() => cluster.faults.add({ resource: 'widgets', conflict: true })).toThrow('there is no resource "widgets"');
  });

  test('makes an update conflict although the object has not changed', async () => {
    const cluster = await startTestCluster();
    await cluster.apply(webDeployment());
    await cluster.settle();
    cluster.faults.add({ verb: 'update', resource: 'deployments', name: 'web', times: 1, conflict: true });
    const { status: _, ...web } = await cluster.get('deployment/web');
    const conflict = await fetch(`${cluster.url}${DEPLOYMENTS}/web`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(web),
    });
    expect(await conflict.json()).toMatchObject({
      code: 409,
      message:
        'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
    });
    expect(await send(cluster, `${DEPLOYMENTS}/web`, 'PUT', web)).toEqual({ code: 200 });
  });

  test('delays an answer by the virtual clock', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    const fault = cluster.faults.add({ verb: 'list', resource: 'pods', delay: '5s' });
    let answered = false;
    const answer = send(cluster, '/api/v1/pods').finally(() => (answered = true));
    await expect.poll(() => fault.met).toBe(1);
    await cluster.advance('4s');
    expect(answered).toBe(false);
    await cluster.advance('1s');
    expect(await answer).toEqual({ code: 200 });
  });

  test('refuses a delayed request when the cluster is stopped', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    const fault = cluster.faults.add({ resource: 'nodes', delay: '1h' });
    const answer = send(cluster, '/api/v1/nodes');
    await expect.poll(() => fault.met).toBe(1);
    await cluster.stop();
    expect(await answer).toMatchObject({ code: 503 });
  });

  test('answers with Retry-After', async () => {
    const cluster = await startTestCluster();
    cluster.faults.add({ respond: { code: 429, retryAfterSeconds: 7, message: 'slow down' } });
    const response = await fetch(`${cluster.url}/api/v1/pods`);
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(await response.json()).toMatchObject({ reason: 'TooManyRequests', message: 'slow down' });
  });

  test('applies only to a matching verb, resource or subresource, namespace and name, including the name in a create`s body', async () => {
    const cluster = await startTestCluster();
    const refuse = (fault: Fault) => cluster.faults.add({ ...fault, respond: { code: 500 } });
    await cluster.apply(webDeployment());
    const cases: [Fault, string, string, object | undefined, boolean][] = [
      [{ verb: 'get' }, `${DEPLOYMENTS}/web`, 'GET', undefined, true],
      [{ verb: 'get' }, DEPLOYMENTS, 'GET', undefined, false],
      [{ resource: 'deploy' }, DEPLOYMENTS, 'GET', undefined, true],
      [{ resource: 'deployments.apps' }, DEPLOYMENTS, 'GET', undefined, true],
      [{ resource: 'deployments' }, `${DEPLOYMENTS}/web/scale`, 'GET', undefined, false],
      [{ resource: 'deployments/scale' }, `${DEPLOYMENTS}/web/scale`, 'GET', undefined, true],
      [{ namespace: 'shop' }, DEPLOYMENTS, 'GET', undefined, false],
      [{ name: 'web' }, `${DEPLOYMENTS}/web`, 'GET', undefined, true],
      [{ verb: 'create', name: 'web' }, DEPLOYMENTS, 'POST', webDeployment(), true],
      [{ verb: 'create', name: 'other' }, DEPLOYMENTS, 'POST', webDeployment(), false],
      [{ by: 'controllers' }, DEPLOYMENTS, 'GET', undefined, false],
      [{ by: 'everyone' }, DEPLOYMENTS, 'GET', undefined, true],
    ];
    for (const [fault, path, method, body, isMet] of cases) {
      const added = refuse(fault);
      const { code } = await send(cluster, path, method, body);
      expect([fault, code === 500, added.met]).toEqual([fault, isMet, isMet ? 1 : 0]);
      added.remove();
    }
  });

  test('applies neither to the calls of the cluster itself nor to discovery', async () => {
    const cluster = await startTestCluster();
    cluster.faults.add({ respond: { reason: 'Forbidden' } });
    await cluster.apply(webDeployment());
    expect((await send(cluster, '/apis/apps/v1')).code).toBe(200);
    expect((await send(cluster, DEPLOYMENTS)).code).toBe(403);
    cluster.faults.clear();
    expect((await send(cluster, DEPLOYMENTS)).code).toBe(200);
  });
});

describe('a fault for controllers', () => {
  test('that refuses pods shows in the Deployment`s ReplicaFailure, and the rollout completes after it is removed', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    const fault = cluster.faults.add({
      by: 'controllers',
      verb: 'create',
      resource: 'pods',
      respond: { reason: 'Forbidden', message: 'pods are forbidden: out of luck' },
    });
    await cluster.apply(webDeployment('nginx:1', 3));
    await cluster.settle();
    const conditions = async () => (await cluster.get('deployment/web')).status?.conditions ?? [];
    expect(await conditions()).toContainEqual(
      expect.objectContaining({ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' }),
    );
    expect(fault.met).toBeGreaterThan(0);
    fault.remove();
    await cluster.advance('20m');
    expect((await cluster.get('deployment/web')).status).toMatchObject({ availableReplicas: 3 });
    expect((await conditions()).map(({ type }) => type)).not.toContain('ReplicaFailure');
  });

  test('that makes a status write conflict leads to a retry from the stored object', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    const fault = cluster.faults.add({
      by: 'controllers',
      verb: 'update',
      resource: 'deployments/status',
      times: 2,
      conflict: true,
    });
    await cluster.apply(webDeployment('nginx:1', 3));
    await cluster.settle();
    expect(fault.met).toBe(2);
    expect((await cluster.get('deployment/web')).status).toMatchObject({ availableReplicas: 3 });
  });

  test('that never ends makes the key be given up after its retries, and the explanation says so', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    cluster.faults.add({ by: 'controllers', verb: 'create', resource: 'replicasets', respond: { code: 500 } });
    await cluster.apply(webDeployment());
    await cluster.advance('1h');
    const text = await cluster.explain('deployment/web');
    expect(text).toContain('was given up: failed 16 times in a row; a change of the object is a new try');
    expect(text).toContain('failed  a fault of this cluster refuses the request: InternalError');
  });
});

describe('adding a fault fails for', () => {
  test.each<[string, object, string]>([
    ['no effect', { verb: 'get' }, 'has exactly one of respond, conflict, delay'],
    ['two effects', { conflict: true, delay: 1 }, 'has exactly one of respond, conflict, delay'],
    ['an unknown field', { verbs: 'get', conflict: true }, 'has no field "verbs"; it has verb,'],
    ['an unknown verb', { verb: 'put', conflict: true }, 'has a verb out of get, list, watch,'],
    ['an unknown verb alone', { verb: 'pathc' }, 'update, patch, delete, deletecollection, not "pathc"'],
    ['a resource that is not served', { resource: 'widgets', conflict: true }, 'there is no resource "widgets"'],
    ['zero times', { times: 0, conflict: true }, 'has times: an integer from 1'],
    ['a code without a reason', { respond: { code: 299 } }, 'responds with a code out of 400, 401,'],
    [
      'a code that does not belong to the reason',
      { respond: { code: 500, reason: 'Conflict' } },
      'responds with a code out of 409',
    ],
    ['an unknown reason', { respond: { reason: 'Bored' } }, 'responds with a reason out of BadRequest,'],
    ['neither reason nor code', { respond: {} }, 'responds with a reason or a code'],
    ['an invalid delay', { delay: 'long' }, 'delays by milliseconds, or a duration such as 5s'],
    ['a delay for controllers', { by: 'controllers', delay: 1 }, 'delays requests of clients only'],
    ['a fault for reads of controllers', { by: 'controllers', verb: 'get', conflict: true }, 'lets controllers read'],
    ['an unknown value of `by`', { by: 'me', conflict: true }, 'is met by "clients", "controllers" or "everyone"'],
  ])('%s', async (_, fault, message) => {
    const cluster = await startTestCluster({ controllers: false });
    expect(() => cluster.faults.add(fault as Fault)).toThrow(message);
  });
});
