import { beforeEach, describe, expect, test } from 'vitest';
import { DisruptionBench, type Members, READY } from './DisruptionBench.ts';

let bench: DisruptionBench;
beforeEach(async () => {
  bench = new DisruptionBench();
  await bench.start();
});

describe('the disruption controller', () => {
  test.each<[string, Members, number, Members]>([
    ['a number that must stay', { minAvailable: 2 }, 3, { expectedPods: 3, desiredHealthy: 2, disruptionsAllowed: 1 }],
    [
      'a percentage that must stay',
      { minAvailable: '50%' },
      3,
      { expectedPods: 4, desiredHealthy: 2, disruptionsAllowed: 1 },
    ],
    [
      'a percentage that must stay, rounded up',
      { minAvailable: '51%' },
      4,
      { expectedPods: 4, desiredHealthy: 3, disruptionsAllowed: 1 },
    ],
    ['a number that may go', { maxUnavailable: 1 }, 3, { expectedPods: 4, desiredHealthy: 3, disruptionsAllowed: 0 }],
    [
      'a percentage that may go, rounded up',
      { maxUnavailable: '30%' },
      4,
      { expectedPods: 4, desiredHealthy: 2, disruptionsAllowed: 2 },
    ],
    ['a number beyond all', { maxUnavailable: 9 }, 4, { expectedPods: 4, desiredHealthy: 0, disruptionsAllowed: 4 }],
    ['nothing', {}, 3, { expectedPods: 0, desiredHealthy: 0, disruptionsAllowed: 0 }],
  ])('counts against %s', async (_, spec, pods, status) => {
    const owner = await bench.createReplicaSet(4);
    for (let index = 0; index < pods; index++) await bench.createPod(`web-${index}`, owner);
    await bench.createBudget(spec);
    await bench.settle();
    expect(await bench.budgetStatus()).toMatchObject({ ...status, currentHealthy: pods, observedGeneration: 1 });
  });

  test('follows the health of the pods', async () => {
    await bench.createBudget({ minAvailable: 1 });
    await bench.createPod('web-1');
    await bench.createPod('web-2');
    await bench.settle();
    expect(await bench.budgetStatus()).toMatchObject({
      disruptionsAllowed: 1,
      conditions: [
        { type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods', message: '', observedGeneration: 1 },
      ],
    });
    const conditions = [{ type: 'Ready', status: 'False' }];
    await bench.setStatus(await bench.pod('web-1'), { ...READY, conditions });
    await bench.settle();
    expect(await bench.budgetStatus()).toMatchObject({
      currentHealthy: 1,
      disruptionsAllowed: 0,
      conditions: [{ status: 'False', reason: 'InsufficientPods' }],
    });
  });

  test('allows nothing while the number of pods is unknown, and shows that the last change of the budget was not counted', async () => {
    await bench.createBudget({ minAvailable: 1 });
    await bench.settle();
    await bench.createPod('web-1', { apiVersion: 'a.b/v1', kind: 'Robot', name: 'r', uid: 'u', controller: true });
    const budget = await bench.get('poddisruptionbudgets.policy', 'default', 'web');
    if (!budget) throw new Error('the budget is gone');
    const { minAvailable: _, ...spec } = budget['spec'] as Members;
    await bench.registry.update('poddisruptionbudgets.policy', { ...budget, spec: { ...spec, maxUnavailable: 1 } });
    await bench.settle();
    const message = 'no matches for kind "Robot" in version "a.b/v1"';
    expect(await bench.budgetStatus()).toMatchObject({
      disruptionsAllowed: 0,
      observedGeneration: 1,
      conditions: [{ status: 'False', reason: 'SyncFailed', message, observedGeneration: 1 }],
    });
    expect(bench.events.at(-1)).toMatchObject({
      type: 'Warning',
      reason: 'CalculateExpectedPodCountFailed',
      message: `Failed to calculate the number of expected pods: ${message}`,
    });
  });

  test('reports a budget that selects nothing', async () => {
    await bench.createBudget({ minAvailable: 1 });
    await bench.settle();
    expect(bench.messages('NoPods')).toContain('No matching pods found');
  });

  test('counts the controllers of other pods, and warns of pods without one', async () => {
    const owner = await bench.createReplicaSet(2);
    await bench.createPod('web-1', owner);
    await bench.createPod('bare');
    await bench.createBudget({ maxUnavailable: 1 });
    await bench.settle();
    expect(await bench.budgetStatus()).toMatchObject({ expectedPods: 2, desiredHealthy: 1, disruptionsAllowed: 1 });
    expect(bench.messages('UnmanagedPods')[0]).toBe(
      'Pods selected by this PodDisruptionBudget (selector: &LabelSelector{MatchLabels:map[string]string{app: web,},MatchExpressions:[]LabelSelectorRequirement{},}) were found to be unmanaged. ' +
        'As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. ' +
        'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.',
    );
  });

  test('writes selectors with expressions as Kubernetes does', async () => {
    const expressions = [{ key: 'app', operator: 'In', values: ['web', 'api'] }];
    await bench.createBudget({ maxUnavailable: 1, selector: { matchExpressions: expressions } });
    await bench.createPod('bare');
    await bench.settle();
    expect(bench.messages('UnmanagedPods')[0]).toContain(
      '(selector: &LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:app,Operator:In,Values:[web api],},},})',
    );
  });

  test('warns of pods without a controller only where controllers are counted', async () => {
    await bench.createPod('bare');
    await bench.createBudget({ minAvailable: 1 });
    await bench.settle();
    expect(bench.messages('UnmanagedPods')).toEqual([]);
  });

  test('warns of pods that several budgets select', async () => {
    await bench.createPod('web-1');
    await bench.createBudget({ minAvailable: 1 });
    await bench.createBudget({ minAvailable: 1 }, 'other');
    await bench.settle();
    expect(bench.messages('MultiplePodDisruptionBudgets')).toContain(
      'Pod "default"/"web-1" matches multiple PodDisruptionBudgets.  Chose "other" arbitrarily.',
    );
  });
});
