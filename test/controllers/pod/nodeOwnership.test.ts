import { expect, test } from 'vitest';
import { simulatedNode } from '../../../lambdas/functions/resync/simulatedNode.ts';
import type { NewObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

const OURS = simulatedNode(1, { name: 'n1' }, 0);

function withProvider(node: NewObject, providerID: string | undefined): NewObject {
  return { ...node, spec: { ...(node['spec'] as object), providerID } };
}

async function startedBench(nodes: readonly NewObject[]): Promise<ControllerBench> {
  const bench = new ControllerBench();
  bench.addPodControllers();
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  for (const node of nodes) await bench.create('nodes', node);
  return bench;
}

const BOUND: NewObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default' },
  spec: { nodeName: 'n1', containers: [{ name: 'web', image: 'nginx' }] },
};

async function phaseOn(node: NewObject | undefined): Promise<string | undefined> {
  const bench = await startedBench(node ? [node] : []);
  await bench.create<Pod>('pods', BOUND);
  await bench.settle();
  return (await bench.get<Pod>('pods', 'default', 'web'))?.status?.phase;
}

test('a pod on a simulated node runs', async () => {
  expect(await phaseOn(OURS)).toBe('Running');
});

test.each([
  ['of a cloud', withProvider(OURS, 'aws:///eu-west-1a/i-1')],
  ['without a provider', withProvider(OURS, undefined)],
  ['that does not exist', undefined],
])('a pod on a node %s is left as it is', async (_what, node) => {
  expect(await phaseOn(node)).toBe('Pending');
});

test('the removal of a pod on a real node is left to its kubelet', async () => {
  const bench = await startedBench([withProvider(OURS, 'aws:///i-1')]);
  await bench.create<Pod>('pods', BOUND);
  await bench.settle();
  await bench.registry.delete({ resource: 'pods', namespace: 'default', name: 'web' });
  await bench.advance(3_600_000);
  expect(await bench.names('pods')).toEqual(['web']);
});

test('a pod that is deleted on a node that does not exist is removed, since no kubelet will do it', async () => {
  const bench = await startedBench([]);
  await bench.create<Pod>('pods', BOUND);
  await bench.settle();
  await bench.registry.delete({ resource: 'pods', namespace: 'default', name: 'web' });
  await bench.advance(30_000);
  expect(await bench.names('pods')).toEqual([]);
});

test('a pod that was bound to a simulated node before the node existed runs once it does', async () => {
  const bench = await startedBench([]);
  await bench.create<Pod>('pods', BOUND);
  await bench.settle();
  await bench.create('nodes', OURS);
  await bench.settle();
  expect((await bench.get<Pod>('pods', 'default', 'web'))?.status?.phase).toBe('Running');
});
