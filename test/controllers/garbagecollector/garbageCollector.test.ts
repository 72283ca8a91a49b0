import type { OwnerReference } from 'kubernetes-types/meta/v1.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { attemptToDeleteItem } from '../../../lambdas/controllers/garbagecollector/attemptToDeleteItem.ts';
import { createGarbageCollector } from '../../../lambdas/controllers/garbagecollector/createGarbageCollector.ts';
import { type ObservedOwner, decideAttempt } from '../../../lambdas/controllers/garbagecollector/decideAttempt.ts';
import { keyOf, OwnerGraph } from '../../../lambdas/controllers/garbagecollector/OwnerGraph.ts';
import { GuardedRegistry } from '../../../lambdas/controllers/GuardedWriters.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

const reference = (uid: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: uid,
  uid,
  ...more,
});
const object = (metadata: Partial<KubernetesObject['metadata']> = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'it', uid: 'it', resourceVersion: '1', creationTimestamp: '', ...metadata },
});
const going = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] };
const alive: ObservedOwner = { reference: reference('alive'), owner: object() };
const gone: ObservedOwner = { reference: reference('gone'), owner: undefined };
const waiting: ObservedOwner = { reference: reference('waiting'), owner: object(going) };
const foreign: ObservedOwner = { reference: reference('foreign'), owner: 'unknown' };

describe('decideAttempt, like attemptToDeleteItem', () => {
  it.each<[string, KubernetesObject, ObservedOwner[], KubernetesObject[], object]>([
    ['without owners it stays', object(), [], [], { action: 'keep' }],
    ['with its owner there it stays', object(), [alive], [], { action: 'keep' }],
    ['with an owner of a kind that is not served it stays', object(), [foreign], [], { action: 'keep' }],
    ['with all owners gone it goes', object(), [gone], [], { action: 'delete', propagationPolicy: 'Background' }],
    [
      'with one of two owners gone it drops that reference',
      object(),
      [alive, gone],
      [],
      { action: 'dropReferences', uids: ['gone'] },
    ],
    [
      'an owner that waits is let go of when another stays',
      object(),
      [alive, waiting],
      [],
      { action: 'dropReferences', uids: ['waiting'] },
    ],
    ['its owner waits for it: it goes', object(), [waiting], [], { action: 'delete', propagationPolicy: 'Background' }],
    [
      'its owner waits and it has dependents: they go first',
      object(),
      [waiting],
      [object()],
      { action: 'delete', propagationPolicy: 'Foreground', unblockOwners: false },
    ],
    [
      'in a cycle it stops blocking',
      object(),
      [waiting],
      [object(going)],
      { action: 'delete', propagationPolicy: 'Foreground', unblockOwners: true },
    ],
    [
      'one gone and one waiting, none solid: it goes',
      object(),
      [gone, waiting],
      [],
      { action: 'delete', propagationPolicy: 'Background' },
    ],
    [
      'its own orphan finalizer is honoured',
      object({ finalizers: ['orphan'] }),
      [gone],
      [],
      { action: 'delete', propagationPolicy: 'Orphan' },
    ],
    [
      'its own foreground finalizer is honoured',
      object({ finalizers: ['foregroundDeletion'] }),
      [gone],
      [],
      { action: 'delete', propagationPolicy: 'Foreground' },
    ],
    ['what is being deleted is left alone', object(going), [gone], [], { action: 'keep' }],
  ])('%s', (_, it, owners, dependents, attempt) => {
    expect(decideAttempt(it, owners, dependents)).toMatchObject(attempt);
  });
});

describe('the garbage collector', () => {
  const resources = resourceEntries.filter(({ virtual }) => virtual !== true);
  let bench: ControllerBench;
  beforeEach(async () => {
    bench = new ControllerBench();
    const { objectStore } = bench;
    bench.add(createGarbageCollector({ objectStore, resources }));
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } });
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'b' } });
  });

  const own = async (name: string, owners: { name: string; uid: string; block?: boolean }[] = [], namespace = 'a') =>
    bench.create('configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name,
        namespace,
        ownerReferences: owners.map(({ name, uid, block = false }) => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name,
          uid,
          blockOwnerDeletion: block,
        })),
      },
    });
  const as = ({ metadata }: KubernetesObject, block = false) => ({ name: metadata.name, uid: metadata.uid, block });
  const remove = (name: string, propagationPolicy: 'Orphan' | 'Background' | 'Foreground') =>
    bench.registry.delete({ resource: 'configmaps', namespace: 'a', name }, { propagationPolicy });

  it('deletes dependents, and their dependents, after their owner in the background', async () => {
    const top = await own('top');
    const middle = await own('middle', [as(top)]);
    await own('leaf', [as(middle)]);
    await bench.settle();
    await remove('top', 'Background');
    expect(await bench.names('configmaps', 'a')).toEqual(['leaf', 'middle']);
    await bench.settle();
    expect(await bench.names('configmaps', 'a')).toEqual([]);
  });

  it('deletes all dependents in the foreground, and removes the owner when nothing blocks it', async () => {
    const top = await own('top');
    const held = await own('held', [as(top, true)]);
    await own('free', [as(top, false)]);
    await bench.registry.update('configmaps', {
      ...held,
      metadata: { ...held.metadata, finalizers: ['example.com/hold'] },
    });
    await remove('top', 'Foreground');
    await bench.settle();
    expect(await bench.names('configmaps', 'a')).toEqual(['held', 'top']);
    const deleting = (await bench.get('configmaps', 'a', 'held')) as KubernetesObject;
    expect(deleting.metadata.deletionTimestamp).toBeDefined();
    await bench.registry.update('configmaps', { ...deleting, metadata: { ...deleting.metadata, finalizers: [] } });
    await bench.settle();
    expect(await bench.names('configmaps', 'a')).toEqual([]);
  });

  it('removes the reference from dependents that their owner orphans', async () => {
    const top = await own('top');
    await own('leaf', [as(top)]);
    await remove('top', 'Orphan');
    await bench.settle();
    expect(await bench.names('configmaps', 'a')).toEqual(['leaf']);
    expect((await bench.get('configmaps', 'a', 'leaf'))?.metadata.ownerReferences ?? []).toEqual([]);
  });

  it('keeps a dependent of two owners until both are gone', async () => {
    const [one, two] = [await own('one'), await own('two')];
    await own('shared', [as(one), as(two)]);
    await remove('one', 'Background');
    await bench.settle();
    expect((await bench.get('configmaps', 'a', 'shared'))?.metadata.ownerReferences).toHaveLength(1);
    await remove('two', 'Background');
    await bench.settle();
    expect(await bench.names('configmaps', 'a')).toEqual([]);
  });

  it.each([
    ['never existed', { name: 'nobody', uid: 'no-such-uid' }],
    ['has another UID', { name: 'top', uid: 'another-uid' }],
  ])('deletes an object whose owner %s', async (_, owner) => {
    await own('top');
    await own('stray', [owner]);
    await bench.settle();
    expect(await bench.names('configmaps', 'a')).toEqual(['top']);
  });

  it('keeps an object that another owner adopted after the collector looked at it', async () => {
    const heir = await own('heir');
    const stray = await own('stray', [{ name: 'top', uid: 'no-such-uid' }]);
    const ownerReferences = [reference(heir.metadata.uid, { name: 'heir' })];
    await bench.registry.update('configmaps', { ...stray, metadata: { ...stray.metadata, ownerReferences } });
    const registry = new GuardedRegistry(bench.registry, () => Number.POSITIVE_INFINITY);
    const graph = new OwnerGraph(bench.objectStore, resources);
    const looked = { key: keyOf('configmaps', stray), object: stray };
    const { status } = await attemptToDeleteItem({ registry, mayGoOn: () => true, graph }, looked);
    expect(status).toBe('conflict');
    expect(await bench.names('configmaps', 'a')).toEqual(['heir', 'stray']);
  });

  it('deletes an object that names an owner in another namespace', async () => {
    const elsewhere = await own('top', [], 'b');
    await own('stray', [as(elsewhere)]);
    await bench.settle();
    expect(await bench.names('configmaps', 'a')).toEqual([]);
    expect(await bench.names('configmaps', 'b')).toEqual(['top']);
  });

  it('keeps a cluster-scoped object that names a namespaced owner, because the namespace is unknown', async () => {
    const top = await own('top');
    const metadata = { name: 'c', ownerReferences: [reference(top.metadata.uid, { name: 'top' })] };
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
    await bench.settle();
    await remove('top', 'Background');
    await bench.settle();
    expect((await bench.get('namespaces', '', 'c'))?.metadata.deletionTimestamp).toBeUndefined();
  });

  it('deletes a cycle of blocking owners in the foreground', async () => {
    const one = await own('one');
    const two = await own('two', [as(one, true)]);
    const fresh = (await bench.get('configmaps', 'a', 'one')) as KubernetesObject;
    const ownerReferences = [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'two', uid: two.metadata.uid, blockOwnerDeletion: true },
    ];
    await bench.registry.update('configmaps', { ...fresh, metadata: { ...fresh.metadata, ownerReferences } });
    await remove('one', 'Foreground');
    await bench.settle();
    expect(await bench.names('configmaps', 'a')).toEqual([]);
  });
});
