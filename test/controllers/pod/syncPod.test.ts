import { expect, test } from 'vitest';
import { SimulatedPodRuntime } from '../../../lambdas/adapters/simulated/SimulatedPodRuntime.ts';
import { createPodController } from '../../../lambdas/controllers/pod/createPodController.ts';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
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

test('a pod gets the labels that say where its node is', async () => {
  const bench = new ControllerBench();
  const events = { record: async () => {} };
  const { registry, clock } = bench;
  const podRuntime = new SimulatedPodRuntime();
  bench.add(createPodController({ registry, podRuntime, clock, schedulerEvents: events, kubeletEvents: events }));
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  const where = { 'topology.kubernetes.io/zone': 'eu-1a', 'topology.kubernetes.io/region': 'eu-1' };
  const metadata = { name: 'node-1', labels: { ...where, disk: 'fast' } };
  const node = await bench.create<Node>('nodes', { apiVersion: 'v1', kind: 'Node', metadata, spec: {} });
  const conditions = [{ type: 'Ready', status: 'True' }];
  await registry.update<Node>('nodes', { ...node, status: { conditions } }, { subresource: 'status', from: node });
  const spec = { containers: [{ name: 'web', image: 'nginx' }] };
  const labels = { app: 'web' };
  await bench.create<Pod>('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default', labels },
    spec,
  });
  await bench.settle();
  const pod = await bench.get<Pod>('pods', 'default', 'web');
  expect(pod?.spec?.nodeName).toBe('node-1');
  expect(pod?.metadata.labels).toEqual({ ...labels, ...where });
});
