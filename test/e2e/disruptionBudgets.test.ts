import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../infra/testCluster/startCluster.ts';
import { startTestCluster } from '../support/startTestCluster.ts';
import { widget, widgetDefinition, widgetVersion } from '../support/widgetDefinition.ts';

type Members = Record<string, unknown>;

const LABELS = { app: 'web' };
const SCALE = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

function web(replicas: number, habits: Readonly<Record<string, string>> = {}) {
  const simulated = Object.entries(habits).map(([name, value]) => [`simulate.driftless.dev/${name}`, value]);
  const template = {
    metadata: { labels: LABELS, annotations: Object.fromEntries(simulated) as Members },
    spec: { containers: [{ name: 'main', image: 'nginx:1' }] },
  };
  const spec = { replicas, selector: { matchLabels: LABELS }, template };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'default' }, spec };
}

function budget(spec: Members) {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector: { matchLabels: LABELS }, ...spec },
  };
}

async function startCluster(...manifests: object[]): Promise<Cluster> {
  const cluster = await startTestCluster({ clock: 'virtual' });
  for (const manifest of manifests) await cluster.apply(manifest);
  await cluster.advance('30s');
  return cluster;
}

async function podNames(cluster: Cluster): Promise<string[]> {
  const pods = await cluster.list('pods');
  return pods
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined && metadata.labels?.['app'] === 'web')
    .map(({ metadata }) => metadata.name);
}

/** Evicts the pods at once. Resolves to the codes of the answers, sorted. */
async function evict(cluster: Cluster, names: readonly string[]): Promise<number[]> {
  const answers = await Promise.all(
    names.map((name) =>
      cluster.request(`/api/v1/namespaces/default/pods/${name}/eviction`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } }),
      }),
    ),
  );
  return answers.map(({ status }) => status).toSorted((a, b) => a - b);
}

/** `1 of 3/3`: allowed disruptions, healthy pods, expected pods. */
async function countsOf(cluster: Cluster): Promise<string> {
  const { status } = (await cluster.get('pdb/web')) as PodDisruptionBudget;
  return `${status?.disruptionsAllowed} of ${status?.currentHealthy}/${status?.expectedPods}`;
}

describe('evictions under a budget', () => {
  test('at once take no more than it allows, and the next may go when the first is replaced', async () => {
    const cluster = await startCluster(web(4, { 'ready-after': '10s' }), budget({ maxUnavailable: 1 }));
    expect(await countsOf(cluster)).toBe('1 of 4/4');
    expect(await evict(cluster, await podNames(cluster))).toEqual([201, 429, 429, 429]);
    await cluster.settle();
    expect(await countsOf(cluster)).toBe('0 of 3/4');
    // The pod that is not ready yet may go: it takes nothing from those that are.
    expect(await evict(cluster, await podNames(cluster))).toEqual([201, 429, 429, 429]);
    await cluster.advance('30s');
    expect(await countsOf(cluster)).toBe('1 of 4/4');
  });

  test('follow the number of pods that are wanted', async () => {
    const cluster = await startCluster(web(4), budget({ minAvailable: '50%' }));
    expect(await countsOf(cluster)).toBe('2 of 4/4');
    await cluster.patch('deployment/web', { spec: { replicas: 8 } });
    await cluster.advance('30s');
    expect(await countsOf(cluster)).toBe('4 of 8/8');
    expect(await evict(cluster, await podNames(cluster))).toEqual([201, 201, 201, 201, 429, 429, 429, 429]);
  });

  test('take unhealthy pods only if the policy says so, while too few are healthy', async () => {
    const cluster = await startCluster(web(2, { 'never-ready': 'true' }), budget({ minAvailable: 1 }));
    const names = await podNames(cluster);
    expect(await evict(cluster, names)).toEqual([429, 429]);
    await cluster.patch('pdb/web', { spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } });
    expect(await evict(cluster, names)).toEqual([201, 201]);
  });

  test('wait for a budget that has just changed', async () => {
    const cluster = await startCluster(web(2), budget({ minAvailable: 0 }));
    const [first = ''] = await podNames(cluster);
    await cluster.patch('pdb/web', { spec: { minAvailable: 2 } });
    expect(await evict(cluster, [first])).toEqual([429]);
    await cluster.settle();
    expect(await countsOf(cluster)).toBe('0 of 2/2');
  });
});

test('a budget counts the pods that a custom resource wants', async () => {
  const versions = [widgetVersion('v1', { subresources: { scale: SCALE } })];
  const cluster = await startCluster(widgetDefinition({ versions }));
  await cluster.apply(widget('web', { replicas: 3 }));
  const { uid } = (await cluster.get('widgets.example.com/web')).metadata;
  const controller = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'web', uid, controller: true };
  for (const name of ['web-1', 'web-2']) {
    await cluster.apply({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default', labels: LABELS, ownerReferences: [controller] },
      spec: { containers: [{ name: 'main', image: 'nginx:1' }] },
    });
  }
  await cluster.apply(budget({ maxUnavailable: 2 }));
  await cluster.advance('30s');
  expect(await countsOf(cluster)).toBe('1 of 2/3');
});
