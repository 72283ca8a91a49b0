import { beforeEach, describe, expect, test } from 'vitest';
import { createDeploymentController } from '../../../lambdas/controllers/deployment/createDeploymentController.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Deployment, Pod, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';
import { deploymentOf, podOf, replicaSetOf } from '../../support/deploymentFixtures.ts';

let bench: ControllerBench;

beforeEach(async () => {
  bench = new ControllerBench();
  await store('deployments.apps', deploymentOf());
});

function store(resource: string, object: KubernetesObject) {
  return bench.objectStore.create(resource, object);
}

async function keysFor(change: Partial<Change>): Promise<string[]> {
  const { registry, ids } = bench;
  const events = { record: async () => {} };
  const controller = createDeploymentController({ registry, ids, events });
  const keys = await controller.keysFor({ version: 1, ...change } as Change);
  return keys.map(({ key }) => `${key.controller}:${key.namespace}/${key.name}`);
}

const WEB = 'deployment:default/web';

function owned(owner: string, facts: Partial<ReplicaSet['metadata']> = {}): ReplicaSet {
  const ownerReferences = [
    { apiVersion: 'apps/v1', kind: 'Deployment', name: owner, uid: `uid-${owner}`, controller: true },
  ];
  return replicaSetOf('rs', { replicas: 1, metadata: { ownerReferences, ...facts } });
}

function orphan(facts: Partial<ReplicaSet['metadata']> = {}): ReplicaSet {
  const { ownerReferences: _, ...metadata } = replicaSetOf('rs', { replicas: 1 }).metadata;
  return { ...replicaSetOf('rs', { replicas: 1 }), metadata: { ...metadata, resourceVersion: '2', ...facts } };
}

describe('changes of deployments', () => {
  test.each<[string, Partial<Change>]>([
    ['added', { type: 'ADDED', after: deploymentOf() }],
    ['changed', { type: 'MODIFIED', before: deploymentOf(), after: deploymentOf() }],
    ['deleted', { type: 'DELETED', before: deploymentOf() }],
  ])('%s: its own key', async (_, change) => {
    expect(await keysFor({ resource: 'deployments.apps', ...change })).toEqual([WEB]);
  });
});

describe('changes of replica sets', () => {
  const newer = { resourceVersion: '2' };
  const deleting = { deletionTimestamp: '2026-01-01T00:00:00Z' };

  test.each<[string, Partial<Change>, string[]]>([
    ['added with an owner: the owner', { type: 'ADDED', after: owned('web') }, [WEB]],
    ['added as an orphan: the deployment that selects it', { type: 'ADDED', after: orphan() }, [WEB]],
    [
      'added as an orphan that no deployment selects: nothing',
      { type: 'ADDED', after: orphan({ labels: { app: 'x' } }) },
      [],
    ],
    ['added as an orphan without labels: nothing', { type: 'ADDED', after: orphan({ labels: {} }) }, []],
    ['added while being deleted: the owner, as if deleted', { type: 'ADDED', after: owned('web', deleting) }, [WEB]],
    ['added as an orphan while being deleted: nothing', { type: 'ADDED', after: orphan(deleting) }, []],
    [
      'added with an owner of another kind: nothing',
      {
        type: 'ADDED',
        after: replicaSetOf('rs', {
          replicas: 1,
          metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Other', name: 'web', uid: 'x', controller: true }] },
        }),
      },
      [],
    ],
    ['changed: the owner', { type: 'MODIFIED', before: owned('web'), after: owned('web', newer) }, [WEB]],
    ['the same version again: nothing', { type: 'MODIFIED', before: owned('web'), after: owned('web') }, []],
    [
      'another owner: both',
      { type: 'MODIFIED', before: owned('web'), after: owned('other', newer) },
      [WEB, 'deployment:default/other'],
    ],
    [
      'released by its owner: the former owner, and the deployment that selects it',
      { type: 'MODIFIED', before: owned('other'), after: orphan() },
      ['deployment:default/other', WEB],
    ],
    [
      'released by the deployment that selects it: one key',
      { type: 'MODIFIED', before: owned('web'), after: orphan() },
      [WEB],
    ],
    [
      'an orphan with new labels: the deployment that selects it now',
      { type: 'MODIFIED', before: orphan({ labels: { app: 'x' }, resourceVersion: '1' }), after: orphan() },
      [WEB],
    ],
    [
      'an orphan with other changes: nothing',
      { type: 'MODIFIED', before: orphan({ resourceVersion: '1' }), after: orphan() },
      [],
    ],
    ['deleted: the owner', { type: 'DELETED', before: owned('web') }, [WEB]],
    ['deleted as an orphan: nothing', { type: 'DELETED', before: orphan() }, []],
  ])('%s', async (_, change, expected) => {
    expect(await keysFor({ resource: 'replicasets.apps', ...change })).toEqual(expected);
  });

  test('an orphan concerns every deployment that selects it', async () => {
    const any = deploymentOf({
      metadata: { name: 'any', uid: 'uid-any' },
      spec: { selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } },
    });
    const all = deploymentOf({ metadata: { name: 'all', uid: 'uid-all' }, spec: { selector: {} } });
    await store('deployments.apps', any);
    await store('deployments.apps', all);
    const keys = await keysFor({ resource: 'replicasets.apps', type: 'ADDED', after: orphan() });
    expect(keys.sort()).toEqual(['deployment:default/any', WEB]);
  });
});

describe('changes of pods', () => {
  const recreate = deploymentOf({ metadata: { name: 'all', uid: 'uid-all' }, strategy: { type: 'Recreate' } });
  const ofRecreate = (name: string) =>
    replicaSetOf(name, {
      replicas: 0,
      metadata: {
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'all', uid: 'uid-all', controller: true }],
      },
    });

  function failing(replicaSet: string, reason: string): Pod {
    const waiting = {
      name: 'main',
      image: '',
      imageID: '',
      ready: false,
      restartCount: 0,
      state: { waiting: { reason } },
    };
    return { ...podOf(replicaSet), status: { containerStatuses: [waiting] } };
  }

  test('the deletion of the last pod of a replica set concerns its Recreate deployment', async () => {
    await store('deployments.apps', recreate);
    await store('replicasets.apps', ofRecreate('old'));
    expect(await keysFor({ resource: 'pods', type: 'DELETED', before: podOf('old') })).toEqual([
      'deployment:default/all',
    ]);
  });

  test('the deletion of one of several pods concerns no deployment', async () => {
    await store('deployments.apps', recreate);
    await store('replicasets.apps', ofRecreate('old'));
    await store('pods', podOf('old', 'Running', { name: 'another', uid: 'another' }));
    expect(await keysFor({ resource: 'pods', type: 'DELETED', before: podOf('old') })).toEqual([]);
  });

  test.each<[string, ReplicaSet | undefined, Pod]>([
    ['of a rolling update', owned('web', { name: 'old', uid: 'uid-old' }), podOf('old')],
    ['of a replica set that is gone', undefined, podOf('old')],
    [
      'of a replica set of that name with another UID',
      replicaSetOf('old', { replicas: 0, metadata: { uid: 'other' } }),
      podOf('old'),
    ],
    ['without an owner', undefined, podOf('old', 'Running', { ownerReferences: [] })],
  ])('a deleted pod %s: nobody', async (_, replicaSet, pod) => {
    if (replicaSet) await store('replicasets.apps', replicaSet);
    expect(await keysFor({ resource: 'pods', type: 'DELETED', before: pod })).toEqual([]);
  });

  test.each<[string, Record<string, string> | undefined, string, string[]]>([
    [
      'with automatic rollback, an image name that cannot exist',
      { 'driftless.dev/auto-rollback': 'true' },
      'InvalidImageName',
      ['deployment:default/auto'],
    ],
    ['without automatic rollback', undefined, 'InvalidImageName', []],
    ['another failure', { 'driftless.dev/auto-rollback': 'true' }, 'ErrImagePull', []],
  ])('a pod turns out to fail: %s', async (_, annotations, reason, expected) => {
    const auto: Deployment = deploymentOf({
      metadata: { name: 'auto', uid: 'uid-auto' },
      spec: { progressDeadlineSeconds: 600 },
      ...(annotations && { annotations }),
    });
    await store('deployments.apps', { ...auto, metadata: { ...auto.metadata, ...(annotations && { annotations }) } });
    await store('replicasets.apps', owned('auto', { name: 'new', uid: 'uid-new' }));
    const change = { resource: 'pods', type: 'MODIFIED', before: podOf('new'), after: failing('new', reason) } as const;
    expect(await keysFor(change)).toEqual(expected);
    expect(await keysFor({ ...change, before: failing('new', reason) })).toEqual([]);
  });
});
