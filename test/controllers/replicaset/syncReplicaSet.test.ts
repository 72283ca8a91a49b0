import { beforeEach, describe, expect, test } from 'vitest';
import type { EventToRecord } from '../../../lambdas/controllers/EventRecorder.ts';
import { createReplicaSetController } from '../../../lambdas/controllers/replicaset/createReplicaSetController.ts';
import { createReplicationControllerController } from '../../../lambdas/controllers/replicationcontroller/createReplicationControllerController.ts';
import type { Pod, ReplicaSet, ReplicationController } from '../../../lambdas/objects/kinds.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

/** ReplicaSets, ReplicationControllers and pods over a store in memory and three nodes. */
class ReplicasBench extends ControllerBench {
  readonly events: EventToRecord[] = [];

  constructor() {
    super();
    const events = { record: async (recorded: readonly EventToRecord[]) => void this.events.push(...recorded) };
    const { registry, ids, clock } = this;
    const deps = { registry, ids, clock, events };
    this.add(createReplicaSetController({ ...deps, sharesObjects: true, config: { burstReplicas: 10 } }));
    this.add(createReplicationControllerController(deps));
    this.addPodControllers(events);
  }

  async bootstrap(): Promise<void> {
    for (const name of ['default', 'other'])
      await this.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    for (const name of ['node-1', 'node-2', 'node-3']) await this.createNode(name);
  }

  async createReplicaSet(name: string, spec: object, annotations?: Record<string, string>): Promise<ReplicaSet> {
    return await this.create<ReplicaSet>('replicasets.apps', {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name, namespace: 'default' },
      spec: {
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name }, ...(annotations && { annotations }) },
          spec: { containers: [{ name: 'main', image: 'nginx:1.27' }] },
        },
        ...spec,
      },
    });
  }

  async replicaSet(name: string): Promise<ReplicaSet> {
    const found = await this.get<ReplicaSet>('replicasets.apps', 'default', name);
    if (!found) throw new Error(`no replica set ${name}`);
    return found;
  }

  async scale(name: string, replicas: number): Promise<void> {
    const { spec, ...rest } = await this.replicaSet(name);
    const outcome = await this.registry.update('replicasets.apps', { ...rest, spec: { ...spec, replicas } });
    if (outcome.status === 'refused') throw outcome.error;
  }

  async pods(): Promise<readonly Pod[]> {
    return (await this.objectStore.list<Pod>('pods', { namespace: 'default' })).items;
  }
}

let bench: ReplicasBench;
beforeEach(async () => {
  bench = new ReplicasBench();
  await bench.bootstrap();
});

describe('a ReplicaSet', () => {
  test('creates its pods, which it owns and names, and counts them', async () => {
    const { metadata } = await bench.createReplicaSet('web', { replicas: 7 });
    await bench.settle();
    const pods = await bench.pods();
    expect(pods).toHaveLength(7);
    for (const pod of pods) {
      expect(pod.metadata.name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      expect(pod.metadata.labels).toEqual({ app: 'web' });
      expect(pod.metadata.ownerReferences).toEqual([
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: 'web',
          uid: metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ]);
      expect(pod.status?.phase).toBe('Running');
    }
    expect((await bench.replicaSet('web')).status).toEqual({
      replicas: 7,
      fullyLabeledReplicas: 7,
      readyReplicas: 7,
      availableReplicas: 7,
      terminatingReplicas: 0,
      observedGeneration: 1,
    });
  });

  test('reports each pod that it creates and deletes as an event', async () => {
    await bench.createReplicaSet('web', { replicas: 2 });
    await bench.settle();
    const names = (await bench.pods()).map(({ metadata }) => metadata.name);
    await bench.scale('web', 0);
    await bench.settle();
    const told = bench.events.filter(({ regarding }) => regarding.kind === 'ReplicaSet');
    const messages = told.map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
    expect(messages.toSorted()).toEqual(
      names
        .flatMap((name) => [
          `Normal SuccessfulCreate: Created pod: ${name}`,
          `Normal SuccessfulDelete: Deleted pod: ${name}`,
        ])
        .toSorted(),
    );
    expect(await bench.pods()).toEqual([]);
  });

  test('creates more pods than one burst allows in several syncs', async () => {
    await bench.createReplicaSet('web', { replicas: 25 });
    await bench.settle();
    expect((await bench.replicaSet('web')).status?.availableReplicas).toBe(25);
    expect(await bench.pods()).toHaveLength(25);
  });

  test('replaces a pod that is being deleted at once, and counts the old one as terminating', async () => {
    await bench.createReplicaSet('web', { replicas: 1 }, { 'simulate.driftless.dev/termination-delay': '5s' });
    await bench.settle();
    const [victim] = await bench.pods();
    await bench.registry.delete({ resource: 'pods', namespace: 'default', name: victim?.metadata.name ?? '' });
    await bench.settle();
    expect((await bench.replicaSet('web')).status).toMatchObject({
      replicas: 1,
      availableReplicas: 1,
      terminatingReplicas: 1,
    });
    await bench.advance(5000);
    expect(await bench.pods()).toHaveLength(1);
    expect((await bench.replicaSet('web')).status).toMatchObject({ replicas: 1, terminatingReplicas: 0 });
  });

  test('counts a pod as available exactly when minReadySeconds have passed', async () => {
    await bench.createReplicaSet('web', { replicas: 2, minReadySeconds: 10 });
    await bench.settle();
    expect((await bench.replicaSet('web')).status).toMatchObject({ readyReplicas: 2 });
    await bench.advance(9999);
    expect((await bench.replicaSet('web')).status?.availableReplicas).toBeUndefined();
    await bench.advance(1);
    expect((await bench.replicaSet('web')).status?.availableReplicas).toBe(2);
  });

  test('adopts orphans that it selects and releases pods that it no longer selects', async () => {
    const orphan = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'orphan', namespace: 'default', labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'nginx' }] },
    };
    await bench.createReplicaSet('web', { replicas: 1 });
    await bench.create('pods', orphan);
    await bench.settle();
    const [adopted] = await bench.pods();
    expect(await bench.names('pods')).toEqual(['orphan']);
    expect(adopted?.metadata.ownerReferences?.[0]?.name).toBe('web');
    const relabelled = { ...(adopted as Pod), metadata: { ...(adopted as Pod).metadata, labels: { app: 'debug' } } };
    await bench.registry.update('pods', relabelled);
    await bench.settle();
    expect(await bench.pods()).toHaveLength(2);
    expect((await bench.get<Pod>('pods', 'default', 'orphan'))?.metadata.ownerReferences).toBeUndefined();
  });

  test('counts a pod once that loses its controller between the two lists of a sync, and deletes none', async () => {
    await bench.createReplicaSet('web', { replicas: 2 });
    await bench.settle();
    const before = await bench.pods();
    const [changed] = before as [Pod];
    const { ownerReferences: _, ...metadata } = changed.metadata;
    const list = bench.objectStore.list.bind(bench.objectStore);
    let owned: Promise<unknown> | undefined;
    let isReleased = false;
    bench.objectStore.list = async (resource, options) => {
      const isByOwner = resource === 'pods' && options?.index?.name === 'controller';
      if (isByOwner && options.index?.value === '' && !isReleased) {
        await owned;
        isReleased = true;
        await bench.registry.update('pods', { ...changed, metadata });
      }
      const listed = list(resource, options);
      if (isByOwner) owned ??= listed;
      return (await listed) as never;
    };
    const { spec, ...rest } = await bench.replicaSet('web');
    await bench.registry.update('replicasets.apps', { ...rest, spec: { ...spec, minReadySeconds: 1 } });
    await bench.settle();
    expect(isReleased).toBe(true);
    const owners = (await bench.pods()).map((pod) => [pod.metadata.uid, pod.metadata.ownerReferences?.[0]?.name]);
    expect(owners).toEqual(before.map(({ metadata: { uid } }) => [uid, 'web']));
  });

  test('of a Deployment adopts the orphans of its template, and reads no others', async () => {
    const labels = { app: 'web', 'pod-template-hash': 'abc' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx' }] } };
    await bench.createReplicaSet('web', { replicas: 1, selector: { matchLabels: labels }, template });
    await bench.settle();
    const spec = { containers: [{ name: 'main', image: 'nginx' }] };
    const orphan = (name: string, hash: string) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default', labels: { app: 'web', 'pod-template-hash': hash } },
      spec,
    });
    const lists: string[] = [];
    const list = bench.objectStore.list.bind(bench.objectStore);
    bench.objectStore.list = async (resource, options) => {
      const listed = await list(resource, options);
      if (resource === 'pods') lists.push(...listed.items.map(({ metadata }) => metadata.name));
      return listed as never;
    };
    await bench.create('pods', orphan('other', 'def'));
    await bench.create('pods', orphan('becomes-mine', 'def'));
    await bench.settle();
    const mine = (await bench.get<Pod>('pods', 'default', 'becomes-mine')) as Pod;
    await bench.registry.update('pods', { ...mine, metadata: { ...mine.metadata, labels } });
    const { spec: wanted, ...rest } = await bench.replicaSet('web');
    await bench.registry.update('replicasets.apps', { ...rest, spec: { ...wanted, replicas: 2 } });
    await bench.settle();
    expect((await bench.get<Pod>('pods', 'default', 'becomes-mine'))?.metadata.ownerReferences).toHaveLength(1);
    expect((await bench.get<Pod>('pods', 'default', 'other'))?.metadata.ownerReferences).toBeUndefined();
    expect(lists).not.toContain('other');
  });

  test('says that a quota refuses its pods, keeps trying, and recovers when there is room', async () => {
    const hard = { pods: '2' };
    await bench.create('resourcequotas', {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q', namespace: 'default' },
      spec: { hard },
      status: { hard, used: { pods: '0' } },
    });
    const quota = await bench.registry.get({ resource: 'resourcequotas', namespace: 'default', name: 'q' });
    await bench.registry.update(
      'resourcequotas',
      { ...(quota as never as ReplicaSet), status: { hard, used: { pods: '0' } } } as never,
      { subresource: 'status' },
    );
    await bench.createReplicaSet('web', { replicas: 4 });
    await expect(bench.settle()).rejects.toThrow(
      /^pods "web-.{5}" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2$/,
    );
    const { status } = await bench.replicaSet('web');
    expect(status?.conditions).toMatchObject([{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' }]);
    expect(bench.events.filter(({ reason }) => reason === 'FailedCreate')[0]?.message).toMatch(
      /^Error creating: pods "web-.{5}" is forbidden: exceeded quota/,
    );
    expect(await bench.pods()).toHaveLength(2);
    await bench.registry.delete({ resource: 'resourcequotas', namespace: 'default', name: 'q' });
    await bench.settle();
    expect((await bench.replicaSet('web')).status).toMatchObject({ availableReplicas: 4 });
    expect((await bench.replicaSet('web')).status?.conditions).toBeUndefined();
  });
});

test('a ReplicationController creates and counts its pods in the same way', async () => {
  const created = await bench.create<ReplicationController>('replicationcontrollers', {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: { name: 'old', namespace: 'default' },
    spec: {
      replicas: 3,
      selector: { app: 'old' },
      template: { metadata: { labels: { app: 'old' } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
    },
  });
  await bench.settle();
  const [pod] = await bench.pods();
  expect(pod?.metadata.ownerReferences).toEqual([
    {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      name: 'old',
      uid: created.metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    },
  ]);
  expect((await bench.get<ReplicationController>('replicationcontrollers', 'default', 'old'))?.status).toEqual({
    replicas: 3,
    fullyLabeledReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    observedGeneration: 1,
  });
});
