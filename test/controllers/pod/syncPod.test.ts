import { expect, test } from 'vitest';
import { simulatedNode } from '../../../lambdas/functions/resync/simulatedNode.ts';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

test('a pod whose deletion without a grace period was cut off between its two writes is removed', async () => {
  const bench = new ControllerBench();
  bench.addPodControllers();
  for (const name of ['default', 'kube-system'])
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
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
  bench.addPodControllers();
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  const where = { 'topology.kubernetes.io/zone': 'eu-1a', 'topology.kubernetes.io/region': 'eu-1' };
  await bench.create<Node>('nodes', simulatedNode(1, { name: 'node-1', labels: { ...where, disk: 'fast' } }, 0));
  const labels = { app: 'web' };
  const resources = { requests: { cpu: '1' } };
  for (const [name, containers] of [
    ['plain', [{ name: 'web', image: 'nginx' }]],
    ['scheduled', [{ name: 'web', image: 'nginx', resources }]],
  ] as const) {
    const metadata = { name, namespace: 'default', labels };
    await bench.create<Pod>('pods', { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers } });
  }
  await bench.settle();
  for (const name of ['plain', 'scheduled']) {
    const pod = await bench.get<Pod>('pods', 'default', name);
    expect(pod?.spec?.nodeName).toBe('node-1');
    expect(pod?.metadata.labels).toEqual({ ...labels, ...where });
  }
});
