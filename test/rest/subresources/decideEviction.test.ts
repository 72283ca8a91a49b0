import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import {
  decideEviction,
  type EvictionDecision,
  type PodDisruptionBudget,
} from '../../../lambdas/objects/pods/decideEviction.ts';

type Members = Record<string, unknown>;

const NOW = '2026-01-01T00:00:00Z';
const VIOLATES = "Cannot evict pod as it would violate the pod's disruption budget.";

function podOf(phase: string, isReady: boolean, metadata: Members = {}): Pod {
  const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }];
  return { metadata: { name: 'web-1', resourceVersion: '7', ...metadata }, status: { phase, conditions } } as never;
}

function budgetOf(status: Members, spec: Members = {}, generation = 1): PodDisruptionBudget {
  const counted = {
    observedGeneration: 1,
    disruptionsAllowed: 0,
    currentHealthy: 2,
    desiredHealthy: 2,
    expectedPods: 2,
  };
  return { metadata: { name: 'web', generation }, spec, status: { ...counted, ...status } } as never;
}

/** The code, the message, the cause and the seconds to wait of a refusal. */
function refusal(decision: EvictionDecision): unknown {
  if (decision.decision !== 'refuse') return decision.decision;
  const { code, message, details } = decision.error;
  return [code, message, details?.causes?.[0]?.message, details?.retryAfterSeconds];
}

const failed = { type: 'DisruptionAllowed', status: 'False', lastTransitionTime: NOW };
const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`web-${index}`, NOW]));

describe('an eviction is refused', () => {
  test.each<[string, PodDisruptionBudget, unknown[]]>([
    [
      'while the budget has changed and was not computed since',
      budgetOf({ disruptionsAllowed: 3 }, {}, 2),
      [429, VIOLATES, 'The disruption budget web is still being processed by the server.', 10],
    ],
    [
      'when as many pods are healthy as must be',
      budgetOf({}),
      [429, VIOLATES, 'The disruption budget web needs 2 healthy pods and has 2 currently', undefined],
    ],
    [
      'when the budget could not be computed, whatever its numbers say',
      budgetOf({ conditions: [{ ...failed, reason: 'SyncFailed', message: 'no scale' }] }),
      [
        429,
        VIOLATES,
        'The disruption budget web does not allow evicting pods currently because it failed sync: no scale',
        undefined,
      ],
    ],
    [
      'for a reason of its own, when more pods are healthy than must be',
      budgetOf({ currentHealthy: 4, conditions: [{ ...failed, reason: 'Frozen', message: 'not today' }] }),
      [
        429,
        VIOLATES,
        'The disruption budget web does not allow evicting pods currently (Frozen): not today',
        undefined,
      ],
    ],
    [
      'without a reason, when more pods are healthy than must be',
      budgetOf({ currentHealthy: 4, conditions: [{ ...failed, reason: 'InsufficientPods', message: '' }] }),
      [429, VIOLATES, 'The disruption budget web does not allow evicting pods currently', undefined],
    ],
    [
      'when the budget allows less than nothing',
      budgetOf({ disruptionsAllowed: -1 }),
      [403, 'poddisruptionbudget.policy "web" is forbidden: pdb disruptions allowed is negative', undefined, undefined],
    ],
    [
      'when more than 2000 evicted pods are not deleted yet',
      budgetOf({ disruptionsAllowed: 1, disruptedPods: many }),
      [
        403,
        'poddisruptionbudget.policy "web" is forbidden: DisruptedPods map too big - too many evictions not confirmed by PDB controller',
        undefined,
        undefined,
      ],
    ],
  ])('%s', (_, budget, expected) => {
    expect(refusal(decideEviction(podOf('Running', true), [budget], NOW))).toEqual(expected);
  });

  test('when two budgets select the pod, with an error that has no reason', () => {
    const decision = decideEviction(podOf('Running', true), [budgetOf({}), budgetOf({})], NOW);
    const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    expect(refusal(decision)).toEqual([500, message, undefined, undefined]);
    expect(decision.decision === 'refuse' && decision.error.statusReason).toBe('');
  });
});

const always = { unhealthyPodEvictionPolicy: 'AlwaysAllow' };
const ifHealthy = { unhealthyPodEvictionPolicy: 'IfHealthyBudget' };
const pinned: EvictionDecision = { decision: 'delete', resourceVersion: '7' };

describe('an eviction does not count against the budget', () => {
  test.each<[string, Pod, PodDisruptionBudget, EvictionDecision]>([
    ['of a pod that has failed', podOf('Failed', false), budgetOf({}), { decision: 'delete' }],
    ['of a pod that has succeeded', podOf('Succeeded', false), budgetOf({}), { decision: 'delete' }],
    [
      'of a pod that is being deleted',
      podOf('Running', true, { deletionTimestamp: NOW }),
      budgetOf({}),
      { decision: 'delete' },
    ],
    ['of a pod that does not run yet, as long as it does not', podOf('Pending', false), budgetOf({}), pinned],
    ['of an unhealthy pod while enough are healthy', podOf('Running', false), budgetOf({}), pinned],
    ['of an unhealthy pod with the default policy by name', podOf('Running', false), budgetOf({}, ifHealthy), pinned],
    [
      'of an unhealthy pod under the policy AlwaysAllow',
      podOf('Running', false),
      budgetOf({ currentHealthy: 1 }, always),
      pinned,
    ],
    [
      'of an unhealthy pod under the policy AlwaysAllow, with a budget that was not computed yet',
      podOf('Running', false),
      budgetOf({}, always, 2),
      pinned,
    ],
  ])('%s', (_, pod, budget, decision) => {
    expect(decideEviction(pod, [budget], NOW)).toEqual(decision);
  });
});

describe('an eviction counts against the budget', () => {
  test.each<[string, Pod, PodDisruptionBudget, string]>([
    ['of a healthy pod', podOf('Running', true), budgetOf({ disruptionsAllowed: 1 }), 'charge'],
    ['of a healthy pod under the policy AlwaysAllow', podOf('Running', true), budgetOf({}, always), 'refuse'],
    [
      'of an unhealthy pod while too few are healthy',
      podOf('Running', false),
      budgetOf({ currentHealthy: 1 }, ifHealthy),
      'refuse',
    ],
    [
      'of an unhealthy pod when none must be healthy',
      podOf('Running', false),
      budgetOf({ desiredHealthy: 0, currentHealthy: 1, disruptionsAllowed: 1 }),
      'charge',
    ],
  ])('%s', (_, pod, budget, decision) => {
    expect(decideEviction(pod, [budget], NOW).decision).toBe(decision);
  });

  test('and the budget remembers the pod, and says when it allows no more', () => {
    const two = decideEviction(podOf('Running', true), [budgetOf({ disruptionsAllowed: 2 })], NOW);
    expect(two.decision === 'charge' && two.budget.status).toMatchObject({
      disruptionsAllowed: 1,
      disruptedPods: { 'web-1': NOW },
    });
    const one = decideEviction(podOf('Running', true), [budgetOf({ disruptionsAllowed: 1 })], NOW);
    expect(one.decision === 'charge' && one.budget.status?.conditions).toMatchObject([
      { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' },
    ]);
  });
});
