import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Cluster } from '../../infra/testCluster/startCluster.ts';
import { podStory } from '../support/podStory.ts';
import { startTestCluster } from '../support/startTestCluster.ts';

async function createPod(cluster: Cluster, name: string, container: object, more: object = {}): Promise<void> {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'web', ...container }], ...more },
  };
  await cluster.apply(pod);
  await cluster.settle();
}

const containersOf = async (cluster: Cluster, name: string) => (await podStory(cluster, name)).containers;

test('a pod that waits for a ConfigMap finds it after a restart of the server', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'driftless-waits-'));
  const before = await startTestCluster({ clock: 'virtual', dataDir });
  await createPod(before, 'web', { image: 'nginx:1', envFrom: [{ configMapRef: { name: 'x' } }] });
  await before.stop();
  const after = await startTestCluster({ clock: 'virtual', dataDir });
  expect(await containersOf(after, 'web')).toEqual(['web: CreateContainerConfigError: configmap "x" not found']);
  await after.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } });
  await after.settle();
  expect(await containersOf(after, 'web')).toEqual(['web: Running']);
});

test('an image that is never pulled is found on a node that has it from the start, or gets it later', async () => {
  const cluster = await startTestCluster({ clock: 'virtual', nodes: [{ name: 'n', images: ['app:dev'] }] });
  await createPod(cluster, 'loaded', { image: 'docker.io/library/app:dev', imagePullPolicy: 'Never' });
  await createPod(cluster, 'absent', { image: 'app:new', imagePullPolicy: 'Never' });
  expect(await containersOf(cluster, 'loaded')).toEqual(['web: Running']);
  expect(await containersOf(cluster, 'absent')).toEqual([
    'web: ErrImageNeverPull: Container image "app:new" is not present with pull policy of Never',
  ]);
  const images = [{ names: ['app:dev'] }, { names: ['app:new'] }];
  await cluster.patch('node/n', { status: { images } }, { subresource: 'status' });
  await cluster.settle();
  expect(await containersOf(cluster, 'absent')).toEqual(['web: Running']);
});

test('pods of a Deployment have different addresses, apart from those of the nodes', async () => {
  const cluster = await startTestCluster({ clock: 'virtual' });
  const labels = { app: 'web' };
  await cluster.apply({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 50,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } },
    },
  });
  await createPod(cluster, 'host', { image: 'nginx:1' }, { hostNetwork: true });
  const onHost = (await cluster.get('pod/host')).status;
  expect(onHost?.podIP).toBe(onHost?.hostIP);
  const pods = await cluster.list('pods', { labelSelector: 'app=web' });
  const nodes = await cluster.list('nodes');
  const hosts = nodes.flatMap(({ status }) => status?.addresses?.[0]?.address ?? []);
  const addresses = pods.flatMap(({ status }) => status?.podIP ?? []);
  expect(new Set([...addresses, ...hosts]).size).toBe(50 + hosts.length);
  expect([...addresses, ...hosts].filter((one) => !/^198\.1[89]\./.test(one))).toEqual([]);
  expect(new Set(pods.map(({ status }) => status?.hostIP))).toEqual(new Set(hosts));
});
