import * as fc from '../../support/seededFastCheck.ts';
import { expect, test } from 'vitest';
import { frozenCopy } from '../../../lambdas/adapters/embedded/frozenCopy.ts';
import { PodTallies } from '../../../lambdas/controllers/replicaset/PodTallies.ts';
import { REPLICA_SET } from '../../../lambdas/controllers/replicaset/syncReplicaSet.ts';
import type { Pod, ReplicaSet } from '../../../lambdas/objects/kinds.ts';

const TIME = '2026-01-01T00:00:00Z';

function ownerOf(selected: string, isDeleting = false): ReplicaSet {
  return frozenCopy({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'web-uid',
      resourceVersion: '1',
      creationTimestamp: TIME,
      ...(isDeleting && { deletionTimestamp: TIME }),
    },
    spec: {
      selector: { matchLabels: { app: selected } },
      template: { metadata: { labels: { app: selected, tier: 'front' } } },
    },
  }) as ReplicaSet;
}

interface Look {
  readonly app: string;
  readonly tier: string;
  readonly phase: string;
  readonly ready: string;
  readonly isDeleting: boolean;
  readonly ownerUid: string;
}

function podOf(name: string, { app, tier, phase, ready, isDeleting, ownerUid }: Look): Pod {
  const reference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: ownerUid, controller: true };
  return frozenCopy({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: `${name}-uid`,
      resourceVersion: '1',
      creationTimestamp: TIME,
      labels: { app, tier },
      ownerReferences: [reference],
      ...(isDeleting && { deletionTimestamp: TIME }),
    },
    status: { phase, conditions: [{ type: 'Ready', status: ready }] },
  }) as Pod;
}

const look: fc.Arbitrary<Look> = fc.record({
  app: fc.constantFrom('web', 'api'),
  tier: fc.constantFrom('front', 'back'),
  phase: fc.constantFrom('Pending', 'Running', 'Failed'),
  ready: fc.constantFrom('True', 'False'),
  isDeleting: fc.boolean(),
  ownerUid: fc.constantFrom('web-uid', 'web-uid', 'other-uid'),
});

/** What happens to the pods between two tallies: a pod changes or comes, or (`undefined`) goes. */
const changes = fc.array(fc.tuple(fc.nat({ max: 12 }), fc.option(look, { nil: undefined })), { maxLength: 6 });

const rounds = fc.array(
  fc.record({ changes, selected: fc.constantFrom('web', 'web', 'api'), isDeleting: fc.boolean() }),
  {
    minLength: 1,
    maxLength: 12,
  },
);

test('what is remembered of pods gives the same tally as a look at each of them', () => {
  fc.assert(
    fc.property(rounds, (all) => {
      const remembering = new PodTallies(1);
      const byName = new Map<string, Pod>();
      const owners = new Map<string, ReplicaSet>();
      for (const round of all) {
        for (const [number, to] of round.changes) {
          const name = `web-${number}`;
          if (to) byName.set(name, podOf(name, to));
          else byName.delete(name);
        }
        const key = `${round.selected} ${round.isDeleting}`;
        const owner = owners.get(key) ?? ownerOf(round.selected, round.isDeleting);
        owners.set(key, owner);
        const pods = [...byName.values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
        const anew = new PodTallies(0).tally(REPLICA_SET, owner, pods);
        expect(remembering.tally(REPLICA_SET, owner, pods)).toEqual(anew);
      }
    }),
  );
});

test('a tally counts as Kubernetes does: active pods that are owned and selected, and terminating ones that are selected', () => {
  const usual: Look = {
    app: 'web',
    tier: 'front',
    phase: 'Running',
    ready: 'True',
    isDeleting: false,
    ownerUid: 'web-uid',
  };
  const pods = [
    podOf('a', usual),
    podOf('b', { ...usual, ready: 'False', tier: 'back' }),
    podOf('c', { ...usual, phase: 'Failed' }),
    podOf('d', { ...usual, isDeleting: true }),
    podOf('e', { ...usual, app: 'api' }),
    podOf('f', { ...usual, ownerUid: 'other-uid' }),
    podOf('g', { ...usual, app: 'api', isDeleting: true }),
  ];
  const names = (some: readonly Pod[]) => some.map(({ metadata }) => metadata.name);
  const { kept, released, ...counts } = new PodTallies(0).tally(REPLICA_SET, ownerOf('web'), pods);
  expect([names(kept), names(released)]).toEqual([['a', 'b'], ['e']]);
  expect(counts).toEqual({ fullyLabeled: 1, ready: 1, terminating: 1 });
  expect(new PodTallies(0).tally(REPLICA_SET, ownerOf('web', true), pods).released).toEqual([]);
});

test('only pods that have changed are looked at again', () => {
  const usual: Look = {
    app: 'web',
    tier: 'front',
    phase: 'Running',
    ready: 'True',
    isDeleting: false,
    ownerUid: 'web-uid',
  };
  let looks = 0;
  const watched = (name: string): Pod => {
    const pod = podOf(name, usual);
    return new Proxy(pod, {
      get(target, member) {
        if (member === 'status') looks += 1;
        return Reflect.get(target, member) as unknown;
      },
    });
  };
  const pods = ['a', 'b', 'c', 'd'].map(watched);
  const owner = ownerOf('web');
  const tallies = new PodTallies(1);
  tallies.tally(REPLICA_SET, owner, pods);
  expect(looks).toBeGreaterThan(0);
  looks = 0;
  // One has gone, and nothing else has changed.
  expect(tallies.tally(REPLICA_SET, owner, pods.toSpliced(1, 1)).ready).toBe(3);
  expect(looks).toBe(0);
  expect(tallies.tally(REPLICA_SET, owner, pods).ready).toBe(4);
  expect(looks).toBeGreaterThan(0);
  looks = 0;
  tallies.tally(REPLICA_SET, owner, pods);
  expect(looks).toBe(0);
  tallies.forget({ namespace: 'default', name: 'web' });
  tallies.tally(REPLICA_SET, owner, pods);
  expect(looks).toBeGreaterThan(0);
});
