import { describe, expect, test } from 'vitest';
import { decideBudget } from '../../../lambdas/controllers/disruption/decideBudget.ts';
import type { PodDisruptionBudget } from '../../../lambdas/controllers/disruption/expectedPods.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { LABELS, READY } from './DisruptionBench.ts';

const NOW_MS = Date.parse('2026-01-01T00:10:00Z');
const pod = { metadata: { name: 'web-1', labels: LABELS }, status: READY } as unknown as Pod;
const expected = { expected: 2, desired: 0, unmanaged: [] };

function budget(evictedAt: string): PodDisruptionBudget {
  return {
    metadata: { name: 'web', generation: 1 },
    status: { disruptedPods: { 'web-1': evictedAt } },
  } as unknown as PodDisruptionBudget;
}

describe('an evicted pod', () => {
  test('counts as gone for two minutes', () => {
    const { status, recheckAfterMs, notDeleted } = decideBudget(
      budget('2026-01-01T00:09:00Z'),
      [pod],
      expected,
      NOW_MS,
    );
    expect(status).toMatchObject({ currentHealthy: 0, disruptedPods: { 'web-1': '2026-01-01T00:09:00Z' } });
    expect([recheckAfterMs, notDeleted]).toEqual([60_000, []]);
  });

  test('counts again if it is not deleted by then, and is reported', () => {
    const { status, recheckAfterMs, notDeleted } = decideBudget(
      budget('2026-01-01T00:08:00Z'),
      [pod],
      expected,
      NOW_MS,
    );
    expect([status.currentHealthy, status.disruptedPods, recheckAfterMs]).toEqual([1, undefined, undefined]);
    expect(notDeleted).toEqual([pod]);
  });

  test('is forgotten when it is being deleted', () => {
    const metadata = { ...pod.metadata, deletionTimestamp: '2026-01-01T00:09:30Z' };
    const { status } = decideBudget(budget('2026-01-01T00:09:00Z'), [{ ...pod, metadata }], expected, NOW_MS);
    expect([status.currentHealthy, status.disruptedPods]).toEqual([0, undefined]);
  });

  test('is forgotten when it is gone', () => {
    const { status } = decideBudget(budget('2026-01-01T00:09:00Z'), [], expected, NOW_MS);
    expect([status.currentHealthy, status.disruptedPods]).toEqual([0, undefined]);
  });
});

describe('the status of a budget', () => {
  test.each<[string, { expected: number; desired: number }, number]>([
    ['allows what is more than needed', { expected: 3, desired: 1 }, 1],
    ['allows nothing when there is as much as needed', { expected: 3, desired: 2 }, 0],
    ['allows nothing when there is less than needed', { expected: 3, desired: 3 }, 0],
    ['allows nothing while no pod is expected', { expected: 0, desired: 0 }, 0],
  ])('%s', (_, wanted, allowed) => {
    const second = { ...pod, metadata: { ...pod.metadata, name: 'web-2' } };
    const bare = { metadata: { name: 'web', generation: 3 } } as unknown as PodDisruptionBudget;
    const { status } = decideBudget(bare, [pod, second], { ...wanted, unmanaged: [] }, NOW_MS);
    expect([status.disruptionsAllowed, status.observedGeneration]).toEqual([allowed, 3]);
  });

  test('keeps conditions of others in their places', () => {
    const condition = { reason: 'R', message: '', status: 'True', lastTransitionTime: '2025-01-01T00:00:00Z' };
    const allowed = { ...condition, type: 'DisruptionAllowed' };
    const other = { ...condition, type: 'Other' };
    const known = {
      metadata: { name: 'web' },
      status: { conditions: [allowed, other] },
    } as unknown as PodDisruptionBudget;
    const { status } = decideBudget(known, [pod], { ...expected, desired: 0 }, NOW_MS);
    expect(status.conditions).toMatchObject([{ type: 'DisruptionAllowed', reason: 'SufficientPods' }, other]);
    expect(status.conditions?.[0]?.lastTransitionTime).toBe('2025-01-01T00:00:00Z');
  });
});
