import { beforeEach, describe, expect, test } from 'vitest';
import { conflict } from '../../../lambdas/objects/apiErrors.ts';
import type { DeleteOptions, Registry } from '../../../lambdas/registry/Registry.ts';
import { evictPod } from '../../../lambdas/rest/subresources/evictPod.ts';
import { BUDGETS, DisruptionBench, READY } from '../../controllers/disruption/DisruptionBench.ts';

/** The controller of budgets does not run here: what a budget says stays until an eviction changes it. */
let bench: DisruptionBench;
beforeEach(async () => {
  bench = new DisruptionBench();
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
});

async function createBudget(disruptionsAllowed: number): Promise<void> {
  const budget = await bench.createBudget({ minAvailable: 1 });
  const status = { observedGeneration: 1, currentHealthy: 9, desiredHealthy: 9, expectedPods: 9, disruptionsAllowed };
  await bench.registry.update(BUDGETS, { ...budget, status }, { subresource: 'status' });
}

/** Evicts the pod. Resolves to `evicted`, or to the code and the first cause of the refusal. */
async function evict(name: string, registry: Registry = bench.registry, options: DeleteOptions = {}): Promise<unknown> {
  const deps = { registry, clock: bench.clock, servesBudgets: true };
  try {
    await evictPod(deps, { resource: 'pods', namespace: 'default', name }, options);
    return 'evicted';
  } catch (error) {
    const { code, details } = error as { code: number; details?: { causes?: { message: string }[] } };
    return [code, details?.causes?.[0]?.message];
  }
}

/** The registry, with something that happens before the first update of such an object. */
function withEventBefore(resource: string, happen: () => Promise<unknown>): Registry {
  let isDone = false;
  const { registry } = bench;
  return {
    get: (key) => registry.get(key),
    list: (...list) => registry.list(...list),
    create: (...created) => registry.create(...created),
    delete: (...deleted) => registry.delete(...deleted),
    update: async (name, object, options) => {
      if (name === resource && !isDone) {
        isDone = true;
        await happen();
      }
      return registry.update(name, object, options);
    },
  };
}

/** The registry whose first updates of such objects meet other writes. */
function withConflicts(resource: string, times: number): Registry {
  let left = times;
  return {
    ...withEventBefore('none', async () => {}),
    update: async (name, object, options) => {
      if (name !== resource || left === 0) return bench.registry.update(name, object, options);
      left -= 1;
      return { status: 'refused', error: conflict(resource, object.metadata.name) };
    },
  };
}

async function names(): Promise<string[]> {
  return await bench.names('pods', 'default');
}

const NEEDS_NINE = 'The disruption budget web needs 9 healthy pods and has 9 currently';
const PROCESSED = 'The disruption budget web is still being processed by the server.';

describe('an eviction', () => {
  test('of ten pods at once takes no more than the budget allows', async () => {
    const pods = Array.from({ length: 10 }, (_, index) => `web-${index}`);
    for (const name of pods) await bench.createPod(name);
    await createBudget(3);
    const answers = await Promise.all(pods.map((name) => evict(name)));
    expect(answers.filter((answer) => answer === 'evicted')).toHaveLength(3);
    const refusals = answers.filter((answer) => answer !== 'evicted');
    expect(refusals).toEqual(Array.from({ length: 7 }, () => [429, NEEDS_NINE]));
    expect(await names()).toHaveLength(7);
    expect(Object.keys((await bench.budgetStatus())?.['disruptedPods'] as object)).toHaveLength(3);
  });

  test('of a pod that becomes healthy meanwhile is decided anew', async () => {
    await bench.createPod('web-1', undefined, { phase: 'Pending' });
    await createBudget(0);
    const registry = withEventBefore('pods', async () => bench.setStatus(await bench.pod('web-1'), READY));
    expect(await evict('web-1', registry)).toEqual([429, NEEDS_NINE]);
    expect(await names()).toEqual(['web-1']);
  });

  test('does not take the pod that has the name by then', async () => {
    await bench.createPod('web-1');
    await createBudget(1);
    const registry = withEventBefore('pods', async () => {
      await bench.registry.delete({ resource: 'pods', namespace: 'default', name: 'web-1' });
      await bench.createPod('web-1');
    });
    expect(await evict('web-1', registry)).toEqual([429, NEEDS_NINE]);
    expect(await names()).toEqual(['web-1']);
  });

  test('under a budget that is deleted meanwhile goes on without it', async () => {
    await bench.createPod('web-1');
    await createBudget(1);
    const registry = withEventBefore(BUDGETS, () =>
      bench.registry.delete({ resource: BUDGETS, namespace: 'default', name: 'web' }),
    );
    expect([await evict('web-1', registry), await names()]).toEqual(['evicted', []]);
  });

  test('charges its budget once, however often the pod changes', async () => {
    await bench.createPod('web-1');
    await createBudget(5);
    expect(await evict('web-1', withConflicts('pods', 8))).toBe('evicted');
    expect(await bench.budgetStatus()).toMatchObject({ disruptionsAllowed: 4 });
  });

  test('that meets other writes again and again asks the client to come back', async () => {
    await bench.createPod('web-1');
    await createBudget(1);
    expect(await evict('web-1', withConflicts(BUDGETS, 20))).toEqual([429, PROCESSED]);
    expect([await names(), (await bench.budgetStatus())?.['disruptedPods']]).toEqual([['web-1'], undefined]);
  });

  test.each([
    ['UID', { uid: 'other' }],
    ['version', { resourceVersion: '1' }],
  ])('of a pod with another %s costs the budget nothing', async (_, preconditions) => {
    await bench.createPod('web-1');
    await createBudget(1);
    expect(await evict('web-1', bench.registry, { preconditions })).toEqual([409, undefined]);
    expect(await bench.budgetStatus()).toMatchObject({ disruptionsAllowed: 1 });
  });

  test('for trial charges nothing and deletes nothing', async () => {
    await bench.createPod('web-1');
    await createBudget(1);
    expect(await evict('web-1', bench.registry, { dryRun: true })).toBe('evicted');
    expect([await names(), (await bench.budgetStatus())?.['disruptionsAllowed']]).toEqual([['web-1'], 1]);
  });

  test('for trial is refused as the eviction would be', async () => {
    await bench.createPod('web-1');
    await createBudget(0);
    expect(await evict('web-1', bench.registry, { dryRun: true })).toEqual([429, NEEDS_NINE]);
  });
});
