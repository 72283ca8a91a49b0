import { beforeEach, describe, expect, test } from 'vitest';
import { plannedPods } from '../../../lambdas/controllers/replicaset/plannedPods.ts';
import type { Pod, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import type { Intent } from '../../../lambdas/ports/KeyLocks.ts';
import { IntentBench, RS } from '../../support/IntentBench.ts';

let bench: IntentBench;
beforeEach(async () => {
  bench = new IntentBench();
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  await bench.create('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } });
  await bench.createReplicaSet(5);
});

const names = async () => (await bench.activePods()).map(({ metadata }) => metadata.name).toSorted();
const recordedNames = (intent: Intent | undefined) =>
  intent
    ? plannedPods(intent, 'web')
        .map(({ name }) => name)
        .toSorted()
    : [];

describe('an intent, which replaces expectations,', () => {
  test('is recorded before the first create and cleared after the last', async () => {
    await bench.sync();
    expect(bench.recorded).toMatchObject([{ count: 5, deletes: [] }, undefined]);
    expect(await names()).toEqual(recordedNames(bench.recorded[0]));
  });

  test('is not recorded when nothing is to be created or deleted', async () => {
    await bench.converge();
    bench.recorded.length = 0;
    await bench.sync();
    expect(bench.recorded).toEqual([]);
  });

  test('names the pods to delete, with the version of those that are deleted because they are not ready', async () => {
    await bench.converge();
    await bench.scale(3);
    bench.recorded.length = 0;
    await bench.sync();
    expect(bench.recorded[0]?.deletes).toHaveLength(2);
    for (const victim of bench.recorded[0]?.deletes ?? []) expect(victim.resourceVersion).toMatch(/^\d+$/);
  });

  test('is cleared when every create was refused, and the next sync plans new names', async () => {
    const first = await bench.sync();
    expect(first).not.toBeInstanceOf(Error);
    const hard = { pods: '5' };
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q', namespace: 'default' },
      spec: { hard },
    };
    await bench.create('resourcequotas', quota);
    const stored = await bench.registry.get({ resource: 'resourcequotas', namespace: 'default', name: 'q' });
    await bench.registry.update(
      'resourcequotas',
      { ...(stored as ReplicaSet), status: { hard, used: hard } } as never,
      {
        subresource: 'status',
      },
    );
    await bench.scale(6);
    expect(await bench.sync()).toMatchObject({ reason: 'Forbidden' });
    expect(bench.intent).toBeUndefined();
    expect(bench.burned).toEqual([]);
  });
});

describe('a worker that dies between the intent and its creates', () => {
  test.each([0, 1, 2, 3, 4, 5])(
    'after %i of them leaves just enough for the next sync to end with five pods',
    async (made) => {
      bench.fate = (nth) => (nth < made ? 'arrive' : 'lost');
      await bench.sync();
      const recorded = recordedNames(bench.recorded[0]);
      await bench.converge();
      expect(await names()).toEqual(recorded);
      expect(bench.intent).toBeUndefined();
      expect(bench.burned).toEqual([]);
    },
  );

  test.each([0, 1, 2, 3, 4])(
    'after create %i was carried out but never answered makes no pod too many',
    async (nth) => {
      bench.fate = (write) => (write < nth ? 'arrive' : 'unanswered');
      await bench.sync();
      await bench.converge();
      expect(await names()).toEqual(recordedNames(bench.recorded[0]));
    },
  );
});

describe('a worker that stalls, so that its creates arrive late,', () => {
  test.each([0, 1, 3])('after %i of them makes no pod too many, because the next sync uses its names', async (made) => {
    bench.fate = (nth) => (nth < made ? 'arrive' : 'late');
    await bench.sync();
    await bench.converge();
    await bench.arrive();
    expect(await bench.activePods()).toHaveLength(5);
  });

  test('makes no pod when the replicas were scaled down meanwhile: the names are burned', async () => {
    bench.fate = (nth) => (nth < 1 ? 'arrive' : 'late');
    await bench.sync();
    await bench.scale(1);
    await bench.converge();
    expect(bench.burned.length).toBe(4);
    await bench.arrive();
    expect(await bench.activePods()).toHaveLength(1);
    expect(bench.intent).toBeUndefined();
  });

  test('makes no pod when the replica set was deleted meanwhile', async () => {
    bench.fate = () => 'late';
    await bench.sync();
    await bench.registry.delete(RS);
    await bench.converge();
    await bench.arrive();
    expect(await bench.activePods()).toEqual([]);
    expect(bench.intent).toBeUndefined();
  });

  test('makes no pod when another replica set has the name now', async () => {
    bench.fate = () => 'late';
    await bench.sync();
    await bench.registry.delete(RS);
    await bench.createReplicaSet(2);
    await bench.converge();
    await bench.arrive();
    expect(await bench.activePods()).toHaveLength(2);
  });

  test('takes a recorded pod for settled that was relabelled and released, and that no list shows', async () => {
    await bench.registry.delete(RS);
    await bench.createReplicaSet(2, { app: 'web', 'pod-template-hash': 'abc' });
    bench.fate = () => 'unanswered';
    await bench.sync();
    await bench.sync();
    const [first, second] = await bench.activePods();
    expect(second).toBeDefined();
    const { ownerReferences: _, ...metadata } = (first as Pod).metadata;
    await bench.store.replace('pods', { ...first, metadata: { ...metadata, labels: { app: 'debug' } } } as Pod);
    await bench.scale(1);
    await bench.converge();
    expect(bench.burned).toEqual([first?.metadata.name]);
    expect(bench.intent).toBeUndefined();
    expect(await bench.activePods()).toHaveLength(2);
  });

  test('makes no pod too many when one of its creates lands while the next sync burns names', async () => {
    bench.fate = (nth) => (nth < 1 ? 'arrive' : 'late');
    await bench.sync();
    await bench.scale(1);
    const list = bench.store.list.bind(bench.store);
    let landed = false;
    bench.store.list = async (resource, options) => {
      const before = await list(resource, options);
      if (resource === 'pods' && options?.index?.value === '' && !landed) {
        landed = true;
        await bench.arrive();
      }
      return before as never;
    };
    await bench.converge();
    expect(await bench.activePods()).toHaveLength(1);
  });
});

describe('a burn that comes too late, since the create of its name has just landed,', () => {
  // A Deployment would believe a status of this generation, and give room that the pod has to another ReplicaSet.
  test('stops the creates and the status of its sync: the pod that landed is counted first', async () => {
    bench.fate = (nth) => (nth < 1 ? 'arrive' : 'late');
    await bench.sync();
    await bench.scale(2);
    // One pod runs, and two creates are under way. The next sync needs the first of their names, and burns the second.
    const [first, second] = bench.late.splice(0);
    const name = bench.intent && plannedPods(bench.intent, 'web')[2]?.name;
    bench.beforeBurn = async (burned) => (burned === name ? await second?.() : undefined);
    bench.fate = () => 'arrive';
    expect(await bench.sync()).toMatchObject({ outcome: { status: 'conflict' }, writes: [] });
    expect(await names()).toContain(name);
    expect(await names()).toHaveLength(2);
    await bench.converge();
    await first?.().catch(() => undefined);
    expect(await names()).toHaveLength(2);
  });
});

describe('a recorded name', () => {
  test('is not used again when its pod was deleted before the next sync: another pod is created', async () => {
    bench.fate = (nth) => (nth < 5 ? 'unanswered' : 'lost');
    await bench.sync();
    const [gone] = await bench.activePods();
    bench.fate = () => 'arrive';
    const { name = '', uid = '' } = gone?.metadata ?? {};
    await bench.registry.delete({ resource: 'pods', namespace: 'default', name }, { gracePeriodSeconds: 0 });
    await bench.converge();
    const pods = await bench.activePods();
    expect(pods).toHaveLength(5);
    expect(pods.map(({ metadata }) => metadata.uid)).not.toContain(uid);
  });

  test('is left to a foreign pod that has it', async () => {
    const { uid } = (await bench.registry.get<ReplicaSet>(RS))?.metadata ?? {};
    bench.intent = { id: 'an-id', ownerUid: uid ?? '', count: 5, deletes: [] };
    const name = plannedPods(bench.intent, 'web')[2]?.name ?? '';
    const spec = { containers: [{ name: 'main', image: 'nginx' }] };
    await bench.create('pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, spec });
    await bench.converge();
    const owned = (await bench.activePods()).filter(({ metadata }) => metadata.ownerReferences);
    expect(owned).toHaveLength(5);
    expect(owned.map(({ metadata }) => metadata.name)).not.toContain(name);
  });
});

describe('deletes that arrive late', () => {
  beforeEach(async () => {
    await bench.converge();
    await bench.scale(3);
    bench.recorded.length = 0;
  });

  test('are finished by the next sync, so that no other pods are chosen', async () => {
    bench.fate = () => 'late';
    await bench.sync();
    const victims = bench.recorded[0]?.deletes.map(({ name }) => name) ?? [];
    const before = await names();
    await bench.converge();
    await bench.arrive();
    expect(await names()).toEqual(before.filter((name) => !victims.includes(name)));
  });

  test('delete no pod that changed since: the next sync chooses again', async () => {
    bench.fate = () => 'late';
    const writes = bench.late;
    await bench.sync();
    const [victim] = bench.recorded[0]?.deletes ?? [];
    bench.fate = () => 'arrive';
    const pod = await bench.registry.get<Pod>({ resource: 'pods', namespace: 'default', name: victim?.name ?? '' });
    await makeReady(pod as Pod);
    await bench.converge();
    expect(writes.length).toBeGreaterThan(0);
    await bench.arrive();
    expect(await names()).toContain(victim?.name);
    expect(await bench.activePods()).toHaveLength(3);
  });

  test('delete no pod that another replica set has adopted by then', async () => {
    for (const pod of await bench.activePods()) await makeReady(pod);
    const adopted: string[] = [];
    bench.beforeReplace = async (name) => {
      if (adopted.includes(name)) return;
      adopted.push(name);
      await giveAway(name);
    };
    await bench.sync();
    expect(adopted).toHaveLength(2);
    expect(await names()).toEqual(expect.arrayContaining(adopted));
  });

  // A Deployment may delete available pods of another ReplicaSet because of this status.
  test('are not counted as available, even if the replica set has got a larger size since', async () => {
    for (const pod of await bench.activePods()) await makeReady(pod);
    bench.fate = () => 'lost';
    expect(await bench.sync()).toBeInstanceOf(Error);
    expect(bench.intent?.deletes).toHaveLength(2);
    await bench.scale(5);
    expect(await bench.sync()).toBeInstanceOf(Error);
    const owner = await bench.registry.get<ReplicaSet>(RS);
    expect(owner?.status).toMatchObject({ observedGeneration: 3, replicas: 5, readyReplicas: 5, availableReplicas: 3 });
  });
});

async function makeReady(pod: Pod): Promise<void> {
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];
  const ready = { ...pod, status: { phase: 'Running', conditions } };
  await bench.registry.update('pods', ready, { subresource: 'status' });
}

/** The pod's owner was deleted and orphaned it, and another ReplicaSet has adopted it. */
async function giveAway(name: string): Promise<void> {
  const pod = (await bench.store.get<Pod>({ resource: 'pods', namespace: 'default', name })) as Pod;
  const [reference] = pod.metadata.ownerReferences ?? [];
  const ownerReferences = [{ ...reference, name: 'web-too', uid: 'another' } as NonNullable<typeof reference>];
  await bench.store.replace('pods', { ...pod, metadata: { ...pod.metadata, ownerReferences } });
}
