import { expect, test } from 'vitest';
import type { Cluster } from '../../infra/testCluster/startCluster.ts';
import { simulatedNode } from '../../lambdas/functions/resync/simulatedNode.ts';
import { podConditionOf } from '../../lambdas/objects/pods/podState.ts';
import { startTestCluster } from '../support/startTestCluster.ts';
import { webDeployment } from '../support/webDeployment.ts';

const SMALL = ['a', 'b', 'c'].map((name) => ({ name, capacity: { cpu: '1' } }));

function requesting(cpu: string, replicas: number): object {
  const containers = [{ name: 'web', image: 'nginx:1', resources: { requests: { cpu } } }];
  return webDeployment('nginx:1', replicas, {
    template: { metadata: { labels: { app: 'web' } }, spec: { containers } },
  });
}

/** The phases of all pods, sorted. */
async function phases(cluster: Cluster): Promise<string[]> {
  return (await cluster.list('pods')).map(({ status }) => status?.phase ?? '').toSorted();
}

/** What the scheduler says about the pods that wait, each sentence once. */
async function complaints(cluster: Cluster): Promise<string[]> {
  const pods = await cluster.list('pods');
  const conditions = pods.map((pod) => podConditionOf(pod, 'PodScheduled'));
  const failed = conditions.filter((condition) => condition?.status === 'False');
  return [...new Set(failed.map((condition) => `${condition?.reason}: ${condition?.message}`))];
}

test('a pod that asks for more than any node has waits, and its event says why, once', async () => {
  const cluster = await startTestCluster({ clock: 'virtual' });
  await cluster.apply(requesting('1000', 1));
  await cluster.settle();
  await cluster.advance('10m');
  const message =
    '0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.';
  expect(await phases(cluster)).toEqual(['Pending']);
  expect(await complaints(cluster)).toEqual([`Unschedulable: ${message}`]);
  const events = (await cluster.list('events')).filter(({ reason }) => reason === 'FailedScheduling');
  expect(events).toMatchObject([{ type: 'Warning', message, source: { component: 'default-scheduler' }, count: 1 }]);
});

test('pods wait for room, and get the room of a new node and of pods that end', async () => {
  const cluster = await startTestCluster({ clock: 'virtual', nodes: SMALL });
  await cluster.apply(requesting('1', 5));
  await cluster.settle();
  expect(await phases(cluster)).toEqual(['Pending', 'Pending', 'Running', 'Running', 'Running']);
  expect(await complaints(cluster)).toEqual([
    'Unschedulable: 0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.',
  ]);
  await cluster.apply(simulatedNode(4, { name: 'd', capacity: { cpu: '1' } }, 0));
  await cluster.settle();
  expect(await phases(cluster)).toEqual(['Pending', 'Running', 'Running', 'Running', 'Running']);
  await cluster.patch('deployment/web', { spec: { replicas: 4 } });
  await cluster.settle();
  expect(await phases(cluster)).toEqual(['Running', 'Running', 'Running', 'Running']);
});

test('a node that is enlarged takes a pod that waits', async () => {
  const cluster = await startTestCluster({ clock: 'virtual', nodes: SMALL });
  await cluster.apply(requesting('2', 1));
  await cluster.settle();
  expect(await phases(cluster)).toEqual(['Pending']);
  const status = { allocatable: { cpu: '4' }, capacity: { cpu: '4' } };
  await cluster.patch('node/b', { status }, { subresource: 'status', type: 'merge' });
  await cluster.settle();
  expect((await cluster.list('pods')).map(({ spec }) => spec?.nodeName)).toEqual(['b']);
});

test('a pod with scheduling gates waits until they are removed', async () => {
  const cluster = await startTestCluster({ clock: 'virtual' });
  const containers = [{ name: 'web', image: 'nginx:1' }];
  const spec = { containers, schedulingGates: [{ name: 'example.com/wait' }] };
  await cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec });
  await cluster.settle();
  expect(await complaints(cluster)).toEqual([
    'SchedulingGated: Scheduling is blocked due to non-empty scheduling gates',
  ]);
  await cluster.patch('pod/web', { spec: { schedulingGates: null } }, { type: 'merge' });
  await cluster.settle();
  expect(await phases(cluster)).toEqual(['Running']);
});

test('a pod is left to somebody else if the scheduler is switched off', async () => {
  const cluster = await startTestCluster({ clock: 'virtual', controllers: { scheduler: false } });
  await cluster.apply(webDeployment('nginx:1', 1));
  await cluster.settle();
  expect(await phases(cluster)).toEqual(['Pending']);
  expect(await complaints(cluster)).toEqual([]);
  const [pod] = await cluster.list('pods');
  const name = pod?.metadata.name ?? '';
  const target = { apiVersion: 'v1', kind: 'Node', name: 'driftless-node-2' };
  const bound = await cluster.request(`/api/v1/namespaces/default/pods/${name}/binding`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'v1', kind: 'Binding', metadata: { name }, target }),
  });
  expect(bound.status).toBe(201);
  await cluster.settle();
  expect(await phases(cluster)).toEqual(['Running']);
});

test('pods without requests wait for a place, too', async () => {
  const cluster = await startTestCluster({ clock: 'virtual', nodes: [{ name: 'a', capacity: { pods: '2' } }] });
  await cluster.apply(webDeployment('nginx:1', 3));
  await cluster.settle();
  expect(await phases(cluster)).toEqual(['Pending', 'Running', 'Running']);
  expect(await complaints(cluster)).toEqual([
    'Unschedulable: 0/1 nodes are available: 1 Too many pods. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
  ]);
});

function priorityClass(name: string, value: number): object {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value };
}

function important(name: string, priorityClassName: string, spec: object = {}): object {
  const containers = [{ name: 'web', image: 'nginx:1', resources: { requests: { cpu: '1' } } }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers, priorityClassName, ...spec } };
}

test('a pod makes room for itself by preempting a less important one', async () => {
  const cluster = await startTestCluster({ clock: 'virtual', nodes: [{ name: 'a', capacity: { cpu: '1' } }] });
  await cluster.apply([priorityClass('low', 1), priorityClass('high', 1000)]);
  await cluster.apply(important('first', 'low', { terminationGracePeriodSeconds: 20 }));
  await cluster.patch('pod/first', { metadata: { annotations: { 'simulate.driftless.dev/ignore-sigterm': 'true' } } });
  await cluster.settle();
  await cluster.apply(important('second', 'high'));
  await cluster.settle();
  const victim = await cluster.get('pod/first');
  expect(victim.metadata.deletionTimestamp).toBeDefined();
  expect(podConditionOf(victim, 'DisruptionTarget')).toMatchObject({
    status: 'True',
    reason: 'PreemptionByScheduler',
    message: 'default-scheduler: preempting to accommodate a higher priority pod',
  });
  const waiting = await cluster.get('pod/second');
  expect(waiting.status).toMatchObject({ phase: 'Pending', nominatedNodeName: 'a' });
  expect(await complaints(cluster)).toEqual(['Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.']);
  await cluster.advance('20s');
  const bound = await cluster.get('pod/second');
  expect(bound).toMatchObject({ spec: { nodeName: 'a' }, status: { phase: 'Running' } });
  expect(bound.status?.nominatedNodeName).toBeUndefined();
  expect(await cluster.list('pods')).toHaveLength(1);
  const events = (await cluster.list('events')).filter(({ reason }) => reason === 'Preempted');
  expect(events).toMatchObject([{ message: `Preempted by pod ${bound.metadata.uid} on node a` }]);
});

test('a pod whose preemptionPolicy is Never preempts none', async () => {
  const cluster = await startTestCluster({ clock: 'virtual', nodes: [{ name: 'a', capacity: { cpu: '1' } }] });
  await cluster.apply([{ ...priorityClass('high', 1000), preemptionPolicy: 'Never' }, priorityClass('low', 1)]);
  await cluster.apply(important('first', 'low'));
  await cluster.settle();
  await cluster.apply(important('second', 'high'));
  await cluster.settle();
  expect(await phases(cluster)).toEqual(['Pending', 'Running']);
  expect(await complaints(cluster)).toEqual([
    'Unschedulable: 0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.',
  ]);
});

test('of two pods that wait, the more important one gets the room', async () => {
  const cluster = await startTestCluster({ clock: 'virtual', nodes: [{ name: 'a', capacity: { cpu: '1' } }] });
  await cluster.apply([priorityClass('low', 1), priorityClass('high', 2)]);
  await cluster.apply(important('first', 'high'));
  await cluster.settle();
  await cluster.apply(important('low', 'low'));
  await cluster.apply(important('high', 'high'));
  await cluster.settle();
  await cluster.delete('pod/first', { gracePeriodSeconds: 0 });
  await cluster.settle();
  expect((await cluster.get('pod/high')).spec?.nodeName).toBe('a');
  expect((await cluster.get('pod/low')).spec?.nodeName).toBeUndefined();
});

test('pods that must not share a node wait for more nodes', async () => {
  const cluster = await startTestCluster({ clock: 'virtual' });
  const term = { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'kubernetes.io/hostname' };
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
  const spec = { containers: [{ name: 'web', image: 'nginx:1' }], affinity };
  await cluster.apply(webDeployment('nginx:1', 5, { template: { metadata: { labels: { app: 'web' } }, spec } }));
  await cluster.settle();
  expect(await phases(cluster)).toEqual(['Pending', 'Pending', 'Running', 'Running', 'Running']);
  expect(await complaints(cluster)).toEqual([
    "Unschedulable: 0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.",
  ]);
  await cluster.apply([simulatedNode(4, { name: 'd' }, 0), simulatedNode(5, { name: 'e' }, 0)]);
  await cluster.settle();
  const nodes = (await cluster.list('pods')).map(({ spec }) => spec?.nodeName);
  expect(new Set(nodes)).toEqual(new Set(['driftless-node-1', 'driftless-node-2', 'driftless-node-3', 'd', 'e']));
});

test('a plain pod stays away from a pod that keeps it away', async () => {
  const cluster = await startTestCluster({ clock: 'virtual', nodes: 2 });
  const term = { labelSelector: { matchLabels: { app: 'loud' } }, topologyKey: 'kubernetes.io/hostname' };
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
  const containers = [{ name: 'web', image: 'nginx:1' }];
  await cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'shy' }, spec: { containers, affinity } });
  await cluster.settle();
  const shy = await cluster.get('pod/shy');
  expect(shy.spec?.nodeName).toBeDefined();
  const names = Array.from({ length: 10 }, (_, n) => `loud-${n}`);
  const labels = { app: 'loud' };
  await cluster.apply(
    names.map((name) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec: { containers } })),
  );
  await cluster.settle();
  const loud = await cluster.list('pods', { labelSelector: 'app=loud' });
  expect(loud.map(({ status }) => status?.phase)).toEqual(names.map(() => 'Running'));
  expect(loud.map(({ spec }) => spec?.nodeName)).not.toContain(shy.spec?.nodeName);
  await cluster.delete('pod/shy', { gracePeriodSeconds: 0 });
  await cluster.settle();
  expect((await cluster.get('configmap/kube-system/driftless-scheduler')).metadata.annotations ?? {}).toEqual({});
});

test('pods are spread over the zones', async () => {
  const nodes = ['a1', 'a2', 'b1'].map((name) => ({
    name,
    labels: { 'topology.kubernetes.io/zone': name.slice(0, 1) },
  }));
  const cluster = await startTestCluster({ clock: 'virtual', nodes });
  const labelSelector = { matchLabels: { app: 'web' } };
  const constraint = { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' };
  const spec = {
    containers: [{ name: 'web', image: 'nginx:1' }],
    topologySpreadConstraints: [{ ...constraint, labelSelector }],
  };
  await cluster.apply(webDeployment('nginx:1', 6, { template: { metadata: { labels: { app: 'web' } }, spec } }));
  await cluster.settle();
  const zones = (await cluster.list('pods')).map(({ spec }) => spec?.nodeName?.slice(0, 1) ?? '').toSorted();
  expect(zones).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
});

test('a pod waits for its claim, and for the volume of its claim', async () => {
  const cluster = await startTestCluster({ clock: 'virtual' });
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
  const spec = { containers: [{ name: 'web', image: 'nginx:1' }], volumes };
  await cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec });
  await cluster.settle();
  const useless = 'preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.';
  expect(await complaints(cluster)).toEqual([
    `Unschedulable: 0/3 nodes are available: persistentvolumeclaim "data" not found. ${useless}`,
  ]);
  await cluster.apply({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'late' },
    provisioner: 'example.com/disk',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  const asked = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'late',
  };
  const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec: asked };
  await cluster.apply(claim);
  await cluster.settle();
  const { annotations = {} } = (await cluster.get('pvc/data')).metadata;
  const chosen = annotations['volume.kubernetes.io/selected-node'];
  expect(chosen).toMatch(/^driftless-node-[123]$/);
  const { storageClassName, accessModes } = asked;
  const disk = { capacity: { storage: '1Gi' }, accessModes, storageClassName, hostPath: { path: '/data' } };
  await cluster.apply({ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'disk' }, spec: disk });
  await cluster.patch('pvc/data', { spec: { volumeName: 'disk' } });
  await cluster.patch('pvc/data', { status: { phase: 'Bound' } }, { subresource: 'status', type: 'merge' });
  await cluster.settle();
  expect(await cluster.get('pod/web')).toMatchObject({ spec: { nodeName: chosen }, status: { phase: 'Running' } });
});
