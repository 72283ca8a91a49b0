import type { DeploymentCondition } from 'kubernetes-types/apps/v1.js';
import { describe, expect, test } from 'vitest';
import {
  deploymentComplete,
  deploymentProgressing,
  requeueStuckDeployment,
} from '../../../lambdas/controllers/deployment/assessProgress.ts';
import { statusAfter } from '../../../lambdas/controllers/deployment/calculateStatus.ts';
import { foundCondition, pausedCondition } from '../../../lambdas/controllers/deployment/decideDeployment.ts';
import { NO_SCALING, type RolloutStep } from '../../../lambdas/controllers/deployment/Step.ts';
import { findCondition, withCondition } from '../../../lambdas/objects/deployments/deploymentConditions.ts';
import { deploymentOf, NOW_MS, replicaSetOf, rolloutOf } from '../../support/deploymentFixtures.ts';

const NOW = '2026-01-01T00:10:00Z';
const EARLIER = '2026-01-01T00:00:00Z';
const DEADLINE = { progressDeadlineSeconds: 600 };

function conditionOf(reason: string, facts: Partial<DeploymentCondition> = {}): DeploymentCondition {
  const status = reason === 'ProgressDeadlineExceeded' ? 'False' : 'True';
  const times = { lastUpdateTime: EARLIER, lastTransitionTime: EARLIER };
  return { type: 'Progressing', status, reason, message: 'as it was', ...times, ...facts };
}

/** The status after a step that resizes nothing. */
function statusOf(rollout: ReturnType<typeof rolloutOf>, status: RolloutStep['status'] = 'counts') {
  return statusAfter(rollout, { write: 'rollout', ...NO_SCALING, status }, undefined);
}

describe('status (calculateStatus)', () => {
  test('counts are sums over all replica sets, and updated replicas are those of the new one', () => {
    const rollout = rolloutOf(
      deploymentOf({ status: { collisionCount: 2 } }),
      replicaSetOf('new', { replicas: 5, current: 4, ready: 3, available: 2, terminating: 1 }),
      replicaSetOf('old', { replicas: 8, current: 8, ready: 8, available: 7, terminating: 2 }),
    );
    expect(statusOf(rollout)).toEqual({
      observedGeneration: 1,
      replicas: 12,
      updatedReplicas: 4,
      readyReplicas: 11,
      availableReplicas: 9,
      unavailableReplicas: 4,
      terminatingReplicas: 3,
      collisionCount: 2,
      conditions: [expect.objectContaining({ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' })],
    });
  });

  test('unavailable replicas are never negative, and counts of zero are left out', () => {
    const rollout = rolloutOf(
      deploymentOf({ replicas: 0 }),
      replicaSetOf('new', { replicas: 0, current: 0, available: 2 }),
    );
    const status = statusOf(rollout);
    expect(status).toMatchObject({ observedGeneration: 1, availableReplicas: 2 });
    expect(Object.keys(status)).not.toContain('unavailableReplicas');
    expect(Object.keys(status)).not.toContain('replicas');
  });

  test('terminating replicas are left out if one replica set does not report them', () => {
    const rollout = rolloutOf(
      deploymentOf(),
      replicaSetOf('new', { replicas: 1, terminating: 1 }),
      replicaSetOf('old', { replicas: 1 }),
    );
    expect(statusOf(rollout)).not.toHaveProperty('terminatingReplicas');
  });

  test.each([
    ['10 of 10, 2 may be missing', 10, '25%', 10, 'True'],
    ['8 of 10, 2 may be missing', 10, '25%', 8, 'True'],
    ['7 of 10, 2 may be missing', 10, '25%', 7, 'False'],
    ['0 of 0', 0, '25%', 0, 'True'],
  ])('available: %s', (_, replicas, maxUnavailable, available, status) => {
    const rollout = rolloutOf(deploymentOf({ replicas, maxUnavailable }), replicaSetOf('new', { replicas, available }));
    expect(findCondition(statusOf(rollout).conditions ?? [], 'Available')).toMatchObject({ status });
  });

  test('a Recreate deployment is available only with all its replicas', () => {
    const deployment = deploymentOf({ replicas: 4, strategy: { type: 'Recreate' } });
    const rollout = rolloutOf(deployment, replicaSetOf('new', { replicas: 4, available: 3 }));
    expect(statusOf(rollout).conditions?.[0]).toMatchObject({ status: 'False' });
  });

  test.each([
    ['all updated, available, and none old', { updatedReplicas: 10, replicas: 10, availableReplicas: 10 }, true],
    ['an old one left', { updatedReplicas: 10, replicas: 11, availableReplicas: 10 }, false],
    ['one not updated', { updatedReplicas: 9, replicas: 10, availableReplicas: 10 }, false],
    ['one not available', { updatedReplicas: 10, replicas: 10, availableReplicas: 9 }, false],
    [
      'of an earlier generation',
      { updatedReplicas: 10, replicas: 10, availableReplicas: 10, observedGeneration: 0 },
      false,
    ],
  ])('complete: %s', (_, counts, expected) => {
    expect(deploymentComplete(deploymentOf(), { observedGeneration: 1, ...counts })).toBe(expected);
  });
});

describe('conditions (SetDeploymentCondition)', () => {
  const before = [conditionOf('ReplicaSetUpdated')];

  test('a condition with the same status and reason changes nothing, even with another message', () => {
    const text = { type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated', message: 'other' } as const;
    expect(withCondition(before, text, NOW)).toBe(before);
  });

  test('another reason moves the update time, and the transition time only with the status', () => {
    const text = { type: 'Progressing', reason: 'Other', message: 'other' };
    expect(withCondition(before, { ...text, status: 'True' }, NOW)).toEqual([
      { ...text, status: 'True', lastUpdateTime: NOW, lastTransitionTime: EARLIER },
    ]);
    expect(withCondition(before, { ...text, status: 'False' }, NOW)).toEqual([
      { ...text, status: 'False', lastUpdateTime: NOW, lastTransitionTime: NOW },
    ]);
  });
});

describe('progress (syncRolloutStatus)', () => {
  interface Case {
    readonly current?: DeploymentCondition;
    readonly before?: object;
    readonly sizes: { readonly desired: number; readonly available: number; readonly old?: number };
    readonly expected: Partial<DeploymentCondition> | undefined;
  }

  function progressAfter({ current, before = {}, sizes }: Case, spec: object = DEADLINE) {
    const status = { observedGeneration: 1, conditions: current ? [current] : [], ...before };
    const { desired, available, old = 0 } = sizes;
    const next = replicaSetOf('new', { replicas: desired, available });
    const rollout = rolloutOf(
      deploymentOf({ replicas: 10, spec, status }),
      next,
      replicaSetOf('old', { replicas: old }),
    );
    return findCondition(statusOf(rollout, 'progress').conditions ?? [], 'Progressing');
  }

  const same = { replicas: 10, updatedReplicas: 10, availableReplicas: 5, readyReplicas: 5 };

  test.each<[string, Case]>([
    [
      'all available: complete',
      {
        current: conditionOf('ReplicaSetUpdated'),
        sizes: { desired: 10, available: 10 },
        expected: {
          status: 'True',
          reason: 'NewReplicaSetAvailable',
          message: 'ReplicaSet "new" has successfully progressed.',
          lastUpdateTime: NOW,
          lastTransitionTime: EARLIER,
        },
      },
    ],
    [
      'complete before: no progress is estimated, though pods fail',
      {
        current: conditionOf('NewReplicaSetAvailable'),
        before: same,
        sizes: { desired: 10, available: 5 },
        expected: { reason: 'NewReplicaSetAvailable', lastUpdateTime: EARLIER },
      },
    ],
    [
      'more available than before: progress, which restarts the clock',
      {
        current: conditionOf('ReplicaSetUpdated'),
        before: same,
        sizes: { desired: 10, available: 6 },
        expected: {
          reason: 'ReplicaSetUpdated',
          message: 'ReplicaSet "new" is progressing.',
          lastUpdateTime: NOW,
          lastTransitionTime: EARLIER,
        },
      },
    ],
    [
      'progress after a timeout: another status, so another transition',
      {
        current: conditionOf('ProgressDeadlineExceeded'),
        before: same,
        sizes: { desired: 10, available: 6 },
        expected: { status: 'True', reason: 'ReplicaSetUpdated', lastTransitionTime: NOW },
      },
    ],
    [
      'nothing new within the deadline: nothing changes',
      {
        current: conditionOf('ReplicaSetUpdated'),
        before: same,
        sizes: { desired: 10, available: 5 },
        expected: { reason: 'ReplicaSetUpdated', lastUpdateTime: EARLIER },
      },
    ],
    [
      'nothing new for longer: it timed out',
      {
        current: conditionOf('ReplicaSetUpdated', { lastUpdateTime: '2025-12-31T23:59:59Z' }),
        before: same,
        sizes: { desired: 10, available: 5 },
        expected: {
          status: 'False',
          reason: 'ProgressDeadlineExceeded',
          message: 'ReplicaSet "new" has timed out progressing.',
          lastUpdateTime: NOW,
          lastTransitionTime: NOW,
        },
      },
    ],
    [
      'timed out before: it stays so, with its first times',
      {
        current: conditionOf('ProgressDeadlineExceeded'),
        before: same,
        sizes: { desired: 10, available: 5 },
        expected: { status: 'False', lastUpdateTime: EARLIER },
      },
    ],
    [
      'without a condition there is no clock',
      { before: same, sizes: { desired: 10, available: 5 }, expected: undefined },
    ],
  ])('%s', (_, one) => {
    const condition = progressAfter(one);
    if (one.expected === undefined) expect(condition).toBeUndefined();
    else expect(condition).toMatchObject(one.expected);
  });

  test.each([[{}], [{ progressDeadlineSeconds: 2_147_483_647 }]])(
    'without a deadline (%o) there is no Progressing condition',
    (spec) => {
      const one: Case = {
        current: conditionOf('ReplicaSetUpdated'),
        sizes: { desired: 10, available: 10 },
        expected: undefined,
      };
      expect(progressAfter(one, spec)).toBeUndefined();
    },
  );

  test.each([
    ['more updated', { updatedReplicas: 1 }, { updatedReplicas: 2 }, true],
    ['fewer old', { replicas: 3, updatedReplicas: 1 }, { replicas: 2, updatedReplicas: 1 }, true],
    ['more ready', { readyReplicas: 1 }, { readyReplicas: 2 }, true],
    ['more available', { availableReplicas: 1 }, { availableReplicas: 2 }, true],
    [
      'the same',
      { replicas: 3, updatedReplicas: 1, readyReplicas: 1 },
      { replicas: 3, updatedReplicas: 1, readyReplicas: 1 },
      false,
    ],
    ['fewer ready', { readyReplicas: 2 }, { readyReplicas: 1 }, false],
    ['fewer updated, as many old', { replicas: 3, updatedReplicas: 2 }, { replicas: 2, updatedReplicas: 1 }, false],
  ])('progress is: %s (DeploymentProgressing)', (_, before, after, expected) => {
    expect(deploymentProgressing(before, after)).toBe(expected);
  });

  test("a replica set's failure is shown, the new one's first, and removed when it is over", () => {
    const failure = (message: string) => [
      { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message, lastTransitionTime: EARLIER },
    ];
    const deployment = deploymentOf({ spec: DEADLINE });
    const shown = (rollout: ReturnType<typeof rolloutOf>) =>
      findCondition(statusOf(rollout, 'progress').conditions ?? [], 'ReplicaFailure');
    const old = replicaSetOf('old', { replicas: 1, conditions: failure('of the old') });
    const healthy = replicaSetOf('new', { replicas: 1 });
    expect(shown(rolloutOf(deployment, healthy, old))).toMatchObject({
      message: 'of the old',
      lastUpdateTime: EARLIER,
    });
    const failing = replicaSetOf('new', { replicas: 1, conditions: failure('of the new') });
    const before = shown(rolloutOf(deployment, failing, old));
    expect(before).toMatchObject({ message: 'of the new' });
    const repaired = deploymentOf({ spec: DEADLINE, status: { conditions: before ? [before] : [] } });
    expect(shown(rolloutOf(repaired, healthy))).toBeUndefined();
  });
});

describe('when to look again (requeueStuckDeployment)', () => {
  test.each([
    [
      '3 of 10 minutes are over: in 7, and the moment it takes to exceed them',
      conditionOf('ReplicaSetUpdated', { lastUpdateTime: '2026-01-01T00:07:00Z' }),
      420_001,
    ],
    ['overdue: at once', conditionOf('ReplicaSetUpdated', { lastUpdateTime: '2025-12-31T00:00:00Z' }), 1],
    ['timed out: not at all', conditionOf('ProgressDeadlineExceeded'), undefined],
    ['complete once: not at all', conditionOf('NewReplicaSetAvailable'), undefined],
    ['no clock: not at all', undefined, undefined],
  ])('%s', (_, condition, expected) => {
    const status = { replicas: 10, conditions: condition ? [condition] : [] };
    expect(requeueStuckDeployment(deploymentOf({ spec: DEADLINE, status }), NOW_MS)).toBe(expected);
  });
});

describe('pausing (checkPausedConditions)', () => {
  test.each([
    ['paused: the clock stops', true, 'ReplicaSetUpdated', 'DeploymentPaused', 'Deployment is paused'],
    ['resumed: the clock starts anew', false, 'DeploymentPaused', 'DeploymentResumed', 'Deployment is resumed'],
  ])('%s', (_, paused, current, reason, message) => {
    const deployment = deploymentOf({ spec: { ...DEADLINE, paused }, status: { conditions: [conditionOf(current)] } });
    const text = { type: 'Progressing', status: 'Unknown', reason, message };
    expect(pausedCondition(rolloutOf(deployment, undefined))).toEqual(text);
  });

  test.each([
    ['paused already', true, 'DeploymentPaused'],
    ['never paused', false, 'ReplicaSetUpdated'],
    ['a reported timeout is not overwritten', true, 'ProgressDeadlineExceeded'],
  ])('nothing changes: %s', (_, paused, current) => {
    const deployment = deploymentOf({ spec: { ...DEADLINE, paused }, status: { conditions: [conditionOf(current)] } });
    expect(pausedCondition(rolloutOf(deployment, undefined))).toBeUndefined();
  });

  test('without a progress deadline pausing sets no condition', () => {
    expect(pausedCondition(rolloutOf(deploymentOf({ spec: { paused: true } }), undefined))).toBeUndefined();
  });
});

test('finding the new replica set starts the clock once', () => {
  const next = replicaSetOf('new', { replicas: 1 });
  expect(foundCondition(rolloutOf(deploymentOf({ spec: DEADLINE }), next))).toEqual({
    type: 'Progressing',
    status: 'True',
    reason: 'FoundNewReplicaSet',
    message: 'Found new replica set "new"',
  });
  const timed = deploymentOf({ spec: DEADLINE, status: { conditions: [conditionOf('ReplicaSetUpdated')] } });
  expect(foundCondition(rolloutOf(timed, next))).toBeUndefined();
});
