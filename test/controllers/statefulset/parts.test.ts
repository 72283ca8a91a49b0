import { describe, expect, test } from 'vitest';
import { sortControllerRevisions } from '../../../lambdas/controllers/history/sortControllerRevisions.ts';
import { newControllerRevision } from '../../../lambdas/controllers/history/newControllerRevision.ts';
import { getStatefulSetRevisions } from '../../../lambdas/controllers/statefulset/getStatefulSetRevisions.ts';
import { keysForChange } from '../../../lambdas/controllers/statefulset/keysForChange.ts';
import { newStatefulSetPod } from '../../../lambdas/controllers/statefulset/newStatefulSetPod.ts';
import { isMemberOf, parsePodName } from '../../../lambdas/controllers/statefulset/podIdentity.ts';
import { openRequests } from '../../../lambdas/controllers/statefulset/settleRequests.ts';
import { isSameStatus, statefulSetStatus } from '../../../lambdas/controllers/statefulset/statefulSetStatus.ts';
import { getPersistentVolumeClaims, volumesOf } from '../../../lambdas/controllers/statefulset/volumeClaims.ts';
import { plannedUid } from '../../../lambdas/controllers/replicaset/plannedPods.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { ControllerRevision, Pod, StatefulSet } from '../../../lambdas/objects/kinds.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import {
  CLAIM_TEMPLATE,
  NOW_MS,
  storedClaim,
  storedPod,
  storedSet,
  templateOf,
} from '../../support/statefulSetFixtures.ts';

describe('the name of a pod', () => {
  test.each<[string, string | undefined, number | undefined]>([
    ['web-0', 'web', 0],
    ['web-12', 'web', 12],
    ['my-web-3', 'my-web', 3],
    ['web-2147483647', 'web', 2147483647],
    ['web-2147483648', undefined, undefined],
    ['web', undefined, undefined],
    ['web-a', undefined, undefined],
  ])('%s belongs to %s with ordinal %s', (name, parent, ordinal) => {
    expect(parsePodName(name)).toEqual(parent === undefined ? undefined : { parent, ordinal });
  });

  test('makes it a member of the set of its parent only', () => {
    expect([isMemberOf(storedSet(), storedPod('web-0')), isMemberOf(storedSet(), storedPod('my-web-0'))]).toEqual([
      true,
      false,
    ]);
  });
});

describe('a new pod', () => {
  const set = storedSet({ volumeClaimTemplates: [CLAIM_TEMPLATE] });

  test('has its claims as volumes, in place of those of the template with their names', () => {
    const others = [
      { name: 'data', emptyDir: {} },
      { name: 'tmp', emptyDir: {} },
    ];
    expect(volumesOf(set, 2, others)).toEqual([
      { name: 'data', persistentVolumeClaim: { claimName: 'data-web-2' } },
      { name: 'tmp', emptyDir: {} },
    ]);
  });

  test('has claims with the labels that the set selects', () => {
    const labelled = { ...CLAIM_TEMPLATE, metadata: { name: 'data', labels: { tier: 'db' } } };
    const [claim] = getPersistentVolumeClaims(storedSet({ volumeClaimTemplates: [labelled] }), 1);
    expect(claim?.metadata).toEqual({
      name: 'data-web-1',
      namespace: 'default',
      labels: { tier: 'db', app: 'web' },
    });
  });

  test('has no subdomain if the set has no service', () => {
    const revision = { name: 'web-a', template: templateOf('nginx:1') };
    const { spec } = newStatefulSetPod(storedSet({ serviceName: '' }), 0, 'u', revision);
    expect(spec).toMatchObject({ hostname: 'web-0' });
    expect(spec).not.toHaveProperty('subdomain');
  });
});

describe('getStatefulSetRevisions', () => {
  const revision = (image: string, number: number): ControllerRevision => {
    const draft = newControllerRevision(storedSet(), templateOf(image), { revision: number, collisionCount: 0 });
    const stored = { uid: image, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
    return { ...draft, metadata: { ...draft.metadata, ...stored } };
  };
  const set = storedSet();

  test.each<[string, readonly ControllerRevision[], object]>([
    ['a new template is stored as the first revision', [], { step: 'create', draft: { revision: 1 } }],
    ['a new template gets the next number', [revision('nginx:0', 4)], { step: 'create', draft: { revision: 5 } }],
    ['a template that the newest one keeps stays', [revision('nginx:0', 1), revision('nginx:1', 2)], { step: 'keep' }],
    [
      'a template of an older one makes that the newest',
      [revision('nginx:1', 1), revision('nginx:0', 2)],
      { step: 'renumber', number: 3, revision: { revision: 1 } },
    ],
  ])('%s', (_, revisions, expected) => {
    expect(getStatefulSetRevisions(set, sortControllerRevisions(revisions))).toMatchObject(expected);
  });
});

describe('the status', () => {
  const facts = (set: StatefulSet, pods: readonly Pod[]) => ({
    set,
    pods,
    currentRevision: 'web-old',
    updateRevision: 'web-new',
    collisionCount: 0,
    nowMs: NOW_MS,
  });
  const old = (name: string, more: object = {}) => storedPod(name, { revision: 'web-old', ...more });
  const justReady = { readyAt: new Date(NOW_MS - 5_000).toISOString() };

  test.each<[string, object, readonly Pod[], object]>([
    ['counts pods by revision', {}, [old('web-0'), storedPod('web-1')], { currentReplicas: 1, updatedReplicas: 1 }],
    [
      'counts a pod that is being deleted as a replica, but of no revision',
      {},
      [old('web-0', { isTerminating: true })],
      { replicas: 1, readyReplicas: 1, currentReplicas: 0 },
    ],
    [
      'counts a ready pod as available after minReadySeconds',
      { minReadySeconds: 10 },
      [storedPod('web-0', justReady), storedPod('web-1')],
      { readyReplicas: 2, availableReplicas: 1 },
    ],
    [
      'completes a rolling update once all pods have the revision and are ready',
      { replicas: 1 },
      [storedPod('web-0')],
      { currentRevision: 'web-new', currentReplicas: 1 },
    ],
    [
      'completes none while a pod is not ready',
      { replicas: 1 },
      [storedPod('web-0', { isReady: false })],
      { currentRevision: 'web-old', currentReplicas: 0 },
    ],
    [
      'completes none while there is a pod too many',
      { replicas: 1 },
      [storedPod('web-0'), storedPod('web-1')],
      { currentRevision: 'web-old' },
    ],
    [
      'completes none with OnDelete',
      { replicas: 1, updateStrategy: { type: 'OnDelete' } },
      [storedPod('web-0')],
      { currentRevision: 'web-old' },
    ],
  ])('%s', (_, spec, pods, expected) => {
    expect(statefulSetStatus(facts(storedSet(spec as Record<string, unknown>), pods))).toMatchObject(expected);
  });

  test('is the same if it differs in left-out zeros only', () => {
    const status = statefulSetStatus(facts(storedSet(), []));
    const stored = { replicas: 0, observedGeneration: 1, currentRevision: 'web-old', updateRevision: 'web-new' };
    expect(isSameStatus(stored, status)).toBe(true);
    expect(isSameStatus({ ...stored, updateRevision: 'web-old' }, status)).toBe(false);
  });
});

describe('open requests of an earlier sync', () => {
  const intent = {
    id: 'i',
    ownerUid: 'uid-web',
    atMs: NOW_MS - 60_000,
    count: 2,
    memory: { indexes: [0, 3] },
    deletes: [
      { name: 'web-1', uid: 'uid-web-1', resourceVersion: '7' },
      { name: 'web-2', uid: 'uid-web-2', resourceVersion: '6' },
    ],
  };
  const landed = storedPod('web-0', { metadata: { uid: plannedUid('i', 0) } });

  test('are the creates of pods that do not exist, and the deletes of pods that are as they were', () => {
    const listed = [landed, storedPod('web-1'), storedPod('web-2')];
    const { creates, deletes } = openRequests(storedSet(), intent, listed, NOW_MS);
    expect(creates).toEqual([{ name: 'web-3', uid: plannedUid('i', 1), atMs: intent.atMs }]);
    expect(deletes.map(({ metadata }) => metadata.name)).toEqual(['web-1']);
  });

  test('are also those whose name another pod has', () => {
    const { creates } = openRequests(storedSet(), intent, [landed, storedPod('web-3')], NOW_MS);
    expect(creates.map(({ name }) => name)).toEqual(['web-3']);
  });

  test('include those that the release before this one took over, until nothing can come of them any more', () => {
    const late = { name: 'web-9', uid: 'u', atMs: NOW_MS - 30 * 60_000 };
    const taken = { ...intent, count: 0, deletes: [], memory: { late: [late] } };
    expect(openRequests(storedSet(), taken, [], NOW_MS).creates).toEqual([late]);
    expect(openRequests(storedSet(), taken, [], NOW_MS + 31 * 60_000).creates).toEqual([]);
  });
});

describe('the keys of a change', () => {
  const controlled = (kind: string, name: string) => ({
    ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: 'u', controller: true }],
  });
  const set = storedSet();
  const registry = {
    get: async () => set as never,
    list: () => Promise.reject(new Error('a list for each pod costs too much')),
  };
  const of = (resource: string, type: Change['type'], object: KubernetesObject): Change =>
    ({
      resource,
      type,
      version: 1,
      ...(type !== 'ADDED' && { before: object }),
      ...(type !== 'DELETED' && { after: object }),
    }) as unknown as Change;
  const deletedClaim = (owner: object) => of('persistentvolumeclaims', 'DELETED', storedClaim(1, owner as never));

  test.each<[string, Change, string[]]>([
    ['of a set', of('statefulsets.apps', 'ADDED', set), ['web']],
    ['of its pod', of('pods', 'MODIFIED', storedPod('web-0', { metadata: controlled('StatefulSet', 'web') })), ['web']],
    [
      'of a pod of a ReplicaSet',
      of('pods', 'ADDED', storedPod('web-0', { metadata: controlled('ReplicaSet', 'web') })),
      [],
    ],
    ['of a new orphan with one of its names', of('pods', 'ADDED', storedPod('web-0')), ['web']],
    ['of a new orphan without an ordinal', of('pods', 'ADDED', storedPod('web-x')), []],
    ['of an orphan that only its kubelet changed', of('pods', 'MODIFIED', storedPod('web-0')), []],
    ['of a claim that is gone with its pod', deletedClaim(controlled('Pod', 'web-1')), ['web']],
    ['of a claim that is gone with the set', deletedClaim(controlled('StatefulSet', 'web')), ['web']],
    ['of a claim that nothing controlled', deletedClaim({}), []],
    ['of a claim that is there', of('persistentvolumeclaims', 'ADDED', storedClaim(1, controlled('Pod', 'web-1'))), []],
  ])('%s', async (_, change, expected) => {
    const keys = await keysForChange(registry, change);
    expect(keys.map(({ key }) => key.name)).toEqual(expected);
  });
});
