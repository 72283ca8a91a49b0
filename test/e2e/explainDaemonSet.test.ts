import { expect, test } from 'vitest';
import { DaemonSetBench } from '../support/DaemonSetBench.ts';
import { daemonSetManifest } from '../support/daemonSetFixtures.ts';

/** The lines of a section of the explanation, with the names of pods left out. */
async function explained(bench: DaemonSetBench, title: string): Promise<string[]> {
  const lines = (await bench.cluster.explain('ds/agent')).split('\n');
  const start = lines.indexOf(title) + 1;
  const section = lines.slice(start, lines.indexOf('', start));
  return section.map((line) => line.trim().replace(/agent-\w{5}/g, '<Pod>'));
}

test('a DaemonSet says why nodes have no pod of it', async () => {
  const nodes = [
    { name: 'node-1' },
    { name: 'node-2', labels: { disktype: 'hdd' } },
    { name: 'node-3', labels: { disktype: 'ssd' } },
    { name: 'node-4', labels: { disktype: 'ssd' }, taints: [{ key: 'dedicated', value: 'db', effect: 'NoExecute' }] },
  ];
  const bench = await DaemonSetBench.start({ nodes });
  await bench.cluster.apply(daemonSetManifest({}, { nodeSelector: { disktype: 'ssd' } }));
  await bench.cluster.advance('15s');
  expect(await explained(bench, 'DaemonSet')).toEqual([
    '1 of 4 nodes should run a pod: 1 have one, 1 an available one, 1 one of the newest template',
    'its update strategy is RollingUpdate: maxUnavailable 1; maxSurge 0',
    "no pod is wanted on node-1, node-2: the labels do not match the template's nodeSelector and required node affinity",
    'no pod is wanted on node-4: the template does not tolerate the taint {dedicated: db} NoExecute',
  ]);
  expect(await explained(bench, 'Decision now')).toEqual(['each of the 1 nodes that fit has its pod']);
  expect(await explained(bench, 'Waits')).toEqual(['none']);
});

test('a DaemonSet whose template names a node says so of the others', async () => {
  const bench = await DaemonSetBench.start();
  await bench.cluster.apply(daemonSetManifest({}, { nodeName: 'node-2' }));
  await bench.cluster.advance('15s');
  expect((await explained(bench, 'DaemonSet')).at(-1)).toBe(
    'no pod is wanted on node-1, node-3: the template names another node, node-2',
  );
});

test('an update says what it waits for', async () => {
  const bench = await DaemonSetBench.start();
  await bench.cluster.apply(daemonSetManifest());
  await bench.cluster.advance('15s');
  await bench.update('agent:404');
  await bench.cluster.advance('30s');
  expect(await explained(bench, 'Decision now')).toEqual([
    '2 old pods are to be replaced; maxUnavailable allows 1 nodes without an available pod, and there are 1: create 0, delete 0',
  ]);
  expect(await explained(bench, 'Waits')).toEqual([expect.stringMatching(/^until pod <Pod> on node-\d is available$/)]);
  expect(await explained(bench, 'Pods that are not ready')).toEqual([
    expect.stringMatching(/^(?:ErrImagePull|ImagePullBackOff): pod <Pod> of agent: /),
  ]);
});

test('a pod without a node says that the scheduler is waited for', async () => {
  const bench = await DaemonSetBench.start({ nodes: [{ name: 'node-1', capacity: { cpu: '1' } }] });
  const resources = { requests: { cpu: '2' } };
  await bench.cluster.apply(daemonSetManifest({}, { containers: [{ name: 'main', image: 'agent:1', resources }] }));
  await bench.cluster.advance('15s');
  expect(await explained(bench, 'Waits')).toEqual(['until the scheduler binds pod <Pod> to node-1']);
});

test('with OnDelete, the old pods that stay are named', async () => {
  const bench = await DaemonSetBench.start();
  await bench.cluster.apply(daemonSetManifest({ updateStrategy: { type: 'OnDelete' } }));
  await bench.cluster.advance('15s');
  await bench.update('agent:2');
  await bench.cluster.advance('15s');
  expect(await explained(bench, 'Decision now')).toEqual([
    '3 old pods stay until somebody deletes them, because the update strategy is OnDelete',
  ]);
  expect(await explained(bench, 'Waits')).toEqual(
    ['node-1', 'node-2', 'node-3'].map((node) => `until somebody deletes the old pod <Pod> on ${node}`),
  );
});
