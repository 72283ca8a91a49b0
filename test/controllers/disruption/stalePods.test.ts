import { beforeEach, describe, expect, test } from 'vitest';
import { podConditionOf } from '../../../lambdas/objects/pods/podState.ts';
import { DisruptionBench, type Members, READY } from './DisruptionBench.ts';

const TARGET = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const TWO_MINUTES_MS = 120_000;

let bench: DisruptionBench;
beforeEach(async () => {
  bench = new DisruptionBench();
  await bench.start();
});

function createTarget(condition: Members = {}, status: Members = {}): Promise<void> {
  return bench.createPod('web-1', undefined, { ...READY, conditions: [{ ...TARGET, ...condition }], ...status });
}

describe('the condition DisruptionTarget', () => {
  test('is taken back from a pod that nobody has deleted for two minutes', async () => {
    await createTarget();
    await bench.settle();
    await bench.advance(TWO_MINUTES_MS - 1_000);
    expect(podConditionOf(await bench.pod('web-1'), 'DisruptionTarget')).toEqual(TARGET);
    await bench.advance(1_000);
    expect(podConditionOf(await bench.pod('web-1'), 'DisruptionTarget')).toEqual({
      type: 'DisruptionTarget',
      status: 'False',
      lastTransitionTime: '2026-01-01T00:02:00Z',
    });
  });

  test.each<[string, Members, Members]>([
    ['a kubelet ends the pod', { reason: 'TerminationByKubelet' }, {}],
    ['the pod has failed', {}, { phase: 'Failed' }],
    ['it is false already', { status: 'False', reason: 'Other' }, {}],
  ])('stays when %s', async (_, condition, status) => {
    await createTarget(condition, status);
    await bench.settle();
    await bench.advance(2 * TWO_MINUTES_MS);
    expect(podConditionOf(await bench.pod('web-1'), 'DisruptionTarget')).toEqual({ ...TARGET, ...condition });
  });

  test('stays on a pod that is being deleted', async () => {
    await createTarget();
    const pod = await bench.pod('web-1');
    await bench.registry.update('pods', {
      ...pod,
      metadata: { ...pod.metadata, finalizers: ['example.com/wait'] },
    } as never);
    await bench.settle();
    await bench.registry.delete({ resource: 'pods', namespace: 'default', name: 'web-1' });
    await bench.settle();
    await bench.advance(2 * TWO_MINUTES_MS);
    expect(podConditionOf(await bench.pod('web-1'), 'DisruptionTarget')).toEqual(TARGET);
  });
});

test('an evicted pod that is not deleted in time is reported', async () => {
  await bench.createPod('web-1');
  await bench.createBudget({ minAvailable: 0 });
  await bench.settle();
  const budget = await bench.get('poddisruptionbudgets.policy', 'default', 'web');
  if (!budget) throw new Error('the budget is gone');
  const status = { ...(budget['status'] as Members), disruptedPods: { 'web-1': '2026-01-01T00:00:00Z' } };
  await bench.registry.update('poddisruptionbudgets.policy', { ...budget, status }, { subresource: 'status' });
  await bench.settle();
  expect(await bench.budgetStatus()).toMatchObject({ currentHealthy: 0, disruptionsAllowed: 0 });
  await bench.advance(TWO_MINUTES_MS);
  expect(await bench.budgetStatus()).toMatchObject({ currentHealthy: 1, disruptionsAllowed: 1 });
  expect(bench.messages('NotDeleted')).toEqual(["Pod was expected by PDB default/default to be deleted but it wasn't"]);
});
