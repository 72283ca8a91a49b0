import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Cluster } from '../../infra/testCluster/startCluster.ts';
import { autoscalerManifest, utilization } from '../support/autoscalerFixtures.ts';
import { hasKubectl, kubectlFor, runKubectl } from '../support/kubectl.ts';
import { resourceMetrics } from '../support/kubelet/resourceMetrics.ts';
import { TestKubelet } from '../support/kubelet/TestKubelet.ts';
import { startTestCluster } from '../support/startTestCluster.ts';

const MEBI = 1024 * 1024;

let cluster: Cluster;
let kubelet: TestKubelet;
/** The cores that each pod in `default` uses. */
let cores: Record<string, number>;

beforeEach(async () => {
  cores = { web: 0.25 };
  // A kubelet reports by the machine's clock.
  cluster = await startTestCluster({ nodes: 0, clock: 'virtual', startTime: new Date(Date.now()) });
  const sinceMs = cluster.now().getTime() - 600_000;
  kubelet = await TestKubelet.start({ nodeName: 'worker', api: { server: cluster.url } });
  onTestFinished(async () => {
    await kubelet.stop();
    expect(kubelet.refusals).toEqual([]);
  });
  kubelet.server.metrics = () =>
    resourceMetrics(
      cluster.now().getTime(),
      { cores: 0.5, bytes: 1024 * MEBI, sinceMs },
      Object.fromEntries(
        Object.entries(cores).map(([pod, used]) => [`default/${pod}/main`, { cores: used, bytes: 64 * MEBI, sinceMs }]),
      ),
    );
  // Nobody answers at this node's address.
  await cluster.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'away' } });
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: 1 } },
  };
  const patched = await cluster.request('/api/v1/nodes/away/status', {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ status }),
  });
  expect(patched.status).toBe(200);
}, 60_000);

async function runPod(name: string): Promise<void> {
  const spec = { nodeName: 'worker', containers: [{ name: 'main', image: 'busybox:1' }] };
  await cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
  await running(name);
}

/** Resolves when the kubelet has reported that the pod runs. */
async function running(name: string): Promise<void> {
  const ended = new AbortController();
  const path = `/api/v1/namespaces/default/pods?watch=true&fieldSelector=metadata.name%3D${name}`;
  await kubelet.client.watch(path, ended.signal, ({ object }) => {
    if (object.status.phase === 'Running') ended.abort();
  });
}

const rowsOf = (table: string) =>
  table
    .trimEnd()
    .split('\n')
    .map((row) => row.trim().split(/\s+/));

describe.skipIf(!hasKubectl)('kubectl top', () => {
  it('shows what the kubelet measures of its node and its pods, beside a node that is away', async () => {
    await runPod('web');
    const says = kubectlFor(cluster.kubeconfigPath);
    const first = await runKubectl(cluster.kubeconfigPath, ['top', 'node']);
    expect(first).toMatchObject({ code: 1, stderr: 'error: metrics not available yet\n' });
    await cluster.advance('20s');
    expect(rowsOf(await says('top node'))).toEqual([
      ['NAME', 'CPU(cores)', 'CPU(%)', 'MEMORY(bytes)', 'MEMORY(%)'],
      ['worker', '500m', '25%', '1024Mi', '25%'],
      ['away', '<unknown>', '<unknown>', '<unknown>', '<unknown>'],
    ]);
    expect(rowsOf(await says('top pod --containers'))).toEqual([
      ['POD', 'NAME', 'CPU(cores)', 'MEMORY(bytes)'],
      ['web', 'main', '250m', '64Mi'],
    ]);
    expect(JSON.parse(await says('get --raw /apis/metrics.k8s.io/v1beta1/nodes/worker'))).toMatchObject({
      kind: 'NodeMetrics',
      timestamp: cluster
        .now()
        .toISOString()
        .replace(/\.\d+Z/, 'Z'),
      window: '20s',
      usage: { cpu: '500m', memory: '1Gi' },
    });
    expect(kubelet.calls.filter(({ url }) => url === '/metrics/resource')).toHaveLength(2);
  }, 60_000);
});

describe('an autoscaler', () => {
  it('goes by what the kubelet measures', async () => {
    const resources = { requests: { cpu: '100m' } };
    await cluster.apply({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'main', image: 'busybox:1', resources }] },
        },
      },
    });
    await cluster.settle();
    const [pod] = await cluster.list('pods');
    const name = pod?.metadata.name ?? '';
    await running(name);
    cores = { [name]: 0.15 };
    await cluster.apply(autoscalerManifest({ metrics: [utilization(50)], maxReplicas: 10 }));
    await cluster.advance('1m');
    expect((await cluster.get('deployments/web')).spec?.replicas).toBe(3);
  }, 60_000);
});
