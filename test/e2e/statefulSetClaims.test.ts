import { expect, test } from 'vitest';
import { StatefulSetBench } from '../support/StatefulSetBench.ts';
import { CLAIM_TEMPLATE, statefulSetManifest } from '../support/statefulSetFixtures.ts';

async function startWith(policy: object, spec: object = {}): Promise<StatefulSetBench> {
  const bench = await StatefulSetBench.start();
  const claims = { volumeClaimTemplates: [CLAIM_TEMPLATE], persistentVolumeClaimRetentionPolicy: policy };
  await bench.cluster.apply(statefulSetManifest({ replicas: 2, ...claims, ...spec }));
  await bench.cluster.advance('30s');
  return bench;
}

test('the claims of a set are made and bound, and go with their pods and the set if the policy says so', async () => {
  const bench = await startWith({ whenDeleted: 'Delete', whenScaled: 'Delete' });
  expect(await bench.lives()).toEqual(['web-0 nginx:1 ready', 'web-1 nginx:1 ready']);
  expect(await bench.claims()).toEqual(['data-web-0 Bound of StatefulSet web', 'data-web-1 Bound of StatefulSet web']);
  const message = 'create Claim data-web-0 Pod web-0 in StatefulSet web success';
  expect(await bench.events()).toContain(`Normal SuccessfulCreate ${message}`);
  await bench.cluster.patch('statefulset/web', { spec: { replicas: 1 } });
  await bench.cluster.advance('30s');
  expect(await bench.claims()).toEqual(['data-web-0 Bound of StatefulSet web']);
  await bench.cluster.delete('statefulset/web');
  await bench.cluster.advance('30s');
  expect(await bench.claims()).toEqual([]);
  expect(await bench.cluster.list('persistentvolumes')).toEqual([]);
});

test('the claims of a set stay if the policy keeps them, and the pods that come back use them again', async () => {
  const bench = await startWith({ whenDeleted: 'Retain', whenScaled: 'Retain' });
  const volumesOf = async () => (await bench.cluster.list('persistentvolumes')).map(({ metadata }) => metadata.name);
  const volumes = await volumesOf();
  await bench.cluster.patch('statefulset/web', { spec: { replicas: 1 } });
  await bench.cluster.advance('30s');
  await bench.cluster.patch('statefulset/web', { spec: { replicas: 2 } });
  await bench.cluster.advance('30s');
  expect(await bench.lives()).toEqual(['web-0 nginx:1 ready', 'web-1 nginx:1 ready']);
  expect(await volumesOf()).toEqual(volumes);
  await bench.cluster.delete('statefulset/web');
  await bench.cluster.advance('30s');
  expect([await bench.lives(), await bench.claims()]).toEqual([[], ['data-web-0 Bound', 'data-web-1 Bound']]);
});

test('a pod that comes back soon after its set was scaled down waits until the claim of the one before is gone', async () => {
  const policy = { whenDeleted: 'Retain', whenScaled: 'Delete' };
  const bench = await startWith(policy, { podManagementPolicy: 'Parallel' });
  const [, before] = await bench.cluster.list('persistentvolumeclaims');
  await bench.cluster.patch('statefulset/web', { spec: { replicas: 1 } });
  await bench.cluster.advance('1s');
  await bench.cluster.patch('statefulset/web', { spec: { replicas: 2 } });
  await bench.cluster.advance('2m');
  expect(await bench.lives()).toEqual(['web-0 nginx:1 ready', 'web-1 nginx:1 ready']);
  const [, after] = await bench.cluster.list('persistentvolumeclaims');
  expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
  expect(await bench.claims()).toEqual(['data-web-0 Bound', 'data-web-1 Bound']);
});
