import { expect, test } from 'vitest';
import { SimulatedPodRuntime } from '../../../lambdas/adapters/simulated/SimulatedPodRuntime.ts';
import { createPodController } from '../../../lambdas/controllers/pod/createPodController.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

test('a pod whose deletion without a grace period was cut off between its two writes is removed', async () => {
  const bench = new ControllerBench();
  const events = { record: async () => {} };
  const { registry, clock } = bench;
  const podRuntime = new SimulatedPodRuntime();
  bench.add(createPodController({ registry, podRuntime, clock, schedulerEvents: events, kubeletEvents: events }));
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  const spec = { containers: [{ name: 'web', image: 'nginx' }] };
  const created = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'default' }, spec };
  const pod = await bench.create<Pod>('pods', created);
  await bench.settle();
  const marked = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 };
  const { metadata, ...rest } = (await bench.get<Pod>('pods', 'default', 'web')) ?? pod;
  await bench.objectStore.replace<Pod>('pods', { ...rest, metadata: { ...metadata, ...marked } });
  await bench.settle();
  expect(await bench.names('pods')).toEqual([]);
});
