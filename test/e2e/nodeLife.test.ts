import { beforeEach, describe, expect, it } from 'vitest';
import type { Cluster } from '../../infra/testCluster/startCluster.ts';
import type { Node, Pod } from '../../lambdas/objects/kinds.ts';
import { startTestCluster } from '../support/startTestCluster.ts';
import { webDeployment } from '../support/webDeployment.ts';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const STRATEGIC = 'application/strategic-merge-patch+json';

let cluster: Cluster;
beforeEach(async () => {
  cluster = await startTestCluster({ clock: 'virtual', quietMs: 0 });
});

async function send(method: string, path: string, body: object, type = 'application/json'): Promise<void> {
  const response = await cluster.request(path, {
    method,
    headers: { 'content-type': type },
    body: JSON.stringify(body),
  });
  expect([response.status < 300, await response.text()]).toEqual([true, expect.anything()]);
  await cluster.settle();
}

const read = async <T>(path: string) => (await (await cluster.request(path)).json()) as T;
const node = (name: string) => read<Node>(`/api/v1/nodes/${name}`);
const taintsOf = ({ spec }: Node) => (spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
const readyOf = ({ status }: Node) => status?.conditions?.find(({ type }) => type === 'Ready');
const report = (name: string, status: string) =>
  send('PATCH', `/api/v1/nodes/${name}/status`, { status: { conditions: [{ type: 'Ready', status }] } }, STRATEGIC);

/** Registers a node as a kubelet does, which then says nothing more. */
async function register(name: string): Promise<void> {
  const conditions = [{ type: 'Ready', status: 'True', lastHeartbeatTime: cluster.now().toISOString() }];
  await send('POST', '/api/v1/nodes', { kind: 'Node', metadata: { name }, status: { conditions } });
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: renewTime() };
  await send('POST', LEASES, { kind: 'Lease', metadata: { name }, spec });
}

const renewTime = () => cluster.now().toISOString().replace('Z', '000Z');
const renew = (name: string) =>
  send('PATCH', `${LEASES}/${name}`, { spec: { renewTime: renewTime() } }, 'application/merge-patch+json');

/** Creates a pod on the node, which its kubelet reports as ready. */
async function runPod(name: string, nodeName: string): Promise<void> {
  const spec = { nodeName, containers: [{ name: 'main', image: 'nginx:1' }] };
  await send('POST', '/api/v1/namespaces/default/pods', { kind: 'Pod', metadata: { name }, spec });
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await send('PATCH', `/api/v1/namespaces/default/pods/${name}/status`, { status }, STRATEGIC);
}
const pod = (name: string) => read<Pod>(`/api/v1/namespaces/default/pods/${name}`);
const conditionOf = ({ status }: Pod, wanted: string) => status?.conditions?.find(({ type }) => type === wanted);

describe('a node with a kubelet', () => {
  it('stays ready while its lease is renewed', async () => {
    await register('worker');
    for (let renewals = 0; renewals < 12; renewals++) {
      await cluster.advance('10s');
      await renew('worker');
    }
    expect(readyOf(await node('worker'))?.status).toBe('True');
  });

  it('is unknown 40 s after its last sign of life; its pods are not ready, leave after 300 s, and are gone with the node', async () => {
    await register('worker');
    await runPod('single', 'worker');
    await cluster.advance('40s');
    expect(readyOf(await node('worker'))?.status).toBe('True');
    await cluster.advance('1s');
    expect(readyOf(await node('worker'))).toMatchObject({
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
    });
    expect(taintsOf(await node('worker'))).toEqual([
      'node.kubernetes.io/unreachable:NoSchedule',
      'node.kubernetes.io/unreachable:NoExecute',
    ]);
    expect(conditionOf(await pod('single'), 'Ready')?.status).toBe('False');
    await cluster.advance('295s');
    expect((await pod('single')).metadata.deletionTimestamp).toBeUndefined();
    await cluster.advance('10s');
    expect((await pod('single')).metadata.deletionTimestamp).toBeDefined();
    expect(conditionOf(await pod('single'), 'DisruptionTarget')).toMatchObject({
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
    });
    await cluster.delete('nodes/worker');
    await cluster.advance('39s');
    expect((await cluster.request('/api/v1/namespaces/default/pods/single')).status).toBe(200);
    await cluster.advance('2s');
    expect((await cluster.request('/api/v1/namespaces/default/pods/single')).status).toBe(404);
  });

  it('is welcome again when its kubelet comes back, and keeps its pods', async () => {
    await register('worker');
    await runPod('single', 'worker');
    await cluster.advance('60s');
    await renew('worker');
    await report('worker', 'True');
    expect(taintsOf(await node('worker'))).toEqual([]);
    await cluster.advance('35s');
    await renew('worker');
    await cluster.advance('35s');
    expect(readyOf(await node('worker'))?.status).toBe('True');
    expect((await pod('single')).metadata.deletionTimestamp).toBeUndefined();
  });

  it('that is deleted and registered again within 40 s keeps its pods', async () => {
    await register('worker');
    await runPod('single', 'worker');
    await cluster.delete('nodes/worker');
    await cluster.advance('20s');
    await send('POST', '/api/v1/nodes', { kind: 'Node', metadata: { name: 'worker' } });
    await cluster.advance('60s');
    expect((await pod('single')).metadata.deletionTimestamp).toBeUndefined();
  });
});

describe('a simulated node', () => {
  it('needs no sign of life', async () => {
    await cluster.advance('1h');
    const nodes = await read<{ items: Node[] }>('/api/v1/nodes');
    expect(nodes.items.map((one) => [readyOf(one)?.status, taintsOf(one)])).toEqual([
      ['True', []],
      ['True', []],
      ['True', []],
    ]);
  });

  it('that a user marks as not ready gets no more pods, and those that it has move after 300 s', async () => {
    await cluster.apply(webDeployment('nginx:1', 6));
    await cluster.settle();
    await report('driftless-node-1', 'False');
    expect(taintsOf(await node('driftless-node-1'))).toEqual([
      'node.kubernetes.io/not-ready:NoSchedule',
      'node.kubernetes.io/not-ready:NoExecute',
    ]);
    await cluster.advance('400s');
    const pods = await read<{ items: Pod[] }>('/api/v1/namespaces/default/pods');
    expect(pods.items).toHaveLength(6);
    expect(pods.items.map(({ spec }) => spec?.nodeName)).not.toContain('driftless-node-1');
  });

  it('evicts pods that do not tolerate a taint that a user adds, at once or after the time that they ask for', async () => {
    const tolerations = [{ key: 'broken', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }];
    const spec = { nodeName: 'driftless-node-1', containers: [{ name: 'main', image: 'nginx:1' }] };
    const create = (name: string, more: object) =>
      send('POST', '/api/v1/namespaces/default/pods', { kind: 'Pod', metadata: { name }, spec: { ...spec, ...more } });
    await create('patient', { tolerations });
    await create('plain', {});
    const taints = [{ key: 'broken', effect: 'NoExecute' }];
    await send('PATCH', '/api/v1/nodes/driftless-node-1', { spec: { taints } }, 'application/merge-patch+json');
    const names = async () =>
      (await read<{ items: Pod[] }>('/api/v1/namespaces/default/pods')).items.map(({ metadata }) => metadata.name);
    expect(await names()).toEqual(['patient']);
    await cluster.advance('61s');
    expect(await names()).toEqual([]);
  });
});

describe('the lease of a simulated node', () => {
  const PATH = `${LEASES}/driftless-node-1`;
  const renewedAt = async (of: Cluster) => {
    const lease = (await (await of.request(PATH)).json()) as { spec: { renewTime: string } };
    return Date.parse(lease.spec.renewTime);
  };

  it('is written once while our own controller looks after nodes', async () => {
    const before = await renewedAt(cluster);
    await cluster.advance('1h');
    expect(await renewedAt(cluster)).toBe(before);
  });

  it('is renewed as by a kubelet for the controller of somebody else, who may give the node up for a while', async () => {
    const other = await startTestCluster({ clock: 'virtual', quietMs: 0, controllers: { nodelifecycle: false } });
    await other.advance('1h');
    expect(other.now().getTime() - (await renewedAt(other))).toBeLessThanOrEqual(10_000);
    const conditions = [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }];
    const patch = {
      method: 'PATCH',
      headers: { 'content-type': STRATEGIC },
      body: JSON.stringify({ status: { conditions } }),
    };
    await other.request('/api/v1/nodes/driftless-node-1/status', patch);
    await other.settle();
    const reported = (await (await other.request('/api/v1/nodes/driftless-node-1')).json()) as Node;
    expect(readyOf(reported)).toMatchObject({ status: 'True', reason: 'KubeletReady' });
  });
});
