import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../infra/testCluster/startCluster.ts';
import { startTestCluster } from '../support/startTestCluster.ts';

type Members = Record<string, unknown>;

const LABELS = { app: 'web' };
const NODE = 'driftless-node-1';

function startCluster(): Promise<Cluster> {
  return startTestCluster({ clock: 'virtual', nodes: 1 });
}

function podTemplate(annotations: Record<string, string> = {}, spec: Members = {}) {
  const simulated = Object.entries(annotations).map(([name, value]) => [`simulate.driftless.dev/${name}`, value]);
  return {
    metadata: { labels: LABELS, annotations: Object.fromEntries(simulated) as Members },
    spec: { containers: [{ name: 'main', image: 'nginx:1' }], ...spec },
  };
}

function deployment(replicas: number, template: Members = podTemplate()) {
  const spec = { replicas, selector: { matchLabels: LABELS }, template };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'default' }, spec };
}

function budget(spec: Members, name = 'web') {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace: 'default' },
    spec: { selector: { matchLabels: LABELS }, ...spec },
  };
}

function pod(name: string, metadata: Members = {}, spec: Members = {}) {
  const { spec: podSpec } = podTemplate({}, spec);
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', ...metadata }, spec: podSpec };
}

/** The lines of a section of the explanation, with the names of generated pods left out. */
async function explained(cluster: Cluster, key: string, title: string): Promise<string[]> {
  const lines = (await cluster.explain(key)).split('\n');
  const start = lines.indexOf(title) + 1;
  const section = lines.slice(start, lines.indexOf('', start));
  return section.map((line) => line.trim().replace(/web-[a-z0-9]+-\w{5}/g, '<Pod>'));
}

const SLOW = podTemplate({ 'ready-after': '1h' });

const TABLE: readonly [string, readonly object[], string[], string[]][] = [
  [
    'lets a pod go',
    [deployment(3), budget({ maxUnavailable: 1 })],
    ['3 of 3 pods are healthy and 2 must be: 1 may be evicted'],
    ['none'],
  ],
  [
    'lets none go ever',
    [deployment(3), budget({ minAvailable: '100%' })],
    ['3 of 3 pods are healthy and 3 must be: 0 may be evicted'],
    ['until it is changed, or more pods are wanted: 3 of 3 must be healthy, so none may ever go'],
  ],
  [
    'waits for healthy pods',
    [deployment(2, SLOW), budget({ maxUnavailable: 1 })],
    ['0 of 2 pods are healthy and 1 must be: 0 may be evicted'],
    ['until 2 more pods are healthy; not healthy: <Pod>, <Pod>'],
  ],
  [
    'selects nothing',
    [budget({ maxUnavailable: 1 })],
    ['0 of 0 pods are healthy and 0 must be: 0 may be evicted'],
    ['until it selects pods that are wanted'],
  ],
  [
    'does not know its pods’ controller',
    [
      pod('web-1', {
        labels: LABELS,
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: NODE, uid: 'n', controller: true }],
        finalizers: ['example.com/stay'],
      }),
      budget({ maxUnavailable: 1 }),
    ],
    ['none may be evicted, because the budget cannot be computed: nodes does not implement the scale subresource'],
    ['until each of its pods has a controller that says how many it wants'],
  ],
  [
    'selects pods without a controller',
    [deployment(2), pod('bare', { labels: LABELS }), budget({ maxUnavailable: 1 })],
    ['3 of 2 pods are healthy and 1 must be: 2 may be evicted', 'pods without a controller are not expected: bare'],
    ['none'],
  ],
];

describe('a budget that', () => {
  test.each(TABLE)('%s says why', async (_, manifests, why, waitsFor) => {
    const cluster = await startCluster();
    for (const manifest of manifests) await cluster.apply(manifest);
    await cluster.advance('20s');
    const key = 'poddisruptionbudget/web';
    expect([await explained(cluster, key, 'Decision now'), await explained(cluster, key, 'Waits')]).toEqual([
      why,
      waitsFor,
    ]);
  });
});

test('a budget says what it selects and how many of that it counts', async () => {
  const cluster = await startCluster();
  await cluster.apply(deployment(3));
  await cluster.apply(budget({ minAvailable: 2, unhealthyPodEvictionPolicy: 'AlwaysAllow' }));
  await cluster.advance('20s');
  expect(await explained(cluster, 'pdb/web', 'PodDisruptionBudget')).toEqual([
    'its selector is app=web; minAvailable is 2',
    'it selects 3 pods: 3 are healthy, 0 are being deleted, 0 were evicted and their deletion does not show yet',
    'unhealthy pods may always be evicted',
  ]);
});

describe('a node', () => {
  test('names the pods that may not be evicted, their budgets, and what these wait for', async () => {
    const cluster = await startCluster();
    await cluster.apply(deployment(3));
    await cluster.apply(budget({ minAvailable: 2 }));
    await cluster.advance('20s');
    const refused =
      'pod default/<Pod> may not be evicted now: The disruption budget web does not allow evicting pods currently';
    expect(await explained(cluster, `node/${NODE}`, 'Decision now')).toEqual([
      'pods that may be evicted now: 1 of 3',
      refused,
      refused,
    ]);
    expect(await explained(cluster, `node/${NODE}`, 'Waits')).toEqual([
      'poddisruptionbudget/default/web: until pods that are evicted first are healthy elsewhere',
    ]);
  });

  test('names what kubectl drain wants flags for', async () => {
    const cluster = await startCluster();
    await cluster.apply(deployment(1, podTemplate({}, { volumes: [{ name: 'cache', emptyDir: {} }] })));
    await cluster.apply(pod('bare'));
    await cluster.apply(pod('static', { annotations: { 'kubernetes.io/config.mirror': 'x' } }, { nodeName: NODE }));
    await cluster.patch(`node/${NODE}`, { spec: { unschedulable: true } });
    await cluster.advance('20s');
    expect(await explained(cluster, `node/${NODE}`, 'Node')).toEqual([
      'it is cordoned: no pod is scheduled to it',
      '3 pods run on it: 0 are being deleted, 0 are of DaemonSets',
    ]);
    expect(await explained(cluster, `node/${NODE}`, 'Decision now')).toEqual([
      'pods that may be evicted now: 2 of 2',
      'static pods stay, since only their kubelet ends them: default/static',
      'data in emptyDir volumes would be lost; kubectl drain wants --delete-emptydir-data for: default/<Pod>',
      'no controller would replace these pods; kubectl drain wants --force for: default/bare',
    ]);
    expect(await explained(cluster, `node/${NODE}`, 'Waits')).toEqual(['none']);
  });
});
