import { beforeEach, expect, test } from 'vitest';
import { type ConstructedHistory, constructHistory } from '../../../lambdas/controllers/daemonset/constructHistory.ts';
import { GuardedRegistry } from '../../../lambdas/controllers/GuardedWriters.ts';
import { templatePatch } from '../../../lambdas/controllers/history/templatePatch.ts';
import type { ControllerRevision, DaemonSet, Pod } from '../../../lambdas/objects/kinds.ts';
import { podTemplateHash } from '../../../lambdas/objects/pods/podTemplateHash.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';
import { daemonSetManifest, LABELS } from '../../support/daemonSetFixtures.ts';

const REVISIONS = 'controllerrevisions.apps';
const LABEL = 'controller-revision-hash';
let bench: ControllerBench;
let registry: GuardedRegistry;
let daemonSet: DaemonSet;

beforeEach(async () => {
  bench = new ControllerBench();
  registry = new GuardedRegistry(bench.registry, () => Number.POSITIVE_INFINITY);
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  daemonSet = await bench.create<DaemonSet>('daemonsets.apps', daemonSetManifest());
});

/** Gives the DaemonSet's pods another image. */
async function setImage(image: string): Promise<void> {
  const { template } = daemonSetManifest({}, { containers: [{ name: 'main', image }] }).spec;
  const changed = { ...daemonSet, spec: { ...daemonSet.spec, template } } as DaemonSet;
  const outcome = await bench.registry.update<DaemonSet>('daemonsets.apps', changed);
  if (outcome.status === 'refused') throw outcome.error;
  daemonSet = outcome.object;
}

async function construct(pods: readonly Pod[] = []): Promise<Extract<ConstructedHistory, { status: 'stored' }>> {
  const history = await constructHistory(registry, daemonSet, pods);
  if (history.status !== 'stored') throw new Error(history.status);
  return history;
}

/** A revision of a template with this image that somebody has stored, without an owner. */
async function put(name: string, image: string, revision: number): Promise<void> {
  const { template } = daemonSet.spec ?? {};
  const containers = [{ ...template?.spec?.containers[0], name: 'main', image }];
  const data = templatePatch({ ...template, spec: { ...template?.spec, containers } });
  const metadata = { name, namespace: 'default', labels: { ...LABELS, [LABEL]: name } };
  await bench.create(REVISIONS, { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata, data, revision });
}

/** `1 agent-abc`: number and name. */
async function revisions(): Promise<string[]> {
  const { items } = await bench.registry.list<ControllerRevision>(REVISIONS, { namespace: 'default' });
  return items.map(({ metadata, revision }) => `${revision} ${metadata.name}`).sort();
}

const hash = (collisionCount?: number) => podTemplateHash(daemonSet.spec?.template ?? {}, collisionCount);

test('the first revision is named by the hash of the template, and pods get the same label', async () => {
  const history = await construct();
  expect(history).toMatchObject({ hash: hash(), old: [], collisionCount: undefined });
  expect(await revisions()).toEqual([`1 agent-${hash()}`]);
  const stored = await bench.get<ControllerRevision>(REVISIONS, 'default', `agent-${hash()}`);
  expect(stored?.metadata.labels).toEqual({ ...LABELS, [LABEL]: hash() });
  expect(stored?.metadata.ownerReferences?.[0]).toMatchObject({ kind: 'DaemonSet', name: 'agent', controller: true });
});

test('the same template needs no second one', async () => {
  await construct();
  expect((await construct()).writes).toEqual([]);
});

test('a template that comes back makes its revision the newest one', async () => {
  await construct();
  const first = hash();
  await setImage('agent:2');
  await construct();
  const second = hash();
  await setImage('agent:1');
  expect((await construct()).hash).toBe(first);
  expect(await revisions()).toEqual([`2 agent-${second}`, `3 agent-${first}`]);
});

test('where another template has the name, the collision count leads to another name and another label', async () => {
  await put(`agent-${hash()}`, 'other:1', 1);
  // It is not the DaemonSet's, so it stays what it is.
  const stored = await bench.get<ControllerRevision>(REVISIONS, 'default', `agent-${hash()}`);
  await bench.registry.update(REVISIONS, { ...stored, metadata: { ...stored?.metadata, labels: {} } } as never);
  const history = await construct();
  expect(history).toMatchObject({ hash: hash(1), collisionCount: 1 });
  expect(await revisions()).toEqual([`1 agent-${hash()}`, `1 agent-${hash(1)}`].toSorted());
});

test('a revision that an earlier sync has made is found by its name', async () => {
  await construct();
  const { items } = await bench.registry.list<ControllerRevision>(REVISIONS, { namespace: 'default' });
  const late = { ...daemonSet, metadata: { ...daemonSet.metadata, resourceVersion: '1' } };
  expect(await constructHistory(registry, late, [])).toMatchObject({ status: 'stored', hash: hash(), writes: [] });
  expect(items).toHaveLength(1);
});

test('of several revisions of the template the newest stays, and the pods of the others get its label', async () => {
  await put('older', 'agent:1', 1);
  await put('newer', 'agent:1', 2);
  const labels = { ...LABELS, [LABEL]: 'older' };
  const metadata = { name: 'agent-a', namespace: 'default', labels };
  const spec = { containers: [{ name: 'main', image: 'agent:1' }] };
  const pod = await bench.create<Pod>('pods', { apiVersion: 'v1', kind: 'Pod', metadata, spec });
  const history = await construct([pod]);
  expect(history.hash).toBe('newer');
  expect(await revisions()).toEqual(['2 newer']);
  expect((await bench.get<Pod>('pods', 'default', 'agent-a'))?.metadata.labels?.[LABEL]).toBe('newer');
});

test('orphans that it selects are adopted as old revisions, and those that lose its labels are released', async () => {
  await put('orphan', 'agent:0', 4);
  const adopted = await construct();
  expect(adopted.old.map(({ metadata }) => metadata.name)).toEqual(['orphan']);
  expect(await revisions()).toEqual(['4 orphan', `5 agent-${hash()}`]);
  const orphan = await bench.get<ControllerRevision>(REVISIONS, 'default', 'orphan');
  await bench.registry.update(REVISIONS, { ...orphan, metadata: { ...orphan?.metadata, labels: {} } } as never);
  expect((await construct()).old).toEqual([]);
  expect((await bench.get(REVISIONS, 'default', 'orphan'))?.metadata.ownerReferences).toBeUndefined();
});
