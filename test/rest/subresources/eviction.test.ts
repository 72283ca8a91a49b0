import { beforeEach, describe, expect, test } from 'vitest';
import { type Api, startApi } from '../startApi.ts';

type Members = Record<string, unknown>;

const PODS = '/api/v1/namespaces/default/pods';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const REFUSED = "Cannot evict pod as it would violate the pod's disruption budget.";

let api: Api;
beforeEach(async () => {
  api = await startApi();
});

async function createPod(name: string, ready = true, phase = 'Running') {
  const metadata = { name, labels: { app: 'web' } };
  await api.call('POST', PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { containers: [{ name: 'web', image: 'nginx:1' }] },
  });
  const status = { phase, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] };
  const headers = { 'content-type': 'application/merge-patch+json' };
  await api.call('PATCH', `${PODS}/${name}/status`, { status }, headers);
}

async function createBudget(status: Members, spec: Members = {}, name = 'web') {
  const selector = { matchLabels: { app: 'web' } };
  await api.call('POST', BUDGETS, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { minAvailable: 1, selector, ...spec },
  });
  const counts = {
    currentHealthy: 1,
    desiredHealthy: 1,
    expectedPods: 1,
    disruptionsAllowed: 0,
    observedGeneration: 1,
  };
  const headers = { 'content-type': 'application/merge-patch+json' };
  await api.call('PATCH', `${BUDGETS}/${name}/status`, { status: { ...counts, ...status } }, headers);
}

function evict(name: string, query = '') {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
  return api.call('POST', `${PODS}/${name}/eviction${query}`, eviction);
}

async function budget() {
  return (await api.call('GET', `${BUDGETS}/web`)).body.status;
}

const isDeleting = async (name: string) => {
  const { code, body } = await api.call('GET', `${PODS}/${name}`);
  return code === 404 || body.metadata.deletionTimestamp !== undefined;
};

describe('an eviction', () => {
  test('that the budget allows deletes the pod and is counted', async () => {
    await createPod('web-1');
    await createBudget({ disruptionsAllowed: 1 });
    expect((await evict('web-1')).code).toBe(201);
    expect(await isDeleting('web-1')).toBe(true);
    expect(await budget()).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { 'web-1': '2026-01-01T00:00:00Z' },
      conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }],
    });
  });

  test('that the budget does not allow is refused with its numbers', async () => {
    await createPod('web-1');
    await createBudget({ currentHealthy: 1, desiredHealthy: 2 });
    const { code, body } = await evict('web-1');
    expect(code).toBe(429);
    expect(body).toMatchObject({
      status: 'Failure',
      reason: 'TooManyRequests',
      message: REFUSED,
      details: {
        causes: [
          { reason: 'DisruptionBudget', message: 'The disruption budget web needs 2 healthy pods and has 1 currently' },
        ],
      },
    });
    expect(await isDeleting('web-1')).toBe(false);
  });

  test('waits for a budget that has not been computed yet', async () => {
    await createPod('web-1');
    await createBudget({ observedGeneration: 0, disruptionsAllowed: 5 });
    const { code, body, headers } = await evict('web-1');
    expect([code, headers.get('retry-after')]).toEqual([429, '10']);
    expect(body.details.causes[0].message).toBe('The disruption budget web is still being processed by the server.');
  });

  test('of a pod under two budgets is not supported', async () => {
    await createPod('web-1');
    await createBudget({ disruptionsAllowed: 1 });
    await createBudget({ disruptionsAllowed: 1 }, {}, 'other');
    const { code, body } = await evict('web-1');
    expect([code, body.message]).toEqual([
      500,
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    ]);
  });

  test('says in the status of the pod that it is disrupted, before the pod goes', async () => {
    await createPod('web-1');
    const finalizers = { metadata: { finalizers: ['example.com/wait'] } };
    await api.call('PATCH', `${PODS}/web-1`, finalizers, { 'content-type': 'application/merge-patch+json' });
    expect((await evict('web-1')).code).toBe(201);
    const { metadata, status } = (await api.call('GET', `${PODS}/web-1`)).body;
    expect(metadata.deletionTimestamp).toBeDefined();
    expect(status.conditions).toContainEqual({
      type: 'DisruptionTarget',
      status: 'True',
      lastTransitionTime: '2026-01-01T00:00:00Z',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    });
  });

  test('with the version that it expects deletes the pod, although the status changes first', async () => {
    await createPod('web-1');
    const { resourceVersion, uid } = (await api.call('GET', `${PODS}/web-1`)).body.metadata;
    const evictionOf = (preconditions: Members) => ({
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'web-1' },
      deleteOptions: { preconditions },
    });
    const other = await api.call('POST', `${PODS}/web-1/eviction`, evictionOf({ uid: 'other' }));
    expect([other.code, other.body.reason]).toEqual([409, 'Conflict']);
    expect((await api.call('GET', `${PODS}/web-1`)).body.metadata.resourceVersion).toBe(resourceVersion);
    const wanted = await api.call('POST', `${PODS}/web-1/eviction`, evictionOf({ uid, resourceVersion }));
    expect([wanted.code, await isDeleting('web-1')]).toEqual([201, true]);
  });

  test('for trial changes nothing', async () => {
    await createPod('web-1');
    await createBudget({ disruptionsAllowed: 1 });
    expect((await evict('web-1', '?dryRun=All')).code).toBe(201);
    expect([await isDeleting('web-1'), (await budget()).disruptionsAllowed]).toEqual([false, 1]);
  });

  test.each<[string, boolean, string, Members, Members, boolean]>([
    ['a pod that does not run yet', false, 'Pending', {}, {}, true],
    ['a pod that has ended', false, 'Succeeded', {}, {}, true],
    ['an unhealthy pod while enough are healthy', false, 'Running', { currentHealthy: 2, desiredHealthy: 2 }, {}, true],
    [
      'an unhealthy pod while too few are healthy',
      false,
      'Running',
      { currentHealthy: 1, desiredHealthy: 2 },
      {},
      false,
    ],
    [
      'an unhealthy pod if the policy says so',
      false,
      'Running',
      { currentHealthy: 1, desiredHealthy: 2 },
      { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      true,
    ],
  ])('of %s', async (_, ready, phase, status, spec, allowed) => {
    await createPod('web-1', ready, phase);
    await createBudget(status, spec);
    expect((await evict('web-1')).code).toBe(allowed ? 201 : 429);
    expect((await budget()).disruptedPods).toBeUndefined();
  });
});
