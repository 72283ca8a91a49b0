import { describe, expect, test } from 'vitest';
import { manageReplicas } from '../../../lambdas/controllers/replicaset/manageReplicas.ts';
import type { ReplicasPlan, ReplicasWorld } from '../../../lambdas/controllers/replicaset/ReplicasPlan.ts';
import { plannedPods } from '../../../lambdas/controllers/replicaset/plannedPods.ts';
import type { Pod, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import type { Intent } from '../../../lambdas/ports/KeyLocks.ts';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const CREATED = '2026-01-01T00:00:00Z';
const INTENT: Intent = { id: 'old', ownerUid: 'owner', count: 3, deletes: [] };
const NAMED = plannedPods(INTENT, 'web');

function pod(uid: string, ready = true, resourceVersion = '1'): Pod {
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: CREATED }];
  const metadata = { name: uid, uid, resourceVersion, creationTimestamp: CREATED };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { nodeName: 'n', containers: [] },
    status: { phase: 'Running', conditions },
  };
}

function world(
  replicas: number,
  active: readonly Pod[],
  rest: Partial<ReplicasWorld> = {},
  metadata = {},
): ReplicasWorld {
  const named = { name: 'web', uid: 'owner', resourceVersion: '1', creationTimestamp: CREATED, ...metadata };
  const spec = { replicas, selector: {} };
  const owner: ReplicaSet = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: named, spec };
  const seenUids = new Set(active.map(({ metadata: { uid } }) => uid));
  return { owner, active, seenUids, related: [], intent: undefined, ...rest };
}

/** What a plan comes to, in a line. */
function summary({ record, burns, creates, deletes, lookAgain }: ReplicasPlan): string {
  const parts = [
    record ? `record ${record.count}+${record.deletes.length}` : '',
    burns.length > 0 ? `burn ${burns.length}` : '',
    creates.length > 0 ? `create ${creates.length}` : '',
    deletes.length > 0
      ? `delete ${deletes.map(({ name, resourceVersion }) => `${name}${resourceVersion ? `@${resourceVersion}` : ''}`).join(' ')}`
      : '',
    lookAgain ? 'look again' : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

const limits = { burstReplicas: 4, intentId: 'new', nowMs: NOW };
const DELETING = { deletionTimestamp: CREATED };
const [a, b, unready] = [pod('a'), pod('b'), pod('unready', false, '7')];

describe('a replica set', () => {
  test.each<[string, ReplicasWorld, string]>([
    ['that has the pods that it wants does nothing', world(2, [a, b]), ''],
    ['that lacks pods names and creates them', world(3, [a]), 'record 2+0, create 2'],
    ['creates no more than a burst at a time', world(9, [a]), 'record 4+0, create 4, look again'],
    [
      'that has too many deletes those that are not ready, if they still are not',
      world(2, [a, b, unready]),
      'record 0+1, delete unready@7',
    ],
    ['deletes ready ones in any state', world(1, [a, b]), 'record 0+1, delete a'],
    ['that wants none deletes all in any state, unranked', world(0, [a, unready]), 'record 0+2, delete a unready'],
    [
      'deletes no more than a burst at a time',
      world(0, [a, b, pod('c'), pod('d'), pod('e')]),
      'record 0+4, delete a b c d, look again',
    ],
    ['that is being deleted only keeps its status', world(5, [a], {}, DELETING), ''],
  ])('%s', (_promise, seen, plan) => {
    expect(summary(manageReplicas(seen, limits))).toBe(plan);
  });
});

describe('an intent that an earlier sync left', () => {
  const first = (count: number) => NAMED.slice(0, count).map(({ uid }) => pod(uid));
  const going: Intent = {
    ...INTENT,
    count: 0,
    deletes: [
      { name: 'a', uid: 'a' },
      { name: 'unready', uid: 'unready', resourceVersion: '7' },
    ],
  };

  test.each<[string, ReplicasWorld, string]>([
    ['is used for the pods that are missing', world(3, first(1), { intent: INTENT }), 'create 2, look again'],
    ['is used first, and the rest is decided after', world(9, first(1), { intent: INTENT }), 'create 2, look again'],
    ['is burned where it is no longer wanted', world(1, first(1), { intent: INTENT }), 'burn 2, look again'],
    ['is used and burned in part', world(2, first(1), { intent: INTENT }), 'burn 1, create 1, look again'],
    ['means nothing once all its pods are there', world(4, first(3), { intent: INTENT }), 'record 1+0, create 1'],
    [
      'is used while it is young',
      world(3, first(1), { intent: { ...INTENT, atMs: NOW - 30 * 60_000 } }),
      'create 2, look again',
    ],
    [
      'is burned when it is more than half an hour old',
      world(3, first(1), { intent: { ...INTENT, atMs: NOW - 30 * 60_000 - 1 } }),
      'burn 2, look again',
    ],
    ['is burned when the owner is being deleted', world(3, [], { intent: INTENT }, DELETING), 'burn 3, look again'],
    [
      'is burned when it was of another owner',
      world(3, [], { intent: { ...INTENT, ownerUid: 'before' } }),
      'burn 3, look again',
    ],
    [
      'has its deletes finished, though none is wanted now',
      world(3, [a, b, unready], { intent: going }),
      'delete a unready@7, look again',
    ],
    ['lets a pod live that changed since', world(2, [b, pod('unready', false, '8')], { intent: going }), ''],
    ['of another owner deletes nothing', world(3, [a, b, unready], { intent: { ...going, ownerUid: 'before' } }), ''],
  ])('%s', (_promise, seen, plan) => {
    expect(summary(manageReplicas(seen, limits))).toBe(plan);
  });

  test('creates pods under the recorded names', () => {
    expect(manageReplicas(world(3, [], { intent: INTENT }), limits).creates).toEqual(NAMED);
  });
});

describe('the names of new pods', () => {
  const namesOf = ({ creates }: ReplicasPlan) => creates.map(({ name }) => name);
  const named = (name: string): Pod => {
    const one = pod(name);
    return { ...one, metadata: { ...one.metadata, name } };
  };

  test('are others if an active pod has one of them', () => {
    const first = namesOf(manageReplicas(world(3, []), limits));
    const taken = named(first[1] ?? '');
    const plan = manageReplicas(world(4, [taken]), limits);
    expect(namesOf(plan)).toHaveLength(3);
    expect(namesOf(plan)).not.toContain(taken.metadata.name);
    expect(plan.record && plannedPods(plan.record, 'web')).toEqual(plan.creates);
  });

  test('are the first again if all others are taken, too', () => {
    const first = namesOf(manageReplicas(world(1, []), limits));
    const all = ['new', ...Array.from({ length: 30 }, (_, nth) => `new.${nth + 1}`)].map((id) =>
      named(plannedPods({ id, count: 1 }, 'web')[0]?.name ?? ''),
    );
    expect(namesOf(manageReplicas(world(all.length + 1, all), limits))).toEqual(first);
  });
});
