import { describe, expect, test } from 'vitest';
import type { SmokeTestPlan } from '../../../../infra/cdk/smokeTest/planSmokeTest.ts';
import { CLEANUP_MS, runSmokeTest, SMOKE_TEST_MS } from '../../../../infra/cdk/smokeTest/runSmokeTest.ts';
import type { ApiAnswer, ApiRequest, SmokeTestApi } from '../../../../infra/cdk/smokeTest/SmokeTestApi.ts';
import type { ClusterOptions } from '../../../../infra/testCluster/ClusterOptions.ts';
import { smokeTestPolicy } from '../../../../lambdas/rest/rbac/defaultRoles.ts';
import { SMOKE_TEST_NAMESPACE, SMOKE_TEST_USER } from '../../../../lambdas/rest/rbac/smokeTestRole.ts';
import { startTestCluster } from '../../../support/startTestCluster.ts';

const ROLLOUT: SmokeTestPlan = { checks: 'rollout', because: '', nodeNames: [] };
const IN_NAMESPACE = { namespace: SMOKE_TEST_NAMESPACE };
const DEPLOYMENT = 'smoke-test-this-run';

/** Changes the answer to some requests; `undefined` lets a request through. Throws as a connection that fails. */
type Interference = (request: ApiRequest, count: number) => ApiAnswer | undefined;

/** A cluster that checks permissions, in which the smoke test's user has its role. Its clock moves when the test pauses. */
async function startBench(options: ClusterOptions = {}, interfere: Interference = () => undefined) {
  const cluster = await startTestCluster({ clock: 'virtual', rbac: true, seed: 1, ...options });
  const { roles, roleBindings } = smokeTestPolicy();
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: SMOKE_TEST_NAMESPACE } };
  await cluster.apply(JSON.parse(JSON.stringify([namespace, ...roles, ...roleBindings])) as []);
  const requests: string[] = [];
  const api: SmokeTestApi = {
    send: async (request) => {
      const { method, path, body } = request;
      requests.push(`${method} ${path.replace(/^.*\/(?:v1)\//, '')}`);
      const instead = interfere(request, requests.length);
      if (instead) return instead;
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const headers = { 'impersonate-user': SMOKE_TEST_USER, 'content-type': type };
      const answer = await cluster.request(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      return { status: answer.status, body: await answer.json() };
    },
  };
  const time = { now: () => cluster.now().getTime(), pause: (ms: number) => cluster.advance(ms) };
  const run = (plan: SmokeTestPlan = ROLLOUT, runId = 'this-run') => runSmokeTest({ api, time, runId }, plan);
  const left = async () => {
    const lists = ['deployments', 'replicasets', 'pods'].map((resource) => cluster.list(resource, IN_NAMESPACE));
    return (await Promise.all(lists)).flat().map(({ metadata }) => metadata.name);
  };
  return { cluster, requests, run, left, api };
}

const refuse = (status: number, message: string): ApiAnswer => ({ status, body: { kind: 'Status', message } });

describe('the smoke test of a control plane that works', () => {
  test('creates, rolls and deletes a Deployment with the rights of its role, and leaves nothing', async () => {
    const { run, requests, left } = await startBench();
    expect(await run()).toMatchObject({ status: 'passed' });
    const writes = requests.filter((request) => !request.startsWith('GET'));
    expect(writes).toEqual([
      `POST namespaces/${SMOKE_TEST_NAMESPACE}/deployments`,
      `PATCH namespaces/${SMOKE_TEST_NAMESPACE}/deployments/${DEPLOYMENT}`,
      `DELETE namespaces/${SMOKE_TEST_NAMESPACE}/deployments/${DEPLOYMENT}`,
    ]);
    expect(await left()).toEqual([]);
  });

  test('runs its pods on the simulated nodes that the plan names', async () => {
    const nodes = [{ name: 'real' }, { name: 'driftless-node-1' }];
    const seen = new Set<string | undefined>();
    const { run, cluster } = await startBench({ nodes }, (request) => {
      if (request.method === 'PATCH') void cluster.list('pods', IN_NAMESPACE).then(note);
      return undefined;
    });
    const note = (pods: readonly { spec?: { nodeName?: string } }[]) => {
      for (const { spec } of pods) seen.add(spec?.nodeName);
    };
    expect(await run({ ...ROLLOUT, nodeNames: ['driftless-node-1'] })).toMatchObject({ status: 'passed' });
    expect([...seen]).toEqual(['driftless-node-1']);
  });

  test('waits for no pods if the plan does not', async () => {
    const { run, left } = await startBench({ nodes: 0 });
    expect(await run({ checks: 'requests', because: 'there are no nodes', nodeNames: [] })).toMatchObject({
      status: 'passed',
    });
    expect(await left()).toEqual([]);
  });

  test.each<[string, Interference]>([
    ['is throttled at first', (_, count) => (count < 4 ? refuse(429, 'Too Many Requests') : undefined)],
    ['fails every third time', (_, count) => (count % 3 === 0 ? refuse(503, 'busy') : undefined)],
    ['does not know the user yet', (_, count) => (count < 8 ? refuse(401, 'Unauthorized') : undefined)],
    ['has no role for the user yet', (_, count) => (count < 8 ? refuse(403, 'forbidden') : undefined)],
    ['meets a conflict', ({ method }, count) => (method === 'PATCH' && count % 2 ? refuse(409, 'changed') : undefined)],
    [
      'breaks connections',
      (_, count) => {
        if (count % 4 === 1) throw new TypeError('fetch failed');
        return undefined;
      },
    ],
  ])('passes if the API %s', async (_, interfere) => {
    const { run, left } = await startBench({}, interfere);
    expect(await run()).toMatchObject({ status: 'passed' });
    expect(await left()).toEqual([]);
  });

  test('passes if the answer to each write is lost the first time', async () => {
    const lost = new Set<string>();
    const bench = await startBench();
    const { cluster } = bench;
    const api: SmokeTestApi = {
      send: async ({ method, path, body }) => {
        const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
        const headers = { 'impersonate-user': SMOKE_TEST_USER, 'content-type': type };
        const answer = await cluster.request(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
        const isLost = method !== 'GET' && !lost.has(`${method} ${path}`);
        lost.add(`${method} ${path}`);
        if (isLost) throw new Error('socket hang up');
        return { status: answer.status, body: await answer.json() };
      },
    };
    const time = { now: () => cluster.now().getTime(), pause: (ms: number) => cluster.advance(ms) };
    expect(await runSmokeTest({ api, time, runId: 'this-run' }, ROLLOUT)).toMatchObject({ status: 'passed' });
    expect(await bench.left()).toEqual([]);
  });
});

describe('what runs leave behind', () => {
  const old = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'smoke-test-old', ...IN_NAMESPACE } };
  const labels = { app: 'old' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'pause' }] } };
  const leftover = { ...old, spec: { replicas: 1, selector: { matchLabels: labels }, template } };

  test('is deleted by a later run, whatever the garbage collector does', async () => {
    const { run, cluster, left } = await startBench({ controllers: { garbagecollector: false } });
    await cluster.apply([leftover]);
    await cluster.advance('16m');
    expect(await left()).toHaveLength(3);
    expect(await run({ checks: 'requests', because: '', nodeNames: [] })).toMatchObject({ status: 'passed' });
    await cluster.advance('1m');
    expect(await left()).toEqual([]);
  });

  test('stays while the run that it belongs to may go on', async () => {
    const { run, cluster, left } = await startBench();
    await cluster.apply([leftover]);
    expect(await run()).toMatchObject({ status: 'passed' });
    expect(await left()).toContain('smoke-test-old');
  });

  test('of two runs at once is nothing, and neither meets the other', async () => {
    const { run, left } = await startBench();
    const outcomes = await Promise.all([run(ROLLOUT, 'one'), run(ROLLOUT, 'two')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['passed', 'passed']);
    expect(await left()).toEqual([]);
  });
});

describe('the smoke test of a control plane that does not work', () => {
  test.each<[string, ClusterOptions, Interference, RegExp]>([
    [
      'nobody answers',
      {},
      () => {
        throw new TypeError('fetch failed');
      },
      /^look for what earlier runs left behind: no answer: TypeError: fetch failed$/,
    ],
    [
      'the authorizer knows nobody',
      {},
      () => refuse(401, 'Unauthorized'),
      /^look for what earlier runs left behind: 401: Unauthorized$/,
    ],
    [
      'the API fails to write',
      {},
      ({ method }) => (method === 'PATCH' ? refuse(500, 'Internal error occurred: no table') : undefined),
      /^roll the Deployment: 500: Internal error occurred: no table$/,
    ],
    [
      'a policy refuses the Deployment',
      {},
      ({ path, method }) =>
        method === 'POST' && path.endsWith('deployments') ? refuse(422, 'denied by policy') : undefined,
      /^create the Deployment: 422: denied by policy$/,
    ],
    [
      'no controller runs',
      { controllers: { deployment: false } },
      () => undefined,
      /^wait for the first rollout: no controller has looked at it$/,
    ],
    [
      'pods are not scheduled',
      { nodes: 0 },
      () => undefined,
      /^wait for the first rollout: 2 of 2 updated, 0 available; .*; pod smoke-test-\S+ is Pending: Unschedulable: no nodes available/,
    ],
    [
      'pods do not start',
      { pods: [{ image: /pause:3\.10/, behave: { failPull: true } }] },
      () => undefined,
      /^wait for the second rollout: 1 of 2 updated, 2 available; .*; pod smoke-test-\S+ is Pending: \w+/,
    ],
  ])('fails and says why if %s', async (_, options, interfere, why) => {
    const { run, left } = await startBench(options, interfere);
    const outcome = await run();
    expect(outcome).toEqual({ status: 'failed', why: expect.stringMatching(why) as string });
    expect(await left()).toEqual([]);
  });

  test('says also what it could not delete, and a later run deletes it', async () => {
    let isBroken = true;
    const { run, cluster, left } = await startBench({}, ({ method }) =>
      isBroken && method === 'DELETE' ? refuse(500, 'no table') : undefined,
    );
    const outcome = await run();
    expect(outcome).toEqual({
      status: 'failed',
      why: 'delete the Deployment: 500: no table; then delete what the run has created: 500: no table',
    });
    expect(await left()).toContain(DEPLOYMENT);
    isBroken = false;
    await cluster.advance('16m');
    expect(await run(ROLLOUT, 'next-run')).toMatchObject({ status: 'passed' });
    await cluster.advance('1m');
    expect(await left()).toEqual([]);
  });

  test('names what does not go away', async () => {
    const path = `/apis/apps/v1/namespaces/${SMOKE_TEST_NAMESPACE}/deployments/${DEPLOYMENT}`;
    const { run, cluster, api } = await startBench();
    const kept = JSON.stringify({ metadata: { finalizers: ['example.com/kept'] } });
    const headers = { 'content-type': 'application/merge-patch+json' };
    const send = api.send.bind(api);
    api.send = async (request) => {
      if (request.method === 'DELETE') await cluster.request(path, { method: 'PATCH', headers, body: kept });
      return await send(request);
    };
    const outcome = await run();
    expect(outcome).toEqual({
      status: 'failed',
      why: expect.stringContaining(
        'still there: deployments/smoke-test-this-run, with the finalizer example.com/kept',
      ) as string,
    });
  });

  test('ends in time whatever happens', async () => {
    const { run, cluster } = await startBench({ nodes: 0 }, ({ path, method }) =>
      method === 'DELETE' && path.endsWith(DEPLOYMENT) ? refuse(503, 'busy') : undefined,
    );
    const beganMs = cluster.now().getTime();
    expect(await run()).toMatchObject({ status: 'failed' });
    expect(cluster.now().getTime() - beganMs).toBeLessThanOrEqual(SMOKE_TEST_MS + CLEANUP_MS);
  });
});
