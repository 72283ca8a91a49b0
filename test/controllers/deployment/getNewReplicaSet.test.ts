import * as fc from '../../support/seededFastCheck.ts';
import { describe, expect, test } from 'vitest';
import { cleanupDeployment } from '../../../lambdas/controllers/deployment/cleanupDeployment.ts';
import {
  getAllReplicaSetsAndSyncRevision,
  newReplicaSet,
} from '../../../lambdas/controllers/deployment/getNewReplicaSet.ts';
import {
  annotationsAfterRollback,
  appendRevision,
  copiedAnnotations,
  lastRevision,
  maxRevision,
  newReplicaSetAnnotations,
  revisionIn,
} from '../../../lambdas/controllers/deployment/replicaSetAnnotations.ts';
import { assessRollout } from '../../../lambdas/controllers/deployment/assessRollout.ts';
import { podTemplateHash, templatesEqual } from '../../../lambdas/objects/pods/podTemplateHash.ts';
import { deploymentOf, replicaSetOf, rolloutOf, templateOf, worldOf } from '../../support/deploymentFixtures.ts';

const REVISION = 'deployment.kubernetes.io/revision';
const HISTORY = 'deployment.kubernetes.io/revision-history';
const DESIRED = 'deployment.kubernetes.io/desired-replicas';
const MAX = 'deployment.kubernetes.io/max-replicas';
const CAUSE = 'kubernetes.io/change-cause';

describe('revisions', () => {
  test.each([
    ['none', [], 0n, 0n],
    ['one', [1], 1n, 0n],
    ['several', [1, 5, 3], 5n, 3n],
    ['one that cannot be read does not count', [1, 'x', 3], 3n, 1n],
    ['the same twice', [2, 2], 2n, 2n],
    [
      'all digits of an int64 count',
      ['3546343826724305832', '9007199254740993', '9007199254740992'],
      3546343826724305832n,
      9007199254740993n,
    ],
    ['beyond an int64 is no number', ['9223372036854775808', 2], 2n, 0n],
  ])('the highest and the last before it: %s', (_, revisions, highest, last) => {
    const sets = revisions.map((revision, index) => replicaSetOf(`rs-${index}`, { replicas: 0, revision }));
    const { oldReplicaSets } = rolloutOf(deploymentOf(), undefined, ...sets);
    expect([maxRevision(oldReplicaSets), lastRevision(oldReplicaSets)]).toEqual([highest, last]);
  });

  test.each([
    ['a first one gets it', {}, 1, { [REVISION]: '1' }],
    [
      'a higher one replaces it, and the one before becomes history',
      { [REVISION]: '1' },
      3,
      { [REVISION]: '3', [HISTORY]: '1' },
    ],
    ['history grows', { [REVISION]: '3', [HISTORY]: '1' }, 5, { [REVISION]: '5', [HISTORY]: '1,3' }],
    ['numbers are compared, not texts', { [REVISION]: '9' }, 10, { [REVISION]: '10', [HISTORY]: '9' }],
    ['it is never lowered: old ones may have been cleaned up', { [REVISION]: '7' }, 2, { [REVISION]: '7' }],
    ['one that is no number stays', { [REVISION]: 'seven' }, 2, { [REVISION]: 'seven' }],
  ])('the revision annotation: %s (SetNewReplicaSetAnnotations)', (_, current, revision, expected) => {
    expect(newReplicaSetAnnotations(deploymentOf(), current, BigInt(revision))).toEqual(expected);
  });

  test.each([
    ['3546343826724305832', '3546343826724305833'],
    ['9007199254740992', '9007199254740993'],
    ['9223372036854775807', undefined],
    ['9223372036854775808', '1'],
  ])('after revision %s, as int64, comes %s', (last, expected) => {
    const old = replicaSetOf('old', { replicas: 10, revision: last });
    const created = newReplicaSet(rolloutOf(deploymentOf(), undefined, old), 1);
    expect(created.metadata.annotations?.[REVISION]).toBe(expected);
    const next = replicaSetOf('new', { replicas: 0, revision: '1' });
    const raised = rolloutOf(deploymentOf(), next, old);
    expect(raised.newReplicaSet?.object.metadata.annotations?.[REVISION]).toBe(expected ?? '1');
  });

  test('a revision history of more than 2000 characters loses its oldest revisions', () => {
    const long = Array.from({ length: 500 }, (_, index) => String(index + 100)).join();
    const appended = appendRevision(long, '600') ?? '';
    expect(appended.length).toBeLessThanOrEqual(2000);
    expect(appended.endsWith(',599,600')).toBe(true);
    expect(appended.startsWith('101,')).toBe(true);
  });

  test("the new replica set follows its deployment's annotations and minReadySeconds", () => {
    const deployment = deploymentOf({ annotations: { [CAUSE]: 'why' }, spec: { minReadySeconds: 7 } });
    const next = replicaSetOf('new', { replicas: 1, revision: 1 });
    const old = replicaSetOf('old', { replicas: 0, revision: 2 });
    const synced = rolloutOf(deployment, next, old).newReplicaSet?.object;
    expect(synced?.metadata.annotations).toEqual({ [CAUSE]: 'why', [REVISION]: '3', [HISTORY]: '1' });
    expect(synced?.spec?.minReadySeconds).toBe(7);
    const again = rolloutOf(deployment, synced, old);
    expect(again.newReplicaSet?.object).toBe(synced);
    expect(getAllReplicaSetsAndSyncRevision(again)).toBe(again);
  });
});

describe('annotations', () => {
  const own = {
    'kubectl.kubernetes.io/last-applied-configuration': '{}',
    [REVISION]: '3',
    [HISTORY]: '1',
    [DESIRED]: '1',
    [MAX]: '2',
    'deprecated.deployment.rollback.to': '1',
    'driftless.dev/given-up': '{}',
    'driftless.dev/completed-revision': '2',
  };

  test('all are copied except those that are meaningful only on their own object', () => {
    const deployment = deploymentOf({ annotations: { ...own, [CAUSE]: 'why', team: 'a' } });
    expect(copiedAnnotations(deployment)).toEqual({ [CAUSE]: 'why', team: 'a' });
  });

  test("a rollback brings the replica set's annotations back and leaves the deployment's own", () => {
    const deployment = deploymentOf({
      annotations: { ...own, [CAUSE]: 'second', 'driftless.dev/auto-rollback': 'true' },
    });
    const target = replicaSetOf('old', { replicas: 0, revision: 1, annotations: { [CAUSE]: 'first', [DESIRED]: '9' } });
    expect(annotationsAfterRollback(deployment, target)).toEqual({
      ...own,
      [CAUSE]: 'first',
      'driftless.dev/auto-rollback': 'true',
    });
  });
});

describe('the new replica set', () => {
  test('is the oldest of those with the template, hash labels aside (FindNewReplicaSet)', () => {
    const sets = [
      replicaSetOf('late', { replicas: 1, image: 'new', createdSec: 60 }),
      replicaSetOf('early', { replicas: 1, image: 'new', createdSec: 30 }),
      replicaSetOf('other', { replicas: 1, image: 'old', createdSec: 10 }),
    ];
    const rollout = assessRollout(worldOf(deploymentOf(), sets));
    expect(rollout.newReplicaSet?.name).toBe('early');
    expect(rollout.oldReplicaSets.map(({ name }) => name)).toEqual(['other', 'late']);
    expect(assessRollout(worldOf(deploymentOf({ image: 'newer' }), sets)).newReplicaSet).toBeUndefined();
  });

  test('is created with name, labels, selector, owner, annotations and minReadySeconds', () => {
    const deployment = deploymentOf({ annotations: { [CAUSE]: 'why' }, spec: { minReadySeconds: 5 } });
    const hash = podTemplateHash(templateOf('new'));
    expect(
      newReplicaSet(rolloutOf(deployment, undefined, replicaSetOf('old', { replicas: 0, revision: 4 })), 3),
    ).toEqual({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `web-${hash}`,
        namespace: 'default',
        labels: { app: 'web', 'pod-template-hash': hash },
        annotations: { [CAUSE]: 'why', [REVISION]: '5', [DESIRED]: '10', [MAX]: '13' },
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            name: 'web',
            uid: 'uid-web',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        replicas: 3,
        minReadySeconds: 5,
        selector: { matchLabels: { app: 'web', 'pod-template-hash': hash } },
        template: templateOf('new', { 'pod-template-hash': hash }),
      },
    });
  });

  test('has a name that fits even if the deployment has the longest name', () => {
    const deployment = deploymentOf({ metadata: { name: 'w'.repeat(253) } });
    const { name = '' } = newReplicaSet(rolloutOf(deployment, undefined), 0).metadata;
    expect(name.length).toBe(253);
    expect(name.endsWith(podTemplateHash(templateOf('new')))).toBe(true);
  });
});

describe('template hash', () => {
  test('has only letters and digits that form no words', () => {
    fc.assert(
      fc.property(fc.string(), (image) =>
        /^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/.test(podTemplateHash(templateOf(image))),
      ),
    );
  });

  test('is the same for ever for the same template: names of running replica sets depend on it', () => {
    expect(podTemplateHash(templateOf('nginx:1'))).toBe(
      podTemplateHash(templateOf('nginx:1', { 'pod-template-hash': 'x' })),
    );
    expect(podTemplateHash(templateOf('nginx:1'))).toMatchInlineSnapshot(`"55cc6b6ff"`);
    expect(podTemplateHash(templateOf('nginx:1'), 1)).toMatchInlineSnapshot(`"5d9dcff447"`);
  });

  test('the order of keys, absent fields and empty lists make no difference', () => {
    const a = { metadata: { labels: { a: '1', b: '2' }, annotations: {} }, spec: { containers: [], volumes: [] } };
    const b = { spec: { containers: [] }, metadata: { labels: { b: '2', a: '1' } } };
    expect(podTemplateHash(a)).toBe(podTemplateHash(b));
    expect(templatesEqual(a, b)).toBe(true);
  });

  test.each([
    ['another image', templateOf('b')],
    ['a label more', templateOf('a', { tier: 'x' })],
    ['an annotation', { ...templateOf('a'), metadata: { labels: { app: 'web' }, annotations: { restarted: 'now' } } }],
  ])('%s makes another template', (_, other) => {
    expect(templatesEqual(templateOf('a'), other)).toBe(false);
    expect(podTemplateHash(other)).not.toBe(podTemplateHash(templateOf('a')));
  });

  test('equal templates have equal hashes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), fc.array(fc.string()), (labels, args) => {
        const template = { metadata: { labels }, spec: { containers: [{ name: 'main', args }] } };
        const shuffled = {
          spec: template.spec,
          metadata: { labels: Object.fromEntries(Object.entries(labels).toReversed()) },
        };
        expect(templatesEqual(template, shuffled)).toBe(true);
        expect(podTemplateHash(template)).toBe(podTemplateHash(shuffled));
      }),
    );
  });
});

describe('history (cleanupDeployment)', () => {
  const idle = (name: string, revision: number, facts: object = {}) =>
    replicaSetOf(name, { replicas: 0, revision, ...facts });
  const removed = (limit: number | undefined, ...old: ReturnType<typeof idle>[]) =>
    cleanupDeployment(
      rolloutOf(deploymentOf({ spec: limit === undefined ? {} : { revisionHistoryLimit: limit } }), undefined, ...old),
    ).map(({ metadata }) => metadata.name);

  test.each([
    ['as many as the limit: none goes', 2, [idle('a', 1), idle('b', 2)], []],
    ['more: the lowest revisions go, not the oldest ones', 1, [idle('a', 3), idle('b', 1), idle('c', 2)], ['b', 'c']],
    ['0 keeps none', 0, [idle('a', 1)], ['a']],
    ['without a limit all stay', undefined, [idle('a', 1)], []],
    ['the largest number there is counts as none', 2_147_483_647, [idle('a', 1)], []],
    ['one that is to have pods stays', 0, [idle('a', 1, { replicas: 1 })], []],
    ['one that still has pods stays', 0, [idle('a', 1, { current: 1 })], []],
    ['one whose status is of an earlier spec stays', 0, [idle('a', 1, { generation: 2, observed: 1 })], []],
    [
      'one that is being deleted is no part of the history',
      1,
      [idle('a', 1, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }), idle('b', 2)],
      [],
    ],
    ['one that must stay does not make another one go', 1, [idle('a', 1, { current: 1 }), idle('b', 2)], []],
  ])('%s', (_, limit, old, expected) => {
    expect(removed(limit, ...old)).toEqual(expected);
  });

  test('the revision of a replica set without the annotation is 0', () => {
    expect(revisionIn(replicaSetOf('a', { replicas: 0 }).metadata.annotations)).toBe(0n);
  });
});
