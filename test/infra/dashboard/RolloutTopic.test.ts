import { expect, test, vi } from 'vitest';
import { ClusterMirror } from '../../../infra/dashboard/server/ClusterMirror.ts';
import type { Shown } from '../../../infra/dashboard/server/PageTopic.ts';
import { PendingChanges } from '../../../infra/dashboard/server/PendingChanges.ts';
import { RolloutTopic } from '../../../infra/dashboard/server/RolloutTopic.ts';
import { nothingTold, takeMessage } from '../../../infra/dashboard/page/Told.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { isPodActive } from '../../../lambdas/objects/pods/podState.ts';
import { startTestCluster } from '../../support/startTestCluster.ts';
import { webDeployment } from '../../support/webDeployment.ts';

/** What a page is told of `default/web` while a test goes on. */
async function followWeb(spec: object) {
  const cluster = await startTestCluster({ clock: 'virtual' });
  await cluster.apply(webDeployment('nginx:1', 4, spec));
  await cluster.advance('1m');
  const mirror = new ClusterMirror(
    (path, init) => fetch(cluster.url + path, init),
    () => cluster.now().getTime(),
  );
  const topic = new RolloutTopic(mirror, 'default', 'web');
  const changes = new PendingChanges(mirror, topic, true);
  const told = nothingTold();
  for (const watch of topic.watches) watch.follow((object) => changes.add(object));
  const look = () => {
    for (const message of changes.take()) takeMessage(told, message);
    return told;
  };
  return { cluster, mirror, look };
}

test('a page is told of every pod of a rollout, and its counts are those of the pods', async () => {
  const { cluster, mirror, look } = await followWeb({ minReadySeconds: 10 });
  try {
    await vi.waitFor(() => expect(look().pods.size).toBe(4), 10_000);
    for (const image of ['nginx:2', 'nginx:3']) {
      await cluster.apply(webDeployment(image, 4, { minReadySeconds: 10 }));
      await cluster.advance('5m');
      // The page is told a moment later, so it may still see the rollout before.
      await vi.waitFor(() => {
        const [workload] = [...look().workloads.values()];
        expect(workload).toMatchObject({ says: 'All 4 are available.', images: [image] });
        expect([...look().pods.values()].map(({ state }) => state)).toEqual(Array(4).fill('available'));
      }, 10_000);
    }
    const { items } = (await (await fetch(`${cluster.url}/api/v1/pods`)).json()) as { items: Pod[] };
    expect(look().samples.at(-1)).toMatchObject({ pods: items.filter(isPodActive).length, available: 4 });
    for (const { pods, ceiling } of look().samples) expect(pods).toBeLessThanOrEqual(ceiling);
  } finally {
    mirror.stop();
  }
});

test('nothing is left of a Deployment that is deleted', async () => {
  const { cluster, mirror, look } = await followWeb({});
  try {
    await vi.waitFor(() => expect(look().pods.size).toBe(4), 10_000);
    await cluster.delete('deployment/web');
    await cluster.advance('5m');
    await vi.waitFor(() => {
      const { workloads, replicaSets, pods } = look();
      expect([workloads.size, replicaSets.size, pods.size]).toEqual([0, 0, 0]);
    }, 10_000);
  } finally {
    mirror.stop();
  }
});

test('a page is told of pods whose ReplicaSet and Deployment were seen after them, since each kind is watched apart', async () => {
  const cluster = await startTestCluster({ clock: 'virtual' });
  await cluster.apply(webDeployment('nginx:1', 4));
  await cluster.advance('1m');
  const mirror = new ClusterMirror(
    (path, init) => fetch(cluster.url + path, init),
    () => cluster.now().getTime(),
  );
  try {
    const { deployments, replicaSets, pods } = mirror;
    const topic = new RolloutTopic(mirror, 'default', 'web');
    const told = new Map<string, Shown | undefined>();
    const inOrder = [
      { kind: 'Pod', watch: pods },
      { kind: 'ReplicaSet', watch: replicaSets },
      { kind: 'Deployment', watch: deployments },
    ];
    for (const { kind, watch } of inOrder) {
      watch.follow(() => {});
      await vi.waitFor(() => expect(watch.isKnown).toBe(true), 10_000);
      // The objects of a list have no kind of their own, and those of a watch have.
      for (const object of watch.all())
        for (const [id, shown] of topic.changed({ ...object, kind })) told.set(id, shown);
    }
    const lists = [...told.values()].map((shown) => shown?.list ?? 'gone').toSorted((a, b) => a.localeCompare(b));
    expect(lists).toEqual(['pods', 'pods', 'pods', 'pods', 'replicaSets', 'workloads']);
    expect(topic.sample()).toMatchObject({ pods: 4, available: 4 });
  } finally {
    mirror.stop();
  }
});
