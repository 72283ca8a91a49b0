import { describe, expect, test } from 'vitest';
import { StatefulSetBench } from '../support/StatefulSetBench.ts';
import { statefulSetManifest, templateOf } from '../support/statefulSetFixtures.ts';

const SLOW = { 'ready-after': '10s' };

async function startWith(spec: object = {}, simulated: Record<string, string> = {}): Promise<StatefulSetBench> {
  const bench = await StatefulSetBench.start();
  await bench.cluster.apply(statefulSetManifest(spec as Record<string, unknown>, simulated));
  return bench;
}

describe('a StatefulSet', () => {
  test('creates its pods one after the other, each with its identity', async () => {
    const bench = await startWith({}, SLOW);
    const seen: string[][] = [];
    for (const seconds of [1, 10, 10, 10]) {
      await bench.cluster.advance(`${seconds}s`);
      seen.push(await bench.lives());
    }
    expect(seen).toEqual([
      ['web-0 nginx:1 waiting'],
      ['web-0 nginx:1 ready', 'web-1 nginx:1 waiting'],
      ['web-0 nginx:1 ready', 'web-1 nginx:1 ready', 'web-2 nginx:1 waiting'],
      ['web-0 nginx:1 ready', 'web-1 nginx:1 ready', 'web-2 nginx:1 ready'],
    ]);
    const [, pod] = await bench.pods();
    const { updateRevision } = await bench.status();
    expect(pod).toMatchObject({
      metadata: {
        generateName: 'web-',
        labels: {
          app: 'web',
          'statefulset.kubernetes.io/pod-name': 'web-1',
          'apps.kubernetes.io/pod-index': '1',
          'controller-revision-hash': updateRevision,
        },
        ownerReferences: [{ kind: 'StatefulSet', name: 'web', controller: true, blockOwnerDeletion: true }],
      },
      spec: { hostname: 'web-1', subdomain: 'web' },
    });
    expect(await bench.events()).toEqual(
      [0, 1, 2].map((nth) => `Normal SuccessfulCreate create Pod web-${nth} in StatefulSet web successful`),
    );
  });

  test('creates all pods at once with Parallel', async () => {
    const bench = await startWith({ podManagementPolicy: 'Parallel' }, SLOW);
    await bench.cluster.advance('1s');
    expect(await bench.lives()).toEqual([0, 1, 2].map((nth) => `web-${nth} nginx:1 waiting`));
  });

  test('counts its pods in its status', async () => {
    const bench = await startWith();
    await bench.cluster.advance('30s');
    const { updateRevision, ...status } = await bench.status();
    expect(status).toEqual({
      observedGeneration: 1,
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
      currentRevision: updateRevision,
      collisionCount: 0,
    });
  });

  test('scales down from the highest ordinal, one pod at a time', async () => {
    const bench = await startWith({}, { 'termination-delay': '10s' });
    await bench.cluster.advance('30s');
    await bench.cluster.patch('statefulset/web', { spec: { replicas: 1 } });
    await bench.cluster.advance('1s');
    expect(await bench.lives()).toEqual(['web-0 nginx:1 ready', 'web-1 nginx:1 ready', 'web-2 nginx:1 terminating']);
    await bench.cluster.advance('11s');
    expect(await bench.lives()).toEqual(['web-0 nginx:1 ready', 'web-1 nginx:1 terminating']);
    await bench.cluster.advance('11s');
    expect(await bench.lives()).toEqual(['web-0 nginx:1 ready']);
  });

  test('rolls a new template out from the highest ordinal, and keeps the old one below the partition', async () => {
    const bench = await startWith();
    await bench.cluster.advance('30s');
    const updateStrategy = { rollingUpdate: { partition: 1 } };
    await bench.cluster.patch('statefulset/web', { spec: { template: templateOf('nginx:2', SLOW), updateStrategy } });
    await bench.cluster.advance('5s');
    expect(await bench.lives()).toEqual(['web-0 nginx:1 ready', 'web-1 nginx:1 ready', 'web-2 nginx:2 waiting']);
    await bench.cluster.advance('1m');
    expect(await bench.lives()).toEqual(['web-0 nginx:1 ready', 'web-1 nginx:2 ready', 'web-2 nginx:2 ready']);
    await bench.cluster.delete('pod/web-0');
    await bench.cluster.advance('30s');
    expect((await bench.lives())[0]).toBe('web-0 nginx:1 ready');
    await bench.cluster.patch('statefulset/web', { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } });
    await bench.cluster.advance('1m');
    expect((await bench.lives())[0]).toBe('web-0 nginx:2 ready');
    const { currentRevision, updateRevision } = await bench.status();
    expect(currentRevision).toBe(updateRevision);
    const revisions = await bench.cluster.list('controllerrevisions');
    expect(revisions.map(({ revision }) => revision)).toEqual(expect.arrayContaining([1, 2]));
  });

  test('makes a pod that has ended again', async () => {
    const bench = await startWith({ replicas: 1 });
    await bench.cluster.advance('5s');
    const [pod] = await bench.pods();
    await bench.fail('web-0');
    await bench.cluster.advance('5s');
    const [again] = await bench.pods();
    expect(again?.metadata.uid).not.toBe(pod?.metadata.uid);
    expect(await bench.lives()).toEqual(['web-0 nginx:1 ready']);
  });
});
