import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppsV1Api, type V1Deployment } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClusterOptions, startCluster } from '../../infra/testCluster/startCluster.ts';
import { UsageError } from '../../infra/host/UsageError.ts';
import { startTestCluster } from '../support/startTestCluster.ts';
import { webDeployment } from '../support/webDeployment.ts';

describe('a cluster in a test', () => {
  test('rolls out a Deployment with the real controllers', async () => {
    const cluster = await startTestCluster();
    await cluster.apply(webDeployment('nginx:1', 3));
    await cluster.settle();
    const { status } = await cluster.get('deployment/default/web');
    expect(status).toMatchObject({ replicas: 3, availableReplicas: 3, observedGeneration: 1 });
    expect(await cluster.list('pods', { labelSelector: 'app=web' })).toHaveLength(3);
  });

  test('applies a manifest of several documents', async () => {
    const cluster = await startTestCluster();
    const applied = await cluster.apply(`
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {colour: green}
`);
    expect(applied.map(({ kind }) => kind)).toEqual(['Namespace', 'ConfigMap']);
    expect((await cluster.get('configmap/shop/settings')).data).toEqual({ colour: 'green' });
  });

  test('serves the JavaScript client', async () => {
    const cluster = await startTestCluster();
    const config = await cluster.kubeConfig();
    const deployments = config.makeApiClient(AppsV1Api);
    await deployments.createNamespacedDeployment({
      namespace: 'default',
      body: webDeployment('nginx:1', 2) as V1Deployment,
    });
    await cluster.settle();
    const { items } = await deployments.listReplicaSetForAllNamespaces();
    expect(items.map(({ status }) => status?.availableReplicas)).toEqual([2]);
  });

  test('patches, scales and deletes objects', async () => {
    const cluster = await startTestCluster();
    await cluster.apply(webDeployment('nginx:1', 1));
    await cluster.patch('deployment/web', { metadata: { labels: { tier: 'front' } } });
    await cluster.patch('deployment/web', { spec: { replicas: 4 } }, { subresource: 'scale', type: 'merge' });
    await cluster.patch('deployment/web', [{ op: 'add', path: '/spec/paused', value: true }]);
    await cluster.settle();
    const web = await cluster.get('deployment/web');
    expect(web.metadata.labels).toEqual({ tier: 'front' });
    expect(web.spec).toMatchObject({ replicas: 4, paused: true });
    await cluster.delete('deployment/web');
    await cluster.settle();
    expect(await cluster.list('pods')).toEqual([]);
  });

  test('has the nodes of its options', async () => {
    const cluster = await startTestCluster({
      nodes: [{ name: 'fast', labels: { disk: 'ssd' } }, { name: 'slow' }, { name: 'out', unschedulable: true }],
    });
    const containers = [{ name: 'web', image: 'nginx:1' }];
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers, nodeSelector: { disk: 'ssd' } } };
    await cluster.apply(webDeployment('nginx:1', 5, { template }));
    await cluster.settle();
    const nodes = (await cluster.list('pods')).map(({ spec }) => spec?.nodeName);
    expect(nodes).toEqual(['fast', 'fast', 'fast', 'fast', 'fast']);
  });

  test('does not do the work of a controller that is switched off', async () => {
    const cluster = await startTestCluster({ controllers: { replicaset: false } });
    await cluster.apply(webDeployment());
    await cluster.settle();
    expect(await cluster.list('replicasets')).toHaveLength(1);
    expect(await cluster.list('pods')).toEqual([]);
  });

  test('without controllers is a bare API server', async () => {
    const cluster = await startTestCluster({ controllers: false });
    await cluster.apply(webDeployment());
    await cluster.settle();
    expect(await cluster.list('replicasets')).toEqual([]);
    expect(await cluster.list('nodes')).toHaveLength(3);
  });

  test('with a seed gives objects the same names in each run', async () => {
    const names = async () => {
      const cluster = await startTestCluster({ seed: 7, clock: 'virtual' });
      await cluster.apply(webDeployment('nginx:1', 3));
      await cluster.settle();
      return (await cluster.list('pods')).map(({ metadata }) => [metadata.name, metadata.uid]);
    };
    expect(await names()).toEqual(await names());
  });

  test('runs side by side with nine others without sharing objects', async () => {
    const clusters = await Promise.all(Array.from({ length: 10 }, () => startTestCluster()));
    await Promise.all(clusters.map((cluster, index) => cluster.apply(webDeployment('nginx:1', index))));
    await Promise.all(clusters.map((cluster) => cluster.settle()));
    const counts = await Promise.all(clusters.map(async (cluster) => (await cluster.list('pods')).length));
    expect(counts).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('starts in under 300 ms once the modules are loaded', async () => {
    await startTestCluster();
    const tookMs: number[] = [];
    // Other processes disturb single starts.
    for (let start = 0; start < 5; start += 1) {
      const begunMs = performance.now();
      await startTestCluster();
      tookMs.push(performance.now() - begunMs);
    }
    expect(Math.min(...tookMs)).toBeLessThan(300);
  });
});

describe('a mistake is told in one line', () => {
  test.each([
    [
      './web.yaml',
      'the manifest is "./web.yaml", which is no object in YAML or JSON; what stands in a file must be read from it first',
    ],
    ['web', 'the manifest is "web", which is no object in YAML or JSON'],
  ])('when %j is applied', async (manifest, message) => {
    const cluster = await startTestCluster();
    await expect(cluster.apply(manifest)).rejects.toThrow(new UsageError(message));
  });

  test('when the port is in use', async () => {
    const cluster = await startTestCluster();
    const port = Number(new URL(cluster.url).port);
    const refused = await startCluster({ port }).catch((error: unknown) => error);
    expect(refused).toEqual(new UsageError(`port ${port} is in use; name another one, or 0 for one that is free`));
    expect(refused).toMatchObject({ cause: { code: 'EADDRINUSE' } });
  });
});

describe('a data directory', () => {
  let directory = '';
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'driftless-cluster-'));
  });
  afterAll(async () => await rm(directory, { recursive: true }));

  test('keeps all objects and the virtual time for the next cluster', async () => {
    const dataDir = join(directory, 'kept');
    const first = await startTestCluster({ dataDir, clock: 'virtual' });
    await first.apply(webDeployment('nginx:1', 2));
    await first.settle();
    await first.advance('1h');
    const pods = await first.list('pods');
    await first.stop();
    const second = await startTestCluster({ dataDir, clock: 'virtual' });
    expect(second.now().toISOString()).toBe('2026-01-01T01:00:00.000Z');
    expect(await second.list('pods')).toEqual(pods);
    await expect(startCluster({ dataDir, clock: 'virtual' })).rejects.toThrow(/is in use/);
    await second.stop();
    const early = startCluster({ dataDir, clock: 'virtual', startTime: '2026-01-01T00:30:00Z' });
    await expect(early).rejects.toThrow('startTime must not lie before 2026-01-01T01:00:00.000Z');
  });

  test('lets the next cluster finish a rollout', async () => {
    const dataDir = join(directory, 'unfinished');
    const first = await startTestCluster({ dataDir });
    await first.apply(webDeployment('nginx:1', 20));
    await first.stop();
    const second = await startTestCluster({ dataDir });
    expect((await second.get('deployment/web')).status).toMatchObject({ availableReplicas: 20 });
  });
});

describe('stop', () => {
  test('closes everything and deletes its files while a client watches', async () => {
    // Node resolves hosts and loads modules on first use. Do that before counting.
    const warm = await startCluster();
    await warm.stop();
    await turn();
    const before = openResources();
    const cluster = await startCluster();
    const watch = await fetch(`${cluster.url}/api/v1/pods?watch=true`);
    const seen = watch.text();
    await cluster.apply(webDeployment());
    await cluster.stop();
    await seen;
    await turn();
    expect(openResources()).toEqual(before);
    expect(existsSync(cluster.kubeconfigPath)).toBe(false);
    await expect(fetch(cluster.url)).rejects.toThrow('fetch failed');
  });

  test('may be called twice, and later calls reject', async () => {
    const cluster = await startCluster({ clock: 'virtual' });
    expect(readFileSync(cluster.kubeconfigPath, 'utf8')).toBe(cluster.kubeconfig);
    await Promise.all([cluster.stop(), cluster.stop()]);
    await cluster.stop();
    const calls = [
      () => cluster.settle(),
      () => cluster.advance('1s'),
      () => cluster.get('pod/web'),
      () => cluster.apply(webDeployment()),
      () => cluster.explain('deployment/web'),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow('this cluster has been stopped');
  });

  test('is called at the end of a block with `await using`', async () => {
    let url = '';
    {
      await using cluster = await startCluster();
      url = cluster.url;
    }
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});

/** Open resources, without the test's own: the runner's timers and the connections that `fetch` keeps alive. */
function openResources(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((resource) => !['Timeout', 'TCPSocketWrap'].includes(resource))
    .sort();
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('a clear error is the answer to', () => {
  test.each<[string, unknown, string]>([
    ['an unknown option', { clocks: 'virtual' }, 'there is no option "clocks"; there are clock, version, startTime,'],
    ['a string instead of options', 'virtual', 'the options must be an object, not "virtual"'],
    ['an unknown clock', { clock: 'sundial' }, 'clock must be "real" or "virtual", not "sundial"'],
    ['a start time on a real clock', { startTime: '2026-01-01' }, 'startTime needs clock: "virtual"'],
    ['an invalid start time', { clock: 'virtual', startTime: 'noon' }, 'startTime must be a date'],
    ['a seed that is no integer', { seed: 0.5 }, 'seed must be an integer, not 0.5'],
    ['a negative number of nodes', { nodes: -1 }, 'nodes must be an integer from 0 to 10000, not -1'],
    ['a node with an unknown field', { nodes: [{ cpu: 4 }] }, 'nodes[0] has no field "cpu"; there are name,'],
    ['an unknown controller', { controllers: { daemon: false } }, 'controllers has no field "daemon"'],
    ['a controller that is neither on nor off', { controllers: { pod: 'off' } }, 'must be true or false, not "off"'],
    ['a port above 65535', { port: 65_536 }, 'port must be an integer from 0 to 65535, not 65536'],
    ['a data directory without a name', { dataDir: '' }, 'dataDir must name a directory, not ""'],
    ['a rule without a behaviour', { pods: [{ image: 'a' }] }, 'pods[0].behave must be an object, not undefined'],
    ['an unknown behaviour', { pods: [{ behave: { explode: true } }] }, 'pods[0].behave has no field "explode"'],
    ['an invalid duration', { pods: [{ behave: { startDelay: '5' } }] }, 'pods[0].behave.startDelay must be milli'],
    ['an invalid flag', { pods: [{ behave: { failPull: 'yes' } }] }, 'failPull must be true or false, not "yes"'],
    ['an invalid exit code', { pods: [{ behave: { exitCode: 256 } }] }, 'exitCode must be an exit code from 0'],
    ['half an attempt', { pods: [{ behave: { failAttempts: 1.5 } }] }, 'failAttempts must be a whole number'],
  ])('%s', async (_, options, message) => {
    await expect(startCluster(options as ClusterOptions)).rejects.toThrow(message);
  });

  test.each([
    ['a key of an unknown resource', 'widget/default/a', 'there is no resource "widget"'],
    ['a key without a name', 'deployment', '"deployment" must have the form deployment/NAMESPACE/NAME'],
    ['a key with too many parts', 'node/default/a', '"node/default/a" must have the form node/NAME'],
  ])('%s', async (_, key, message) => {
    const cluster = await startTestCluster({ controllers: false });
    await expect(cluster.get(key)).rejects.toThrow(message);
  });

  test('a request that the API refuses, with its Status', async () => {
    const cluster = await startTestCluster({ controllers: false });
    await expect(cluster.get('deployment/none')).rejects.toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: expect.stringContaining('deployments.apps "none" not found') as string,
    });
    await expect(cluster.apply(webDeployment('nginx:1', -1))).rejects.toMatchObject({ code: 422, reason: 'Invalid' });
  });

  test.each([
    ['invalid YAML', 'a: [', 'the manifest is not YAML'],
    ['a manifest without objects', '---', 'the manifest holds no objects'],
    ['an object without a kind', { apiVersion: 'v1', metadata: { name: 'a' } }, 'the manifest: an object has no kind'],
    ['a kind that is not served', { apiVersion: 'v1', kind: 'Widget', metadata: { name: 'a' } }, 'no matches for kind'],
  ])('%s', async (_, manifest, message) => {
    const cluster = await startTestCluster({ controllers: false });
    await expect(cluster.apply(manifest)).rejects.toThrow(message);
  });
});
