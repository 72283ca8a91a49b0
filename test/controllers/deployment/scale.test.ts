import * as fc from '../../support/seededFastCheck.ts';
import { describe, expect, test } from 'vitest';
import { resolveFenceposts } from '../../../lambdas/controllers/deployment/resolveFenceposts.ts';
import { decideDeployment } from '../../../lambdas/controllers/deployment/decideDeployment.ts';
import { isScalingEvent, scale } from '../../../lambdas/controllers/deployment/scale.ts';
import { resized } from '../../../lambdas/controllers/deployment/Sizes.ts';
import { reasonInWords } from '../../../lambdas/controllers/deployment/deploymentReasons.ts';
import type { ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import { deploymentOf, replicaSetOf, rolloutOf, sizesOf, worldOf } from '../../support/deploymentFixtures.ts';

const DESIRED = 'deployment.kubernetes.io/desired-replicas';
const MAX = 'deployment.kubernetes.io/max-replicas';

interface Case {
  readonly from: { readonly replicas: number; readonly maxSurge?: number };
  readonly to: { readonly replicas: number; readonly maxSurge?: number };
  /** Of the new one, then of old ones, newest first; `undefined`: there is no new one yet. */
  readonly sizes: readonly (number | undefined)[];
  readonly expected: readonly (number | undefined)[];
}

/** Replica sets as `from` sized them; the first is the new one, each the older the further back. */
function rolloutFor({ from, to, sizes }: Case, facts: { available?: number } = {}) {
  const annotations = { [DESIRED]: String(from.replicas), [MAX]: String(from.replicas + (from.maxSurge ?? 0)) };
  const sets = sizes.map((replicas, index) =>
    replicas === undefined
      ? undefined
      : replicaSetOf(`v${sizes.length - index}`, {
          replicas,
          annotations,
          createdSec: (sizes.length - index) * 60,
          ...facts,
        }),
  );
  const [newOne, ...old] = sets;
  const status = { replicas: sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) };
  const deployment = deploymentOf({ replicas: to.replicas, maxSurge: to.maxSurge ?? 0, maxUnavailable: 0, status });
  return rolloutOf(deployment, newOne, ...old.filter((one): one is ReplicaSet => one !== undefined).toReversed());
}

function sizesAfter(rollout: ReturnType<typeof rolloutFor>, count: number): (number | undefined)[] {
  const after = resized(rollout, scale(rollout).resizes);
  const sizes = new Map(after.all.map(({ name, desired }) => [name, desired]));
  return Array.from({ length: count }, (_, index) => sizes.get(`v${count - index}`));
}

describe('scaling (the cases of TestScale)', () => {
  test.each<[string, Case]>([
    [
      '10 -> 12 with one active: it takes all',
      { from: { replicas: 10 }, to: { replicas: 12 }, sizes: [10], expected: [12] },
    ],
    [
      '10 -> 5 with one active: it gives all',
      { from: { replicas: 10 }, to: { replicas: 5 }, sizes: [10], expected: [5] },
    ],
    ['5 -> 10: 2 and 3 double', { from: { replicas: 5 }, to: { replicas: 10 }, sizes: [2, 3], expected: [4, 6] }],
    [
      '5 -> 3: 2 and 3 shrink to 1 and 2',
      { from: { replicas: 5 }, to: { replicas: 3 }, sizes: [2, 3], expected: [1, 2] },
    ],
    ['9 -> 4: a small old one ends', { from: { replicas: 9 }, to: { replicas: 4 }, sizes: [8, 1], expected: [4, 0] }],
    ['7 -> 10 over three', { from: { replicas: 7 }, to: { replicas: 10 }, sizes: [2, 3, 2], expected: [3, 4, 3] }],
    ['13 -> 8 over three', { from: { replicas: 13 }, to: { replicas: 8 }, sizes: [2, 8, 3], expected: [1, 5, 2] }],
    [
      '3 -> 4 of equal ones: the newest gets what is left over',
      { from: { replicas: 3 }, to: { replicas: 4 }, sizes: [1, 1, 1], expected: [2, 1, 1] },
    ],
    [
      '3 -> 2 of equal ones: the oldest gives it',
      { from: { replicas: 3 }, to: { replicas: 2 }, sizes: [1, 1, 1], expected: [1, 1, 0] },
    ],
    [
      '4 -> 5 without a new one: the newer of two equal ones grows',
      { from: { replicas: 4 }, to: { replicas: 5 }, sizes: [undefined, 2, 2], expected: [undefined, 3, 2] },
    ],
    ['5 -> 0: all end', { from: { replicas: 5 }, to: { replicas: 0 }, sizes: [2, 3], expected: [0, 0] }],
    [
      '0 -> 5 with none active: the new one takes all',
      { from: { replicas: 0 }, to: { replicas: 5 }, sizes: [0, 0], expected: [5, 0] },
    ],
    [
      '0 -> 5 with none active and no new one: the newest old one takes all',
      { from: { replicas: 0 }, to: { replicas: 5 }, sizes: [undefined, 0, 0], expected: [undefined, 5, 0] },
    ],
    [
      '10 -> 20 with surge 2: shares of 22',
      { from: { replicas: 10, maxSurge: 2 }, to: { replicas: 20, maxSurge: 2 }, sizes: [6, 6], expected: [11, 11] },
    ],
    [
      '10 -> 50 and surge 3 -> 6 at once: shares of 56',
      { from: { replicas: 10, maxSurge: 3 }, to: { replicas: 50, maxSurge: 6 }, sizes: [5, 8], expected: [22, 34] },
    ],
    [
      '10 -> 14 with a new template: the old ones share',
      { from: { replicas: 10 }, to: { replicas: 14 }, sizes: [undefined, 7, 3], expected: [undefined, 10, 4] },
    ],
    [
      'a full new one that is not available leaves old pods be',
      { from: { replicas: 2, maxSurge: 1 }, to: { replicas: 2, maxSurge: 1 }, sizes: [2, 1], expected: [2, 1] },
    ],
  ])('%s', (_, one) => {
    expect(sizesAfter(rolloutFor(one), one.sizes.length)).toEqual(one.expected);
  });

  test('a complete rollout scales old replica sets that were adopted late to 0', () => {
    const rollout = rolloutOf(
      deploymentOf({ replicas: 2 }),
      replicaSetOf('new', { replicas: 2, available: 2, annotations: { [DESIRED]: '2' } }),
      replicaSetOf('old', { replicas: 3 }),
    );
    expect(sizesOf(scale(rollout))).toEqual({ old: 0 });
  });

  test('without the annotation, a share is a share of the pods that the deployment has', () => {
    const rollout = rolloutOf(
      deploymentOf({ replicas: 10, maxSurge: 0, status: { replicas: 5 } }),
      replicaSetOf('new', { replicas: 2 }),
      replicaSetOf('old', { replicas: 3 }),
    );
    expect(sizesOf(scale(rollout))).toEqual({ new: 4, old: 6 });
  });

  test('without a usable annotation and without pods there are no shares, so the largest replica set takes all', () => {
    const annotations = { [MAX]: '0' };
    const rollout = rolloutOf(
      deploymentOf({ replicas: 10, maxSurge: 0 }),
      replicaSetOf('new', { replicas: 2, current: 0, annotations }),
      replicaSetOf('old', { replicas: 3, current: 0, annotations }),
    );
    expect(sizesOf(scale(rollout))).toEqual({ new: 2, old: 8 });
  });

  test('every scaled replica set gets the new annotations, even if its size stays', () => {
    const one = { from: { replicas: 3 }, to: { replicas: 4 }, sizes: [1, 1, 1], expected: [] };
    const { deployment, all } = rolloutFor(one);
    const { writes } = decideDeployment(
      worldOf(
        deployment,
        all.map(({ stored }) => stored),
      ),
    );
    const scaled = writes.flatMap((planned) => (planned.write === 'updateReplicaSet' ? [planned.to.metadata] : []));
    expect(scaled.map(({ annotations }) => annotations)).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ [DESIRED]: '4', [MAX]: '4' })),
    );
  });

  test('the next ones lose what rounding left over where the first has too few replicas', () => {
    const one = { from: { replicas: 20 }, to: { replicas: 3 }, sizes: [4, 4, 4, 4, 4], expected: [] };
    const after = sizesAfter(rolloutFor(one), 5).map((size) => size ?? 0);
    expect(after.reduce((sum, size) => sum + size, 0)).toBe(3);
  });

  test('shares add up to the allowed total, and none is negative', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), sizes, (to, before) => {
        const from = before.reduce((sum, size) => sum + size, 0);
        const rollout = rolloutFor({ from: { replicas: from }, to: { replicas: to }, sizes: before, expected: [] });
        const after = sizesAfter(rollout, before.length).map((size) => size ?? 0);
        expect(Math.min(...after)).toBeGreaterThanOrEqual(0);
        expect(after.reduce((sum, size) => sum + size, 0)).toBe(to);
      }),
    );
  });

  test('with annotations of different times, none shrinks while all grow, and none grows while all shrink', () => {
    const sizes = fc.record({ replicas: fc.integer({ min: 1, max: 20 }), max: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(fc.nat(60), fc.array(sizes, { minLength: 2, maxLength: 4 }), (to, facts) => {
        const [first, ...rest] = facts.map(({ replicas, max }, index) =>
          replicaSetOf(`rs-${index}`, { replicas, annotations: { [MAX]: String(max) } }),
        );
        const rollout = rolloutOf(deploymentOf({ replicas: to, maxSurge: 0 }), first, ...rest);
        const total = facts.reduce((sum, { replicas }) => sum + replicas, 0);
        for (const { replicaSet, replicas } of scale(rollout).resizes) {
          const grown = replicas - replicaSet.desired;
          expect(grown * Math.sign(to - total)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});

describe('scaling bounds pods, not specs', () => {
  test('it waits until every replica set has observed its spec', () => {
    const old = replicaSetOf('old', { replicas: 10, generation: 3, observed: 2 });
    expect(scale(rolloutOf(deploymentOf({ replicas: 20 }), undefined, old)).resizes).toEqual([]);
  });

  test('growth by shares waits for pods that are still to be deleted', () => {
    const rollout = rolloutOf(
      deploymentOf({ replicas: 20 }),
      replicaSetOf('new', { replicas: 5 }),
      replicaSetOf('old', { replicas: 5, current: 8 }),
    );
    const { resizes, waitsFor } = scale(rollout);
    expect({ resizes, waitsFor: waitsFor.map(reasonInWords) }).toMatchObject({
      resizes: [],
      waitsFor: ['waits until old has deleted its surplus pods'],
    });
  });

  test('the only active replica set waits for pods that others have yet to delete', () => {
    const rollout = rolloutOf(
      deploymentOf({ replicas: 11, maxSurge: 0 }),
      replicaSetOf('new', { replicas: 7 }),
      replicaSetOf('old', { replicas: 0, current: 3 }),
    );
    const { resizes, waitsFor } = scale(rollout);
    expect({ resizes, waitsFor: waitsFor.map(reasonInWords) }).toMatchObject({
      resizes: [],
      waitsFor: ['waits until at most 0 of 3 pods of other replica sets are left: maxSurge is 0, so at most 11 pods'],
    });
  });

  test('what shrinking gives back for the floor is taken from replicas that are not available', () => {
    const annotations = { [MAX]: '9' };
    const rollout = rolloutOf(
      deploymentOf({ replicas: 4, maxSurge: '50%', maxUnavailable: 0 }),
      replicaSetOf('new', { replicas: 4, available: 0, annotations }),
      replicaSetOf('old', { replicas: 5, available: 5, annotations }),
    );
    expect(sizesOf(scale(rollout))).toEqual({ old: 4, new: 2 });
  });

  test('shrinking by shares keeps enough available pods for the floor', () => {
    const sizes = fc.record({ replicas: fc.integer({ min: 1, max: 20 }), available: fc.nat(20) });
    fc.assert(
      fc.property(
        fc.nat(20),
        fc.nat(5),
        fc.nat(5),
        fc.array(sizes, { minLength: 2, maxLength: 4 }),
        (replicas, maxSurge, maxUnavailable, facts) => {
          const [first, ...rest] = facts.map((one, index) =>
            replicaSetOf(`rs-${index}`, {
              ...one,
              available: Math.min(one.available, one.replicas),
              annotations: { [MAX]: '20' },
            }),
          );
          const rollout = rolloutOf(deploymentOf({ replicas, maxSurge, maxUnavailable }), first, ...rest);
          const after = resized(rollout, scale(rollout).resizes);
          const { floor } = resolveFenceposts(rollout.deployment);
          const before = rollout.sums.lastingAvailable;
          expect(after.sums.lastingAvailable).toBeGreaterThanOrEqual(Math.min(floor, before));
        },
      ),
    );
  });
});

describe('what counts as a scaling event (isScalingEvent)', () => {
  test.each<[string, number, Record<string, string>, boolean]>([
    ['an active one sized for another number', 3, { [DESIRED]: '5' }, true],
    ['an active one sized for this number', 3, { [DESIRED]: '10' }, false],
    ['an active one that does not say', 3, {}, false],
    ['an active one whose annotation is no number', 3, { [DESIRED]: 'five' }, false],
    ['one without replicas does not count', 0, { [DESIRED]: '5' }, false],
  ])('%s', (_, replicas, annotations, expected) => {
    const old = replicaSetOf('old', { replicas, annotations });
    expect(isScalingEvent(rolloutOf(deploymentOf({ replicas: 10 }), undefined, old))).toBe(expected);
  });

  test('a replica set of the right size with another size in its annotation gets a new annotation, so that the rollout can go on', () => {
    const old = replicaSetOf('old', { replicas: 10, annotations: { [DESIRED]: '5' } });
    expect(sizesOf(scale(rolloutOf(deploymentOf({ replicas: 10 }), undefined, old)))).toEqual({ old: 10 });
  });
});
