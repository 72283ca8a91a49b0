import { beforeEach, describe, expect, test } from 'vitest';
import { createDisruptionController } from '../../../lambdas/controllers/disruption/createDisruptionController.ts';
import { decideBudget } from '../../../lambdas/controllers/disruption/decideBudget.ts';
import type { PodDisruptionBudget } from '../../../lambdas/controllers/disruption/expectedPods.ts';
import type { EventToRecord } from '../../../lambdas/controllers/EventRecorder.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

type Members = Record<string, unknown>;

const BUDGETS = 'poddisruptionbudgets.policy';
const LABELS = { app: 'web' };
const READY = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

let bench: ControllerBench;
let events: EventToRecord[];
beforeEach(async () => {
  bench = new ControllerBench();
  events = [];
  const record = async (more: readonly EventToRecord[]) => void events.push(...more);
  bench.add(createDisruptionController({ objectStore: bench.objectStore, events: { record } }));
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
});

function createBudget(spec: Members) {
  return bench.create(BUDGETS, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector: { matchLabels: LABELS }, ...spec },
  });
}

async function createPod(name: string, owner?: Members, status: Members = READY) {
  const pod = await bench.create('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: LABELS, ...(owner && { ownerReferences: [owner as never] }) },
    spec: { containers: [{ name: 'web', image: 'nginx:1' }] },
  });
  await bench.registry.update('pods', { ...pod, status }, { subresource: 'status' });
}

async function createReplicaSet(replicas: number): Promise<Members> {
  const template = { metadata: { labels: LABELS }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } };
  const { metadata } = await bench.create<KubernetesObject>('replicasets.apps', {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas, selector: { matchLabels: LABELS }, template },
  });
  return { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: metadata.uid, controller: true };
}

async function statusOf(): Promise<Members | undefined> {
  return (await bench.get(BUDGETS, 'default', 'web'))?.['status'] as Members | undefined;
}

describe('the disruption controller', () => {
  test.each<[string, Members, number, Members]>([
    ['a number that must stay', { minAvailable: 2 }, 3, { expectedPods: 3, desiredHealthy: 2, disruptionsAllowed: 1 }],
    [
      'a percentage that must stay',
      { minAvailable: '50%' },
      3,
      { expectedPods: 4, desiredHealthy: 2, disruptionsAllowed: 1 },
    ],
    ['a number that may go', { maxUnavailable: 1 }, 3, { expectedPods: 4, desiredHealthy: 3, disruptionsAllowed: 0 }],
    [
      'a percentage that may go, rounded up',
      { maxUnavailable: '30%' },
      4,
      { expectedPods: 4, desiredHealthy: 2, disruptionsAllowed: 2 },
    ],
    ['nothing', {}, 3, { expectedPods: 0, desiredHealthy: 0, disruptionsAllowed: 0 }],
  ])('counts against %s', async (_, spec, pods, status) => {
    const owner = await createReplicaSet(4);
    for (let index = 0; index < pods; index++) await createPod(`web-${index}`, owner);
    await createBudget(spec);
    await bench.settle();
    expect(await statusOf()).toMatchObject({ ...status, currentHealthy: pods, observedGeneration: 1 });
  });

  test('follows the health of the pods', async () => {
    await createBudget({ minAvailable: 1 });
    await createPod('web-1');
    await createPod('web-2');
    await bench.settle();
    expect(await statusOf()).toMatchObject({
      disruptionsAllowed: 1,
      conditions: [
        { type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods', message: '', observedGeneration: 1 },
      ],
    });
    const pod = await bench.get('pods', 'default', 'web-1');
    if (!pod) throw new Error('the pod is gone');
    const conditions = [{ type: 'Ready', status: 'False' }];
    await bench.registry.update('pods', { ...pod, status: { ...READY, conditions } }, { subresource: 'status' });
    await bench.settle();
    expect(await statusOf()).toMatchObject({
      currentHealthy: 1,
      disruptionsAllowed: 0,
      conditions: [{ status: 'False', reason: 'InsufficientPods' }],
    });
  });

  test('allows nothing if a pod has a controller that it does not know', async () => {
    await createPod('web-1', { apiVersion: 'a.b/v1', kind: 'Robot', name: 'r', uid: 'u', controller: true });
    await createBudget({ maxUnavailable: 1 });
    await bench.settle();
    const message = 'found no controllers for pod "web-1"';
    expect(await statusOf()).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ status: 'False', reason: 'SyncFailed', message }],
    });
    expect(events.at(-1)).toMatchObject({
      type: 'Warning',
      reason: 'CalculateExpectedPodCountFailed',
      message: `Failed to calculate the number of expected pods: ${message}`,
    });
  });

  test('reports a budget that selects nothing', async () => {
    await createBudget({ minAvailable: 1 });
    await bench.settle();
    expect(events.map(({ reason, message }) => [reason, message])).toContainEqual(['NoPods', 'No matching pods found']);
  });
});

describe('an evicted pod', () => {
  const NOW_MS = Date.parse('2026-01-01T00:10:00Z');
  const pod = { metadata: { name: 'web-1', labels: LABELS }, status: READY } as unknown as Pod;
  const budget = (evictedAt: string) =>
    ({
      metadata: { name: 'web', generation: 1 },
      status: { disruptedPods: { 'web-1': evictedAt } },
    }) as unknown as PodDisruptionBudget;
  const expected = { expected: 2, desired: 0 };

  test('counts as gone for two minutes', () => {
    const { status, recheckAfterMs } = decideBudget(budget('2026-01-01T00:09:00Z'), [pod], expected, NOW_MS);
    expect(status).toMatchObject({ currentHealthy: 0, disruptedPods: { 'web-1': '2026-01-01T00:09:00Z' } });
    expect(recheckAfterMs).toBe(60_000);
  });

  test('counts again if it is not deleted by then', () => {
    const { status, recheckAfterMs } = decideBudget(budget('2026-01-01T00:08:00Z'), [pod], expected, NOW_MS);
    expect([status.currentHealthy, status.disruptedPods, recheckAfterMs]).toEqual([1, undefined, undefined]);
  });

  test('is forgotten when it is being deleted', () => {
    const metadata = { ...pod.metadata, deletionTimestamp: '2026-01-01T00:09:30Z' };
    const { status } = decideBudget(budget('2026-01-01T00:09:00Z'), [{ ...pod, metadata }], expected, NOW_MS);
    expect([status.currentHealthy, status.disruptedPods]).toEqual([0, undefined]);
  });
});
