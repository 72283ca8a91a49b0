import * as fc from '../../support/seededFastCheck.ts';
import { describe, expect, test } from 'vitest';
import { boundsOf, resolveFenceposts } from '../../../lambdas/controllers/deployment/resolveFenceposts.ts';
import {
  cleanupUnhealthyReplicas,
  newRSNewReplicas,
  reconcileNewReplicaSet,
  reconcileOldReplicaSets,
  rolloutRolling,
  scaleDownOldReplicaSetsForRollingUpdate,
} from '../../../lambdas/controllers/deployment/rolloutRolling.ts';
import { resized } from '../../../lambdas/controllers/deployment/Sizes.ts';
import { boundInWords, reasonInWords } from '../../../lambdas/controllers/deployment/deploymentReasons.ts';
import { deploymentOf, replicaSetOf, rolloutOf, sizesOf } from '../../support/deploymentFixtures.ts';

describe('maxSurge and maxUnavailable (intstr and ResolveFenceposts)', () => {
  test.each([
    ['numbers are taken as they are', 10, 3, 2, 3, 2],
    ['25 % of 10 surge rounds up, 25 % unavailable rounds down', 10, '25%', '25%', 3, 2],
    ['25 % of 3: surge 1, unavailable 0', 3, '25%', '25%', 1, 0],
    ['25 % of 1: surge 1, unavailable 0', 1, '25%', '25%', 1, 0],
    ['34 % of 3 rounds to 2 and 1', 3, '34%', '34%', 2, 1],
    ['both zero would never move, so one may be unavailable', 10, 0, 0, 0, 1],
    ['no surge, and a percentage that rounds down to 0: one may be unavailable', 3, 0, '25%', 0, 1],
    ['surge alone is enough to move', 10, 1, 0, 1, 0],
    ['no more than all are unavailable', 3, 0, 10, 0, 3],
    ['all of a deployment of none: nothing is unavailable', 0, 0, 0, 0, 0],
    ['100 % surge doubles', 10, '100%', 0, 10, 0],
    ['0 % counts as 0', 10, '0%', '0%', 0, 1],
  ])('%s', (_, replicas, maxSurge, maxUnavailable, surge, unavailable) => {
    expect(resolveFenceposts(deploymentOf({ replicas, maxSurge, maxUnavailable }))).toEqual({
      maxSurge: surge,
      maxUnavailable: unavailable,
      ceiling: replicas + surge,
      floor: replicas - unavailable,
    });
  });

  test('Recreate has neither', () => {
    const deployment = deploymentOf({ replicas: 4, strategy: { type: 'Recreate' } });
    expect(resolveFenceposts(deployment)).toEqual({ maxSurge: 0, maxUnavailable: 0, ceiling: 4, floor: 4 });
  });

  test('the arithmetic of ceiling and floor is put in words', () => {
    expect(boundInWords(boundsOf(deploymentOf()).ceiling)).toBe(
      'maxSurge 25% of 10 rounds up to 3, so at most 13 pods',
    );
    expect(boundInWords(boundsOf(deploymentOf()).floor)).toBe(
      'maxUnavailable 25% of 10 rounds down to 2, so at least 8 available',
    );
    expect(boundInWords(boundsOf(deploymentOf({ maxSurge: 0, maxUnavailable: 0 })).floor)).toBe(
      'maxUnavailable 0 counts as 1, so at least 9 available',
    );
  });

  test('text that is not a percentage is an error', () => {
    expect(() => resolveFenceposts(deploymentOf({ maxSurge: 'some' }))).toThrow(/not a percentage: some/);
  });
});

describe('the new replica set (reconcileNewReplicaSet)', () => {
  test.each([
    ['has all replicas: nothing to do', 10, 2, { new: 10, old: 0 }, {}],
    ['has too many: goes down to what is wanted', 10, 0, { new: 14, old: 0 }, { new: 10 }],
    ['no room: stays', 10, 0, { new: 0, old: 10 }, {}],
    ['room by surge: grows by it', 10, 2, { new: 0, old: 10 }, { new: 2 }],
    ['room by scaled down old ones: grows by that too', 10, 2, { new: 2, old: 8 }, { new: 4 }],
    ['never beyond what is wanted', 10, 5, { new: 9, old: 1 }, { new: 10 }],
  ])('%s', (_, replicas, maxSurge, sizes, expected) => {
    const rollout = rolloutOf(
      deploymentOf({ replicas, maxSurge, maxUnavailable: 0 }),
      replicaSetOf('new', { replicas: sizes.new }),
      replicaSetOf('old', { replicas: sizes.old }),
    );
    expect(sizesOf(reconcileNewReplicaSet(rollout))).toEqual(expected);
  });

  test('pods that an old replica set has yet to delete count until they are gone (ours: Kubernetes counts specs)', () => {
    const deployment = deploymentOf({ maxSurge: 2 });
    const next = replicaSetOf('new', { replicas: 2 });
    const before = rolloutOf(deployment, next, replicaSetOf('old', { replicas: 8, current: 10 }));
    expect(sizesOf(reconcileNewReplicaSet(before))).toEqual({});
    const after = rolloutOf(deployment, next, replicaSetOf('old', { replicas: 8, current: 8 }));
    expect(sizesOf(reconcileNewReplicaSet(after))).toEqual({ new: 4 });
  });

  test('a new replica set is created with the surge, and the reason has the arithmetic', () => {
    const rollout = rolloutOf(deploymentOf(), undefined, replicaSetOf('old', { replicas: 10, available: 10 }));
    const { create, why } = newRSNewReplicas(rollout);
    expect({ create, why: why.map(reasonInWords) }).toEqual({
      create: 3,
      why: ['maxSurge 25% of 10 rounds up to 3, so at most 13 pods; 13 - 10 = 3: 3 may be added'],
    });
  });

  test('in a roll-over of a roll-over a third replica set is created with none, since 13 pods exist already', () => {
    const old = [replicaSetOf('a', { replicas: 8 }), replicaSetOf('b', { replicas: 5 })];
    expect(newRSNewReplicas(rolloutOf(deploymentOf(), undefined, ...old)).create).toBe(0);
  });
});

describe('old replica sets (reconcileOldReplicaSets)', () => {
  test.each([
    ['no old pods: nothing to do', { new: [10, 10], old: [0, 0] }, {}],
    ['all old available, none new: 10 - 8 = 2 go', { new: [0, 0], old: [10, 10] }, { old: 8 }],
    ['new ones that are not available hold old ones back: 13 - 8 - 5 = 0', { new: [5, 0], old: [8, 8] }, {}],
    ['even if an old one fails meanwhile', { new: [5, 0], old: [8, 7] }, {}],
    ['new ones available let as many old ones go', { new: [5, 5], old: [8, 8] }, { old: 3 }],
    ['unhealthy old ones go first, up to what may go: 10 - 8 = 2', { new: [0, 0], old: [10, 5] }, { old: 8 }],
    ['after an undo 13 - 8 - 1 = 4 of the crashing ones go', { new: [8, 7], old: [5, 0] }, { old: 1 }],
    ['at the floor exactly none goes', { new: [0, 0], old: [8, 8] }, {}],
    ['available ones beyond what a new one is to keep do not count', { new: [2, 5], old: [8, 8] }, { old: 6 }],
  ])('%s', (_, { new: [size = 0, available = 0], old: [oldSize = 0, oldAvailable = 0] }, expected) => {
    const rollout = rolloutOf(
      deploymentOf({ replicas: 10, maxSurge: 3, maxUnavailable: 2 }),
      replicaSetOf('new', { replicas: size, available }),
      replicaSetOf('old', { replicas: oldSize, available: oldAvailable }),
    );
    expect(sizesOf(reconcileOldReplicaSets(rollout))).toEqual(expected);
  });

  test('rolling on to a third template, 13 - 8 - 0 = 5 unavailable ones of both old ones go', () => {
    const rollout = rolloutOf(
      deploymentOf({ replicas: 10, maxSurge: 3, maxUnavailable: 2 }),
      replicaSetOf('new', { replicas: 0 }),
      replicaSetOf('a', { replicas: 8, available: 8 }),
      replicaSetOf('b', { replicas: 5, available: 0 }),
    );
    expect(sizesOf(reconcileOldReplicaSets(rollout))).toEqual({ b: 0 });
  });

  test.each([
    ['cleans up all that is unhealthy if it may', [[10, 6]], 10, { a: 6 }],
    ['no more than it may', [[10, 0]], 3, { a: 7 }],
    [
      'oldest first',
      [
        [3, 1],
        [4, 0],
      ],
      3,
      { a: 1, b: 3 },
    ],
    [
      'skips healthy ones',
      [
        [3, 3],
        [4, 2],
      ],
      3,
      { b: 2 },
    ],
    ['nothing unhealthy, nothing to do', [[3, 3]], 3, {}],
  ])('cleaning up %s (cleanupUnhealthyReplicas)', (_, sizes, atMost, expected) => {
    const old = sizes.map(([replicas = 0, available = 0], index) =>
      replicaSetOf(index === 0 ? 'a' : 'b', { replicas, available }),
    );
    const { oldReplicaSets } = rolloutOf(deploymentOf(), undefined, ...old);
    expect(sizesOf(cleanupUnhealthyReplicas(oldReplicaSets, atMost))).toEqual(expected);
  });

  test.each([
    ['10 available, 8 must stay: 2 go', [[10, 10]], { a: 8 }],
    [
      'taken from the oldest until it is empty, then from the next',
      [
        [1, 1],
        [9, 9],
      ],
      { a: 0, b: 8 },
    ],
    ['8 available: none goes', [[10, 8]], {}],
  ])('scaling down: %s (scaleDownOldReplicaSetsForRollingUpdate)', (_, sizes, expected) => {
    const old = sizes.map(([replicas = 0, available = 0], index) =>
      replicaSetOf(index === 0 ? 'a' : 'b', { replicas, available }),
    );
    const rollout = rolloutOf(deploymentOf({ maxSurge: 0, maxUnavailable: 2 }), undefined, ...old);
    expect(sizesOf(scaleDownOldReplicaSetsForRollingUpdate(rollout))).toEqual(expected);
  });
});

describe('a rolling update bounds pods, not specs', () => {
  test('it waits until every replica set has observed its spec, and names the one it waits for', () => {
    const old = replicaSetOf('old', { replicas: 10, available: 10, generation: 3, observed: 2 });
    const step = rolloutRolling(rolloutOf(deploymentOf(), replicaSetOf('new', { replicas: 0 }), old));
    expect(step.resizes).toEqual([]);
    expect(step.waitsFor.map(reasonInWords)).toEqual([
      'waits until replica set old has observed its generation 3 (so far 2)',
    ]);
  });

  test.each([
    ['old ones go as far as the floor allows, so 4 + 3 stay for now', { new: [3, 0], old: [5, 5] }, { old: 4 }],
    ['while no new one is available, sizes stay above the ceiling', { new: [3, 0], old: [4, 4] }, {}],
    ['each new one that becomes available lets an old one go', { new: [3, 1], old: [4, 4] }, { old: 3 }],
    ['at the ceiling the new replica set still waits', { new: [3, 2], old: [3, 3] }, { old: 2 }],
    ['below the ceiling it grows again', { new: [3, 2], old: [2, 2] }, { new: 4 }],
  ])(
    'after maxSurge was lowered in the middle of a rollout (ceiling 8 to 6, floor 4): %s',
    (_, { new: [size = 0, available = 0], old: [oldSize = 0, oldAvailable = 0] }, expected) => {
      const rollout = rolloutOf(
        deploymentOf({ replicas: 5, maxSurge: 1, maxUnavailable: 1 }),
        replicaSetOf('new', { replicas: size, available }),
        replicaSetOf('old', { replicas: oldSize, available: oldAvailable }),
      );
      expect(sizesOf(rolloutRolling(rollout))).toEqual(expected);
    },
  );

  const replicaSet = fc.record({ replicas: fc.nat(20), current: fc.nat(20), available: fc.nat(20) });

  test('for any sizes, no step passes the ceiling or takes available pods below the floor', () => {
    fc.assert(
      fc.property(
        fc.nat(20),
        fc.nat(10),
        fc.nat(10),
        fc.array(replicaSet, { minLength: 1, maxLength: 4 }),
        (replicas, maxSurge, maxUnavailable, sizes) => {
          const [first, ...rest] = sizes.map((facts, index) =>
            replicaSetOf(`rs-${index}`, { ...facts, available: Math.min(facts.available, facts.current) }),
          );
          const rollout = rolloutOf(deploymentOf({ replicas, maxSurge, maxUnavailable }), first, ...rest);
          const after = resized(rollout, rolloutRolling(rollout).resizes);
          const { ceiling, floor } = resolveFenceposts(rollout.deployment);
          const { sums: before } = rollout;
          expect(after.sums.possiblePods).toBeLessThanOrEqual(Math.max(ceiling, before.possiblePods));
          expect(after.sums.lastingAvailable).toBeGreaterThanOrEqual(Math.min(floor, before.lastingAvailable));
        },
      ),
    );
  });
});
