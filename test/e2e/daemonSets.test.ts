import { beforeEach, describe, expect, test } from 'vitest';
import type { Pod } from '../../lambdas/objects/kinds.ts';
import { DaemonSetBench } from '../support/DaemonSetBench.ts';
import { daemonSetManifest } from '../support/daemonSetFixtures.ts';

let bench: DaemonSetBench;
beforeEach(async () => {
  bench = await DaemonSetBench.start();
});

const SURGE = { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } };
const ALL_READY = ['node-1 agent:1 ready', 'node-2 agent:1 ready', 'node-3 agent:1 ready'];

/** Runs the DaemonSet until all its pods are ready. */
async function start(spec = {}, pod = {}, simulated = {}): Promise<void> {
  await bench.cluster.apply(daemonSetManifest(spec, pod, simulated));
  await bench.cluster.advance('15s');
}

/** Makes the pod of the only node fail, and returns its name. */
async function fail(): Promise<string> {
  const [pod] = (await bench.allPods()).filter(({ metadata }) => metadata.deletionTimestamp === undefined) as [Pod];
  const { name } = pod.metadata;
  const status = { ...pod.status, phase: 'Failed', reason: 'Evicted' };
  await bench.cluster.patch(`pod/${name}`, { status }, { subresource: 'status', type: 'merge' });
  return name;
}

/** The events without the names of pods, and how often each came. */
async function eventCounts(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const event of await bench.events()) {
    const text = event.replace(/agent-\w{5}/, '<Pod>').replace(/ \(\d+\)$/, '');
    counts[text] = (counts[text] ?? 0) + Number(/\((\d+)\)$/.exec(event)?.[1] ?? 1);
  }
  return counts;
}

describe('a DaemonSet', () => {
  test('runs a pod on each node', async () => {
    await start();
    expect(await bench.pods()).toEqual(ALL_READY);
    expect(await bench.status()).toBe('desired 3, current 3, ready 3, updated 3, available 3');
    expect(await bench.revisions()).toEqual(['1 agent:1']);
    expect(await eventCounts()).toEqual({ 'Normal SuccessfulCreate Created pod: <Pod>': 3 });
  });

  test('runs pods with requests where the scheduler finds room, and waits on a node without any', async () => {
    const nodes = [{ name: 'node-1' }, { name: 'node-2', capacity: { cpu: '4' } }, { name: 'node-3' }];
    bench = await DaemonSetBench.start({ nodes });
    const requests = { resources: { requests: { cpu: '3' } } };
    await bench.cluster.apply({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'big', namespace: 'default' },
      spec: { nodeName: 'node-2', containers: [{ name: 'main', image: 'big:1', ...requests }] },
    });
    await start({}, { containers: [{ name: 'main', image: 'agent:1', ...requests }] });
    expect(await bench.pods()).toEqual(['node-1 agent:1 ready', 'node-2 agent:1 pending', 'node-3 agent:1 ready']);
    const waiting = (await bench.allPods()).find(({ spec }) => !spec?.nodeName);
    expect(waiting?.status?.conditions?.[0]?.message).toBe(
      "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. " +
        'preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.',
    );
    await bench.cluster.delete('pod/big', { gracePeriodSeconds: 0 });
    await bench.cluster.advance('15s');
    expect(await bench.pods()).toEqual(ALL_READY);
  });

  test('runs on the nodes with the label that it selects, and follows the labels', async () => {
    await start({}, { nodeSelector: { disktype: 'ssd' } });
    expect(await bench.pods()).toEqual([]);
    await bench.cluster.patch('node/node-2', { metadata: { labels: { disktype: 'ssd' } } });
    await bench.cluster.advance('10s');
    expect(await bench.pods()).toEqual(['node-2 agent:1 ready']);
    await bench.cluster.patch('node/node-2', { metadata: { labels: { disktype: 'hdd' } } });
    await bench.cluster.advance('10s');
    expect(await bench.pods()).toEqual([]);
    expect(await bench.status()).toBe('desired 0, current 0, ready 0, updated 0, available 0');
  });

  test('stays on a node that is tainted NoSchedule, as misscheduled, and leaves one that is tainted NoExecute', async () => {
    await start();
    await bench.cluster.patch('node/node-1', { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } });
    await bench.cluster.advance('10s');
    expect(await bench.pods()).toEqual(ALL_READY);
    expect(await bench.status()).toBe('desired 2, current 2, ready 2, updated 2, available 2, misscheduled 1');
    await bench.cluster.patch('node/node-1', { spec: { taints: [{ key: 'a', effect: 'NoExecute' }] } });
    await bench.cluster.advance('10s');
    expect(await bench.pods()).toEqual(ALL_READY.slice(1));
  });

  test('stays on a node that is cordoned, and comes to one', async () => {
    await start();
    await bench.cluster.patch('node/node-1', { spec: { unschedulable: true } });
    await bench.cluster.advance('10s');
    const [first] = (await bench.allPods()).filter(({ spec }) => spec?.nodeName === 'node-1');
    await bench.cluster.delete(`pod/${first?.metadata.name}`);
    await bench.cluster.advance('10s');
    expect(await bench.pods()).toEqual(ALL_READY);
  });

  test('comes to a node that is added, and its pod goes with a node that is deleted', async () => {
    await start();
    const { metadata: _, ...node } = await bench.cluster.get('node/node-1');
    const spec = { providerID: 'driftless://node-4' };
    await bench.cluster.apply({ ...node, metadata: { name: 'node-4' }, spec });
    await bench.cluster.delete('node/node-1');
    await bench.cluster.advance('10s');
    expect(await bench.status()).toBe('desired 3, current 3, ready 3, updated 3, available 3');
    // The pod garbage collector waits until the node might have come back.
    await bench.cluster.advance('2m');
    expect(await bench.pods()).toEqual(['node-2 agent:1 ready', 'node-3 agent:1 ready', 'node-4 agent:1 ready']);
  });

  test('replaces a pod that somebody deletes when it is gone, so that a node never has two', async () => {
    await start({}, {}, { 'termination-delay': '5s' });
    const [first] = await bench.allPods();
    await bench.cluster.delete(`pod/${first?.metadata.name}`, { gracePeriodSeconds: 5 });
    await bench.cluster.settle();
    expect((await bench.pods()).filter((pod) => pod.includes('terminating'))).toHaveLength(1);
    expect(await bench.allPods()).toHaveLength(3);
    await bench.cluster.advance('15s');
    expect(await bench.pods()).toEqual(ALL_READY);
  });

  test('replaces failed pods after a time that doubles', async () => {
    await start({}, { nodeSelector: { 'kubernetes.io/hostname': 'node-1' } });
    const first = await fail();
    await bench.cluster.advance('500ms');
    const second = await fail();
    await bench.cluster.advance('200ms');
    expect(second).not.toBe(first);
    // The first one was deleted at once. The second one stays for a second.
    expect(await bench.pods()).toEqual(['node-1 agent:1 failed']);
    expect(await eventCounts()).toMatchObject({
      'Warning FailedDaemonPod Found failed daemon pod default/<Pod> on node node-1, will try to kill it': 1,
    });
    await bench.cluster.advance('10s');
    expect(await bench.pods()).toEqual(['node-1 agent:1 ready']);
  });

  test('adopts orphans that it selects, and lets go of pods that lose its labels', async () => {
    await bench.cluster.apply({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'orphan', namespace: 'default', labels: { app: 'agent' } },
      spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'agent:0' }] },
    });
    await start({ updateStrategy: { type: 'OnDelete' } });
    expect(await bench.pods()).toEqual(['node-1 agent:0 ready', 'node-2 agent:1 ready', 'node-3 agent:1 ready']);
    expect((await bench.cluster.get('pod/orphan')).metadata.ownerReferences?.[0]?.name).toBe('agent');
    await bench.cluster.patch('pod/orphan', { metadata: { labels: { app: 'other' } } });
    await bench.cluster.advance('10s');
    expect((await bench.cluster.get('pod/orphan')).metadata.ownerReferences).toBeUndefined();
    expect(await bench.pods()).toEqual(ALL_READY);
  });

  test('is deleted with its pods and revisions, or without its pods', async () => {
    await start();
    await bench.cluster.delete('daemonset/agent', { propagationPolicy: 'Orphan' });
    await bench.cluster.advance('10s');
    expect(await bench.pods()).toEqual(ALL_READY);
    await start();
    const kept = await bench.allPods();
    expect(kept).toHaveLength(3);
    await bench.cluster.delete('daemonset/agent', { propagationPolicy: 'Foreground' });
    await bench.cluster.advance('10s');
    expect([await bench.pods(), await bench.revisions()]).toEqual([[], []]);
  });
});

describe('the update of a DaemonSet', () => {
  test('replaces one pod at a time, the next when the new one is available', async () => {
    await start();
    await bench.update('agent:2');
    const seen = new Set<string>();
    for (let step = 0; step < 200; step++) {
      await bench.cluster.advance('100ms');
      seen.add((await bench.pods()).map((pod) => pod.replace(/^node-\d agent:/, '')).join(', '));
    }
    // Never two pods of a node, and never fewer than two nodes with a ready one.
    for (const pods of seen)
      expect(pods.split(', ').filter((pod) => pod.endsWith('ready')).length).toBeGreaterThanOrEqual(2);
    for (const pods of seen) expect(pods.split(', ').length).toBeLessThanOrEqual(3);
    expect(await bench.pods()).toEqual(['node-1 agent:2 ready', 'node-2 agent:2 ready', 'node-3 agent:2 ready']);
    expect(await bench.status()).toBe('desired 3, current 3, ready 3, updated 3, available 3');
    expect(await bench.revisions()).toEqual(['1 agent:1', '2 agent:2']);
    expect(await eventCounts()).toEqual({
      'Normal SuccessfulCreate Created pod: <Pod>': 6,
      'Normal SuccessfulDelete Deleted pod: <Pod>': 3,
    });
  });

  test('with a surge, keeps each old pod until the new one of its node is available', async () => {
    await start({ ...SURGE, minReadySeconds: 2 });
    await bench.update('agent:2');
    let most = 0;
    for (let step = 0; step < 300; step++) {
      await bench.cluster.advance('100ms');
      const pods = (await bench.pods()).filter((pod) => !pod.endsWith('terminating'));
      const nodes = new Set(pods.filter((pod) => pod.endsWith('ready')).map((pod) => pod.split(' ')[0]));
      expect(nodes.size).toBe(3);
      most = Math.max(most, pods.length);
    }
    expect(most).toBe(4);
    expect(await bench.pods()).toEqual(['node-1 agent:2 ready', 'node-2 agent:2 ready', 'node-3 agent:2 ready']);
  });

  test('with OnDelete, waits until somebody deletes the old pods', async () => {
    await start({ updateStrategy: { type: 'OnDelete' } });
    await bench.update('agent:2');
    await bench.cluster.advance('30s');
    expect(await bench.pods()).toEqual(ALL_READY);
    expect(await bench.status()).toBe('desired 3, current 3, ready 3, updated 0, available 3');
    const [first] = await bench.allPods();
    await bench.cluster.delete(`pod/${first?.metadata.name}`);
    await bench.cluster.advance('15s');
    expect(await bench.status()).toBe('desired 3, current 3, ready 3, updated 1, available 3');
  });

  test('that never becomes available stops at its bound, and goes on when it is undone', async () => {
    await start();
    await bench.update('agent:404');
    await bench.cluster.advance('60s');
    expect((await bench.pods()).filter((pod) => pod.endsWith('ready'))).toHaveLength(2);
    await bench.update('agent:1');
    await bench.cluster.advance('30s');
    expect(await bench.pods()).toEqual(ALL_READY);
    expect(await bench.revisions()).toEqual(['2 agent:404', '3 agent:1']);
  });

  test('keeps as many old revisions as its limit says', async () => {
    await start({ revisionHistoryLimit: 1 });
    for (const image of ['agent:2', 'agent:3', 'agent:4']) {
      await bench.update(image);
      await bench.cluster.advance('30s');
    }
    expect(await bench.revisions()).toEqual(['3 agent:3', '4 agent:4']);
  });
});
