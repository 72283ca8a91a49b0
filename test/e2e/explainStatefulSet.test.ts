import { expect, test } from 'vitest';
import { StatefulSetBench } from '../support/StatefulSetBench.ts';
import { statefulSetManifest, templateOf } from '../support/statefulSetFixtures.ts';

/** The lines of a section of the explanation, with the hashes of revisions left out. */
async function explained(bench: StatefulSetBench, title: string): Promise<string[]> {
  const lines = (await bench.cluster.explain('sts/web')).split('\n');
  const start = lines.indexOf(title) + 1;
  const section = lines.slice(start, lines.indexOf('', start));
  return section.map((line) => line.trim().replace(/web-[0-9a-z]{6,}/g, '<Revision>'));
}

async function startWith(spec: object, simulated: Record<string, string> = {}): Promise<StatefulSetBench> {
  const bench = await StatefulSetBench.start();
  await bench.cluster.apply(statefulSetManifest(spec as Record<string, unknown>, simulated));
  await bench.cluster.advance('15s');
  return bench;
}

const BROKEN = templateOf('nginx:404');

const TABLE: readonly [string, object, Record<string, string>, object, readonly string[], readonly string[]][] = [
  ['is as it should be', {}, {}, {}, ['it has the 3 pods that it wants, as it wants them'], ['none']],
  ['waits for its first pod', {}, { 'ready-after': '1h' }, {}, ['none'], ['until pod web-0 is running and ready']],
  [
    'waits for a pod to be available',
    { minReadySeconds: 60 },
    {},
    {},
    ['none'],
    ['until pod web-0 is available: it must be ready for 60 s'],
  ],
  [
    'is stuck in an update, since a pod does not get ready',
    {},
    {},
    { template: BROKEN },
    ['none'],
    ['until pod web-2 is running and ready'],
  ],
  [
    'of parallel pods waits with an update',
    { podManagementPolicy: 'Parallel' },
    {},
    { template: BROKEN },
    ['none'],
    ['for fewer unavailable pods than 1 before web-1 is updated (now 1)'],
  ],
  [
    'keeps old pods below its partition',
    { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 3 } } },
    {},
    { template: BROKEN },
    ['its partition is 3: the pods below it keep their old revision (now 3)'],
    ['none'],
  ],
  [
    'is updated on delete',
    { updateStrategy: { type: 'OnDelete' } },
    {},
    { template: BROKEN },
    ['its update strategy is OnDelete: pods with an old revision stay until somebody deletes them (now 3)'],
    ['none'],
  ],
  [
    'waits for a pod that is being deleted',
    {},
    { 'termination-delay': '1h' },
    { replicas: 1 },
    ['none'],
    ['until pod web-2, which is being deleted, is gone'],
  ],
];

test.each(TABLE)('a StatefulSet that %s says why', async (_, spec, simulated, change, why, waitsFor) => {
  const bench = await startWith(spec, simulated);
  await bench.cluster.patch('statefulset/web', { spec: change });
  await bench.cluster.advance('15s');
  expect([await explained(bench, 'Decision now'), await explained(bench, 'Waits')]).toEqual([why, waitsFor]);
});

test('a StatefulSet tells its counts, its policy, its strategy and its revisions', async () => {
  const bench = await startWith({ ordinals: { start: 2 } });
  expect(await explained(bench, 'StatefulSet')).toEqual([
    'it wants 3 pods, 2 to 4, and has 3: 3 ready, 3 available',
    'its pod management policy is OrderedReady',
    'its update strategy is RollingUpdate: at most 1 may be unavailable',
    'all pods have or get revision <Revision>',
  ]);
  await bench.cluster.patch('statefulset/web', { spec: { template: BROKEN } });
  await bench.cluster.advance('15s');
  expect((await explained(bench, 'StatefulSet')).at(-1)).toBe(
    '1 pods have the new revision <Revision>, 2 the old one <Revision>',
  );
  expect(await explained(bench, 'Pods that are not ready')).toEqual([
    expect.stringMatching(/^(?:ErrImagePull|ImagePullBackOff): pod web-4 of web: /),
  ]);
});
