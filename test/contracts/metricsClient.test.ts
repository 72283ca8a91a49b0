import { expect, test } from 'vitest';
import type { Node, Pod } from '../../lambdas/objects/kinds.ts';
import { compileLabelSelector } from '../../lambdas/objects/selectors/labelSelector.ts';
import { formatQuantity } from '../../lambdas/objects/quantities/quantity.ts';
import { findKind } from '../../lambdas/registry/findKind.ts';
import { ClusterMetrics } from '../../lambdas/registry/metrics/ClusterMetrics.ts';
import type { NodePoints } from '../../lambdas/objects/nodes/measureUsage.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { prefixed } from '../support/autoscalerFixtures.ts';
import { ControllerBench } from '../support/ControllerBench.ts';
import { metricsClientContract } from './metricsClientContract.ts';

type Annotations = Readonly<Record<string, string>>;

class MetricsBench extends ControllerBench {
  readonly catalog = createResourceCatalog(resourceEntries);
  /** The nodes that were asked about, question by question. */
  readonly asked: string[][] = [];
  /** What kubelets have measured, by the nodes' names. */
  readonly measured = new Map<string, NodePoints>();
  readonly client = new ClusterMetrics({
    registry: this.registry,
    kubelets: {
      of: async (nodes) => {
        this.asked.push(nodes.map(({ metadata }) => metadata.name));
        return this.measured;
      },
    },
    findKind: (group, kind) => findKind(this.catalog, group, kind),
    nodeNamed: (name) => this.get('nodes', '', name),
  });

  async start(external: Annotations = {}): Promise<void> {
    const namespace = { name: 'default', annotations: prefixed(external) };
    await this.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: namespace });
    for (const [name, providerID] of [
      ['simulated', 'driftless://simulated'],
      ['real', 'cloud://real'],
    ] as const)
      await this.create('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: { providerID } });
  }

  async nodes(): Promise<readonly Node[]> {
    const nodes = await Promise.all(['simulated', 'real'].map((name) => this.get<Node>('nodes', '', name)));
    return nodes.flatMap((node) => node ?? []);
  }

  /** Creates a ready pod of the ReplicaSet `web-hash`. */
  async pod(
    name: string,
    annotations: Annotations = {},
    { nodeName = 'simulated', ready = 'True' } = {},
  ): Promise<Pod> {
    const controller = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-hash', uid: 'rs', controller: true };
    const pod = await this.create<Pod>('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace: 'default',
        annotations: prefixed(annotations),
        labels: { 'pod-template-hash': 'hash' },
        ownerReferences: [controller],
      },
      spec: { nodeName, containers: [{ name: 'main', image: 'nginx:1' }] },
    });
    const containerStatuses = [
      { name: 'main', state: { running: {} }, image: 'nginx:1', imageID: '', ready: true, restartCount: 0 },
    ];
    const status = { phase: 'Running', containerStatuses, conditions: [{ type: 'Ready', status: ready }] };
    const outcome = await this.registry.update<Pod>('pods', { ...pod, status }, { subresource: 'status' });
    if (outcome.status === 'refused') throw outcome.error;
    return outcome.object;
  }

  async deployment(annotations: Annotations): Promise<void> {
    const selector = { matchLabels: { app: 'web' } };
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } };
    await this.create('deployments.apps', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'default', annotations: prefixed(annotations) },
      spec: { selector, template },
    });
  }

  /** The CPU of each pod. */
  async cpu(pods: readonly Pod[]): Promise<unknown[]> {
    const { usages } = await this.client.podUsages(pods, this.clock.now());
    return usages.map(({ containers }) => containers[0]?.usage.cpu);
  }
}

metricsClientContract('ClusterMetrics', async () => {
  const bench = new MetricsBench();
  await bench.start({ 'external-queue': '{name=orders}30;{name=mail}5' });
  const pods = [
    await bench.pod('a', { 'cpu-usage': '200m', 'metric-rps': '3' }),
    await bench.pod('b', { 'cpu-usage': '200m', 'metric-rps': '5' }),
    await bench.pod('dark', { 'metric-rps': '9' }, { nodeName: 'real' }),
  ];
  const metadata = { name: 'web', namespace: 'default', annotations: prefixed({ 'metric-hits': '7' }) };
  await bench.create('services', { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80 }] } });
  return { client: bench.client, nodes: await bench.nodes(), pods, nowMs: bench.clock.now() };
});

test('the load of a workload is shared by its ready pods in equal parts', async () => {
  const bench = new MetricsBench();
  await bench.start();
  await bench.deployment({ 'load-cpu': '0s=600m,1m=900m', 'load-rps': '30' });
  const pods = [await bench.pod('a'), await bench.pod('b'), await bench.pod('c', {}, { ready: 'False' })];
  expect(await bench.cpu(pods)).toEqual(['300m', '300m', '0']);
  bench.clock.advanceBy(60_000);
  expect(await bench.cpu(pods)).toEqual(['450m', '450m', '0']);
  const own = await bench.pod('own', { 'cpu-usage': '2' });
  expect(await bench.cpu([...pods, own])).toEqual(['300m', '300m', '0', '2']);
  const rps = await bench.client.podMetric('rps', pods, compileLabelSelector({}), bench.clock.now());
  expect(rps.status === 'measured' && rps.value.map(({ value }) => formatQuantity(value))).toEqual(['15', '15', '0']);
});

test('nothing is known of a pod that says so', async () => {
  const bench = new MetricsBench();
  await bench.start();
  expect(await bench.cpu([await bench.pod('a', { 'no-metrics': 'true' }), await bench.pod('b')])).toEqual(['1m']);
});

test.each(['much', '-1', '1=2=3', '5m=1,1m=2', '0s=', ''])(
  'a load of %j is reported, and counts as absent',
  async (load) => {
    const bench = new MetricsBench();
    await bench.start();
    await bench.deployment({ 'load-cpu': load });
    const { usages, problems } = await bench.client.podUsages([await bench.pod('a')], bench.clock.now());
    expect(usages[0]?.containers[0]?.usage.cpu).toBe('1m');
    expect(problems).toEqual([expect.stringContaining('Deployment default/web: simulate.driftless.dev/load-cpu: ')]);
  },
);

test('pods and nodes with a kubelet use what it measured, whatever annotations say, and have no other metrics', async () => {
  const bench = new MetricsBench();
  await bench.start();
  await bench.deployment({ 'load-cpu': '600m', 'load-rps': '30' });
  const pods = [
    await bench.pod('a', { 'cpu-usage': '2', 'metric-rps': '3' }, { nodeName: 'real' }),
    await bench.pod('b'),
    await bench.pod('c', {}, { nodeName: 'real' }),
  ];
  const latest = { timestampMs: 90_000, cpuSeconds: 9, memoryBytes: 2_048 };
  const points = { latest, before: { ...latest, timestampMs: 60_000, cpuSeconds: 3 } };
  bench.measured.set('real', { node: points, pods: new Map([['default/a', new Map([['main', points]])]]) });
  const usages = [
    { pod: { metadata: { name: 'a' } }, containers: [{ name: 'main', usage: { cpu: '200m', memory: '2Ki' } }] },
    { pod: { metadata: { name: 'b' } }, containers: [{ usage: { cpu: '200m' } }] },
  ];
  expect(await bench.client.podUsages(pods, bench.clock.now())).toMatchObject({ usages, problems: [] });
  const { usages: ofNodes } = await bench.client.nodeUsages(await bench.nodes(), pods, bench.clock.now());
  expect(ofNodes.map(({ usage, windowMs }) => [usage.cpu, windowMs])).toEqual([
    ['200m', 15_000],
    ['200m', 30_000],
  ]);
  expect(bench.asked).toEqual([['real'], ['real']]);
  const rps = await bench.client.podMetric('rps', pods, compileLabelSelector({}), bench.clock.now());
  expect(rps.status === 'measured' && rps.value.map(({ objectName }) => objectName)).toEqual(['b']);
});

test('kubelets are not asked about pods on simulated nodes', async () => {
  const bench = new MetricsBench();
  await bench.start();
  await bench.client.podUsages([await bench.pod('a')], bench.clock.now());
  expect(bench.asked).toEqual([]);
});
