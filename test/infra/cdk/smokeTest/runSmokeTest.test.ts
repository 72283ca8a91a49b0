import { describe, expect, test } from 'vitest';
import type { SmokeTestPlan } from '../../../../infra/cdk/smokeTest/planSmokeTest.ts';
import { CLEANUP_MS, runSmokeTest, SMOKE_TEST_MS } from '../../../../infra/cdk/smokeTest/runSmokeTest.ts';
import type { ApiAnswer, ApiRequest, SmokeTestApi } from '../../../../infra/cdk/smokeTest/SmokeTestApi.ts';
import type { ClusterOptions } from '../../../../infra/testCluster/ClusterOptions.ts';
import { smokeTestPolicy } from '../../../../lambdas/rest/rbac/defaultRoles.ts';
import {
  SMOKE_TEST_DEPLOYMENT,
  SMOKE_TEST_NAMESPACES,
  SMOKE_TEST_USER,
} from '../../../../lambdas/rest/rbac/smokeTestRole.ts';
import { startTestCluster } from '../../../support/startTestCluster.ts';

const ROLLOUT: SmokeTestPlan = { checks: 'rollout', because: '', nodeNames: [] };
const [FIRST = '', SECOND = '', THIRD = ''] = SMOKE_TEST_NAMESPACES;

/** Changes the answer to some requests; `undefined` lets a request through. Throws as a connection that fails. */
type Interference = (request: ApiRequest, count: number) => ApiAnswer | undefined;

/** A cluster that checks permissions, in which the smoke test's user has its role. Its clock moves when the test pauses. */
async function startBench(options: ClusterOptions = {}, interfere: Interference = () => undefined) {
  const cluster = await startTestCluster({ clock: 'virtual', rbac: true, seed: 1, ...options });
  const { clusterRoles, clusterRoleBindings } = smokeTestPolicy();
  await cluster.apply(JSON.parse(JSON.stringify([...clusterRoles, ...clusterRoleBindings])) as []);
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
  const ownNamespaces = async () =>
    (await cluster.list('namespaces')).map(({ metadata }) => metadata.name).filter((name) => /smoke/.test(name));
  return { cluster, requests, run, ownNamespaces };
}

const refuse = (status: number, message: string): ApiAnswer => ({ status, body: { kind: 'Status', message } });

describe('the smoke test of a control plane that works', () => {
  test('creates, rolls and deletes a Deployment with the rights of its role, and leaves nothing', async () => {
    const { run, requests, ownNamespaces } = await startBench();
    expect(await run()).toMatchObject({ status: 'passed' });
    const writes = requests.filter((request) => !request.startsWith('GET'));
    expect(writes).toEqual([
      'POST namespaces',
      `POST namespaces/${FIRST}/deployments`,
      `PATCH namespaces/${FIRST}/deployments/${SMOKE_TEST_DEPLOYMENT}`,
      `DELETE namespaces/${FIRST}/deployments/${SMOKE_TEST_DEPLOYMENT}`,
      `DELETE namespaces/${FIRST}`,
    ]);
    expect(await ownNamespaces()).toEqual([]);
  });

  test('runs its pods on the simulated nodes that the plan names', async () => {
    const nodes = [{ name: 'real' }, { name: 'driftless-node-1' }];
    const seen = new Set<string | undefined>();
    const { run, cluster } = await startBench({ nodes }, (request) => {
      if (request.method === 'PATCH') void cluster.list('pods', { namespace: FIRST }).then(note);
      return undefined;
    });
    const note = (pods: readonly { spec?: { nodeName?: string } }[]) => {
      for (const { spec } of pods) seen.add(spec?.nodeName);
    };
    expect(await run({ ...ROLLOUT, nodeNames: ['driftless-node-1'] })).toMatchObject({ status: 'passed' });
    expect([...seen]).toEqual(['driftless-node-1']);
  });

  test('waits for no pods if the plan does not', async () => {
    const { run, ownNamespaces } = await startBench({ nodes: 0 });
    expect(await run({ checks: 'requests', because: 'there are no nodes', nodeNames: [] })).toMatchObject({
      status: 'passed',
    });
    expect(await ownNamespaces()).toEqual([]);
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
    const { run, ownNamespaces } = await startBench({}, interfere);
    expect(await run()).toMatchObject({ status: 'passed' });
    expect(await ownNamespaces()).toEqual([]);
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
    expect(await bench.ownNamespaces()).toEqual([]);
  });
});

describe('the namespace of the smoke test', () => {
  const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

  test('is another one while a run at the same time has the first', async () => {
    const { run, cluster, ownNamespaces } = await startBench();
    await cluster.apply([namespace(FIRST)]);
    expect(await run()).toMatchObject({ status: 'passed' });
    expect(await ownNamespaces()).toEqual([FIRST]);
  });

  test('is deleted if an earlier run has left it behind, with what is in it', async () => {
    const { run, cluster, ownNamespaces } = await startBench();
    for (const name of SMOKE_TEST_NAMESPACES) await cluster.apply([namespace(name)]);
    await cluster.apply([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'left', namespace: FIRST }, data: { a: 'b' } },
    ]);
    await cluster.advance('16m');
    expect(await run()).toMatchObject({ status: 'passed' });
    await cluster.advance('1m');
    expect(await ownNamespaces()).toEqual([]);
  });

  test('is waited for while other runs have all', async () => {
    const { run, cluster, ownNamespaces } = await startBench({}, (_, count) => {
      if (count === 12) void cluster.delete(`namespace/${SECOND}`);
      return undefined;
    });
    for (const name of SMOKE_TEST_NAMESPACES) await cluster.apply([namespace(name)]);
    expect(await run()).toMatchObject({ status: 'passed' });
    expect(await ownNamespaces()).toEqual([FIRST, THIRD]);
  });

  test('of two runs at once is not the same', async () => {
    const { run, ownNamespaces } = await startBench();
    const outcomes = await Promise.all([run(ROLLOUT, 'one'), run(ROLLOUT, 'two')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['passed', 'passed']);
    expect(await ownNamespaces()).toEqual([]);
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
      /^create a namespace: no answer: TypeError: fetch failed$/,
    ],
    ['the authorizer knows nobody', {}, () => refuse(401, 'Unauthorized'), /^create a namespace: 401: Unauthorized$/],
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
    const { run, ownNamespaces } = await startBench(options, interfere);
    const outcome = await run();
    expect(outcome).toEqual({ status: 'failed', why: expect.stringMatching(why) as string });
    expect(await ownNamespaces()).toEqual([]);
  });

  test('says also that its namespace is left, and the next run removes it', async () => {
    let isBroken = true;
    const { run, cluster, ownNamespaces } = await startBench({}, ({ method }) =>
      isBroken && method === 'DELETE' ? refuse(500, 'no table') : undefined,
    );
    const outcome = await run();
    expect(outcome).toEqual({
      status: 'failed',
      why: 'delete the Deployment: 500: no table; then delete the namespace: 500: no table',
    });
    expect(await ownNamespaces()).toEqual([FIRST]);
    isBroken = false;
    await cluster.advance('16m');
    expect(await run(ROLLOUT, 'next-run')).toMatchObject({ status: 'passed' });
    await cluster.advance('1m');
    expect(await ownNamespaces()).toEqual([]);
  });

  test('ends in time whatever happens', async () => {
    const { run, cluster } = await startBench({ nodes: 0 }, ({ path, method }) =>
      method === 'DELETE' && path.endsWith(FIRST) ? refuse(503, 'busy') : undefined,
    );
    const beganMs = cluster.now().getTime();
    expect(await run()).toMatchObject({ status: 'failed' });
    expect(cluster.now().getTime() - beganMs).toBeLessThanOrEqual(SMOKE_TEST_MS + CLEANUP_MS);
  });
});
