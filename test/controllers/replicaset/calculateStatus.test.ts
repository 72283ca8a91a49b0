import { describe, expect, test } from 'vitest';
import {
  calculateStatus,
  nextAvailableInMs,
  type ReplicaStatus,
} from '../../../lambdas/controllers/replicaset/calculateStatus.ts';
import type { ReplicaOwner } from '../../../lambdas/controllers/replicaset/ReplicaOwner.ts';
import { REPLICA_SET } from '../../../lambdas/controllers/replicaset/syncReplicaSet.ts';
import { REPLICATION_CONTROLLER } from '../../../lambdas/controllers/replicationcontroller/syncReplicationController.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';

const NOW = Date.parse('2026-01-01T00:01:00Z');
const FAILURE = {
  type: 'ReplicaFailure',
  status: 'True',
  reason: 'FailedCreate',
  message: 'no room',
  lastTransitionTime: '2026-01-01T00:01:00Z',
};

function owner(spec: { replicas?: number; minReadySeconds?: number } = {}, status?: ReplicaStatus): ReplicaOwner {
  const template = { metadata: { labels: { app: 'web', extra: 'yes' } } };
  const metadata = { name: 'web', uid: 'u', resourceVersion: '1', creationTimestamp: '', generation: 4 };
  const selector = { matchLabels: { app: 'web' } };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata,
    spec: { replicas: 3, selector, template, ...spec },
    ...(status && { status }),
  };
}

/** Ready since so many seconds; `undefined`: not ready. */
function pod(readyFor?: number, labels: Record<string, string> = { app: 'web', extra: 'yes', more: 'too' }): Pod {
  const lastTransitionTime = new Date(NOW - (readyFor ?? 0) * 1000).toISOString();
  const conditions = [{ type: 'Ready', status: readyFor === undefined ? 'False' : 'True', lastTransitionTime }];
  const metadata = { name: 'p', uid: 'p', resourceVersion: '1', creationTimestamp: '', labels };
  return { apiVersion: 'v1', kind: 'Pod', metadata, status: { phase: 'Running', conditions } };
}

interface Row {
  readonly of?: ReplicaOwner;
  readonly active?: readonly Pod[];
  readonly leaving?: readonly string[];
  readonly terminating?: number;
  readonly failure?: string;
  readonly before?: number;
}

function decide(row: Row): ReplicaStatus {
  const { of = owner(), active = [], leaving = [], terminating = 0, failure, before = active.length } = row;
  return calculateStatus({
    owner: of,
    kind: REPLICA_SET,
    active,
    leavingUids: new Set(leaving),
    terminating,
    failure,
    activeBefore: before,
    nowMs: NOW,
  });
}

describe('the status of a replica set', () => {
  test.each<[string, Row, ReplicaStatus]>([
    [
      'without pods says so and what it has observed',
      {},
      { replicas: 0, terminatingReplicas: 0, observedGeneration: 4 },
    ],
    [
      'counts pods by what they have reached',
      { active: [pod(), pod(5), pod(5, { app: 'web' })], terminating: 2 },
      {
        replicas: 3,
        fullyLabeledReplicas: 2,
        readyReplicas: 2,
        availableReplicas: 2,
        terminatingReplicas: 2,
        observedGeneration: 4,
      },
    ],
    [
      'counts a pod as available from minReadySeconds on, the end included',
      { of: owner({ minReadySeconds: 10 }), active: [pod(9), pod(10), pod(11)] },
      {
        replicas: 3,
        fullyLabeledReplicas: 3,
        readyReplicas: 3,
        availableReplicas: 2,
        terminatingReplicas: 0,
        observedGeneration: 4,
      },
    ],
    [
      'counts a pod that is about to be deleted as ready, and not as available',
      { active: [pod(5)], leaving: ['p'] },
      { replicas: 1, fullyLabeledReplicas: 1, readyReplicas: 1, terminatingReplicas: 0, observedGeneration: 4 },
    ],
    [
      'tells of creates that failed',
      { failure: 'no room', before: 1 },
      { replicas: 0, terminatingReplicas: 0, observedGeneration: 4, conditions: [FAILURE] },
    ],
    [
      'tells of deletes that failed',
      { failure: 'no way', before: 4 },
      {
        replicas: 0,
        terminatingReplicas: 0,
        observedGeneration: 4,
        conditions: [{ ...FAILURE, reason: 'FailedDelete', message: 'no way' }],
      },
    ],
    [
      'keeps the first failure as long as there is one',
      {
        of: owner({}, { replicas: 0, conditions: [{ ...FAILURE, lastTransitionTime: 'then' }] }),
        failure: 'another',
        before: 4,
      },
      {
        replicas: 0,
        terminatingReplicas: 0,
        observedGeneration: 4,
        conditions: [{ ...FAILURE, lastTransitionTime: 'then' }],
      },
    ],
    [
      'forgets the failure once all went well',
      { of: owner({}, { replicas: 0, conditions: [FAILURE] }) },
      { replicas: 0, terminatingReplicas: 0, observedGeneration: 4 },
    ],
    [
      'keeps conditions that others have set',
      { of: owner({}, { replicas: 0, conditions: [{ type: 'Mine', status: 'True' }] }) },
      { replicas: 0, terminatingReplicas: 0, observedGeneration: 4, conditions: [{ type: 'Mine', status: 'True' }] },
    ],
  ])('%s', (_promise, row, status) => {
    expect(decide(row)).toEqual(status);
  });

  test('is the same object when nothing changed, so that nothing is written', () => {
    const status = { replicas: 0, readyReplicas: 0, observedGeneration: 4 };
    expect(decide({ of: owner({}, status) })).toBe(status);
  });

  test('changes when only the generation changes', () => {
    expect(decide({ of: owner({}, { replicas: 0, observedGeneration: 3 }) })).toMatchObject({ observedGeneration: 4 });
  });
});

test('a replication controller does not count terminating pods', () => {
  const facts = { owner: owner(), active: [], terminating: 3, activeBefore: 0, failure: undefined, nowMs: NOW };
  const kind = REPLICATION_CONTROLLER;
  expect(calculateStatus({ ...facts, kind, leavingUids: new Set() })).toEqual({
    replicas: 0,
    observedGeneration: 4,
  });
});

describe('the next look for availability', () => {
  test.each<[string, number, readonly Pod[], number | undefined]>([
    ['is not needed without minReadySeconds', 0, [pod(1)], undefined],
    ['is not needed for pods that are not ready', 10, [pod()], undefined],
    ['is not needed once all are available', 10, [pod(10), pod(20)], undefined],
    ['is when the first of them becomes available', 10, [pod(3), pod(7), pod(20)], 3000],
  ])('%s', (_promise, minReadySeconds, pods, delayMs) => {
    expect(nextAvailableInMs(owner({ minReadySeconds }), pods, NOW)).toBe(delayMs);
  });
});
