import { describe, expect, test } from 'vitest';
import { waitForSpareReplica, waitsForCompletion } from '../../../lambdas/controllers/deployment/rolloutRolling.ts';
import { assessRollout } from '../../../lambdas/controllers/deployment/assessRollout.ts';
import { reasonInWords } from '../../../lambdas/controllers/deployment/deploymentReasons.ts';
import type { Deployment, ReplicaSet } from '../../../lambdas/objects/kinds.ts';

const template = (image: string) => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image }] },
});

function deployment(replicas: number): Deployment {
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } };
  return {
    metadata: { name: 'web' },
    spec: { replicas, strategy, selector: {}, template: template('new') },
  } as unknown as Deployment;
}

function replicaSet(name: string, image: string, replicas: number, status: object, minReadySeconds = 0): ReplicaSet {
  const metadata = { name, uid: name, creationTimestamp: '2026-01-01T00:00:00Z' };
  return { metadata, spec: { replicas, minReadySeconds, template: template(image) }, status } as unknown as ReplicaSet;
}

describe('the wait before an old replica may go', () => {
  test.each<[string, ReplicaSet[], number, string]>([
    [
      'is for one more available new replica if one more is enough',
      [replicaSet('old', 'old', 8, {}), replicaSet('new', 'new', 5, { availableReplicas: 0 })],
      0,
      'waits until new replica set new has 1 available (now 0)',
    ],
    [
      'is for three more if two are missing',
      [replicaSet('old', 'old', 6, {}), replicaSet('new', 'new', 7, { availableReplicas: 1 })],
      -2,
      'waits until new replica set new has 4 available (now 1)',
    ],
    [
      'is for more replicas if the new ones are too few',
      [replicaSet('old', 'old', 8, {}), replicaSet('new', 'new', 0, {})],
      0,
      'waits until there are more than 8 replicas',
    ],
    [
      'is for more replicas if there is no new replica set',
      [replicaSet('old', 'old', 8, {})],
      0,
      'waits until there are more than 8 replicas',
    ],
  ])('%s', (_, replicaSets, spare, sentence) => {
    expect(
      reasonInWords(
        waitForSpareReplica(assessRollout({ deployment: deployment(10), replicaSets, pods: [], nowMs: 0 }), spare),
      ),
    ).toBe(sentence);
  });
});

describe('the waits before a rollout is complete', () => {
  test.each<[string, ReplicaSet[], string[]]>([
    ['are none if all replicas are available', [replicaSet('new', 'new', 3, { availableReplicas: 3 })], []],
    [
      'are for all replicas to be available',
      [replicaSet('new', 'new', 3, { availableReplicas: 1, readyReplicas: 1 })],
      ['waits until new replica set new has all 3 available (now 1)'],
    ],
    [
      'say how many are ready for less than minReadySeconds',
      [replicaSet('new', 'new', 3, { availableReplicas: 1, readyReplicas: 3 }, 60)],
      ['waits until new replica set new has all 3 available (now 1; 2 more are ready, and count after 60 s)'],
    ],
    [
      'are for old pods to be deleted',
      [replicaSet('new', 'new', 3, { availableReplicas: 3 }), replicaSet('old', 'old', 0, { replicas: 2 })],
      ['waits until old replica set old has deleted 2 pods'],
    ],
    [
      'are none while the new replica set is not at its final size',
      [replicaSet('new', 'new', 2, { availableReplicas: 0 })],
      [],
    ],
    [
      'are none while old replica sets have replicas to lose',
      [replicaSet('new', 'new', 3, {}), replicaSet('old', 'old', 1, { replicas: 1 })],
      [],
    ],
  ])('%s', (_, replicaSets, sentences) => {
    expect(
      waitsForCompletion(assessRollout({ deployment: deployment(3), replicaSets, pods: [], nowMs: 0 })).map(
        reasonInWords,
      ),
    ).toEqual(sentences);
  });
});
