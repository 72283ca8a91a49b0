import { expect, test } from 'vitest';
import type { Cluster } from '../../infra/testCluster/startCluster.ts';
import { LOCAL_CLASS, localClaim, localVolume, podWithClaim } from '../support/localVolume.ts';
import { startTestCluster } from '../support/startTestCluster.ts';

async function apply(cluster: Cluster, ...manifests: readonly object[]): Promise<void> {
  for (const manifest of manifests) await cluster.apply(manifest);
  await cluster.settle();
}

/** The phase of the claim, and of the pod of its name with its node. */
async function stateOf(cluster: Cluster, name: string): Promise<string> {
  const claim = await cluster.get(`pvc/${name}`);
  const pod = await cluster.get(`pod/${name}`);
  const { phase } = (claim as { status?: { phase?: string } }).status ?? {};
  const { spec, status } = pod as { spec?: { nodeName?: string }; status?: { phase?: string } };
  return [phase, status?.phase, spec?.nodeName].filter((part) => part !== undefined).join(' ');
}

test('pods run where the volumes are that somebody has made, each with a volume of its own', async () => {
  const cluster = await startTestCluster({ clock: 'virtual' });
  await apply(cluster, LOCAL_CLASS, localVolume('disk-2', 'driftless-node-2'), localClaim('one'), podWithClaim('one'));
  expect(await stateOf(cluster, 'one')).toBe('Bound Running driftless-node-2');
  await apply(cluster, localClaim('two'), podWithClaim('two'));
  expect(await stateOf(cluster, 'two')).toBe('Pending Pending');
  const [waiting] = (await cluster.list('pods')).filter(({ metadata }) => metadata.name === 'two');
  expect(waiting?.status?.conditions?.[0]?.message).toContain(
    "0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind.",
  );
  await apply(cluster, localVolume('disk-3', 'driftless-node-3'));
  expect(await stateOf(cluster, 'two')).toBe('Bound Running driftless-node-3');
});

test('a claim that only one pod may have goes to the next one when the first has ended', async () => {
  const cluster = await startTestCluster({ clock: 'virtual' });
  const claim = localClaim('one');
  const exclusive = { ...claim, spec: { ...(claim['spec'] as object), accessModes: ['ReadWriteOncePod'] } };
  const disk = localVolume('disk', 'driftless-node-1');
  const volume = { ...disk, spec: { ...(disk['spec'] as object), accessModes: ['ReadWriteOncePod'] } };
  const second = { ...podWithClaim('one'), metadata: { name: 'second', namespace: 'default' } };
  await apply(cluster, LOCAL_CLASS, volume, exclusive, podWithClaim('one'));
  await apply(cluster, second);
  expect(await cluster.get('pod/second')).toMatchObject({ status: { phase: 'Pending' } });
  await cluster.delete('pod/one');
  await cluster.settle();
  expect(await cluster.get('pod/second')).toMatchObject({
    status: { phase: 'Running' },
    spec: { nodeName: 'driftless-node-1' },
  });
});
