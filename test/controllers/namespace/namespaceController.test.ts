import { beforeEach, describe, expect, it } from 'vitest';
import { createNamespaceController } from '../../../lambdas/controllers/namespace/createNamespaceController.ts';
import { namespaceConditions } from '../../../lambdas/controllers/namespace/namespaceConditions.ts';
import { guardWrites } from '../../../lambdas/controllers/guardWrites.ts';
import { createServiceAccountController } from '../../../lambdas/controllers/serviceaccount/createServiceAccountController.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Namespace } from '../../../lambdas/objects/kinds.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

const resources = resourceEntries
  .filter(({ namespaced, virtual }) => namespaced && virtual !== true)
  .map(({ groupResource }) => groupResource);

describe('namespaces', () => {
  let bench: ControllerBench;
  beforeEach(async () => {
    bench = new ControllerBench();
    bench.add(createNamespaceController({ resources, lateCreatesMs: 5000 }));
    bench.add(createServiceAccountController({ rootCaBundle: 'PEM' }));
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    await bench.settle();
  });
  const removeNamespace = () => bench.registry.delete({ resource: 'namespaces', namespace: '', name: 'team' });
  const remove = (resource: string, name: string) => bench.registry.delete({ resource, namespace: 'team', name });
  const namespace = () => bench.get<Namespace>('namespaces', '', 'team');
  const holdSecret = () =>
    bench.create('secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', namespace: 'team', finalizers: ['example.com/hold'] },
    });

  it('have a default service account and the root CA', async () => {
    expect(await bench.names('serviceaccounts', 'team')).toEqual(['default']);
    expect((await bench.get('configmaps', 'team', 'kube-root-ca.crt'))?.['data']).toEqual({ 'ca.crt': 'PEM' });
  });

  it('get both again when they are deleted or changed', async () => {
    await remove('serviceaccounts', 'default');
    const map = (await bench.get('configmaps', 'team', 'kube-root-ca.crt')) as KubernetesObject;
    await bench.registry.update('configmaps', { ...map, data: {} });
    await bench.settle();
    expect(await bench.names('serviceaccounts', 'team')).toEqual(['default']);
    expect((await bench.get('configmaps', 'team', 'kube-root-ca.crt'))?.['data']).toEqual({ 'ca.crt': 'PEM' });
  });

  it('are emptied when they are deleted, and removed when no request can write any more', async () => {
    await removeNamespace();
    await bench.settle();
    await bench.advance(100);
    expect(await bench.names('serviceaccounts', 'team')).toEqual([]);
    expect(await namespace()).toBeDefined();
    await bench.advance(4000);
    expect(await namespace()).toBeDefined();
    await bench.advance(2000);
    expect(await namespace()).toBeUndefined();
  });

  it('wait for objects with finalizers, and say so', async () => {
    const held = await holdSecret();
    await removeNamespace();
    await bench.settle();
    await bench.advance(10_000);
    const conditions = (await namespace())?.status?.conditions?.filter(({ status }) => status === 'True');
    expect(conditions?.map(({ message }) => message)).toEqual([
      'Some resources are remaining: secrets. has 1 resource instances',
      'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    ]);
    const deleting = (await bench.get('secrets', 'team', 's')) as KubernetesObject;
    expect(deleting.metadata.uid).toBe(held.metadata.uid);
    await bench.registry.update('secrets', { ...deleting, metadata: { ...deleting.metadata, finalizers: [] } });
    await bench.advance(2000);
    expect(await namespace()).toBeUndefined();
  });

  it.each([
    [0, 1000],
    [24_000, 3000],
    [3_600_000, 8000],
  ])(
    'are looked at less and less often while a finalizer holds them: after %d ms, in %d ms',
    async (afterMs, delayMs) => {
      const { clock } = bench;
      const controller = createNamespaceController({ resources, lateCreatesMs: 5000 });
      await holdSecret();
      await removeNamespace();
      await bench.settle();
      clock.advanceBy(afterMs);
      const { outcome } = await guardWrites(controller, bench).sync(
        { controller: 'namespace', namespace: '', name: 'team' },
        { nowMs: clock.now(), deadlineMs: clock.now() + 1000, item: { failures: 0 }, recordIntent: async () => {} },
      );
      expect(outcome).toEqual({ status: 'requeueAfter', delayMs });
    },
  );

  it('lose everything else when one object cannot be deleted, and say what holds them', async () => {
    for (const name of ['a', 'broken', 'c'])
      await bench.create('secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'team' } });
    const objects = { remove: bench.objectStore.remove.bind(bench.objectStore), isBroken: true };
    bench.objectStore.remove = async (key, preconditions) => {
      if (objects.isBroken && key.name === 'broken') throw new Error('the store says no');
      return await objects.remove(key, preconditions);
    };
    await removeNamespace();
    await bench.settle();
    await bench.advance(10_000);
    expect(await bench.names('secrets', 'team')).toEqual(['broken']);
    const conditions = (await namespace())?.status?.conditions?.filter(({ status }) => status === 'True');
    expect(conditions?.map(({ message }) => message)).toEqual([
      'Failed to delete all resource types, 1 remaining: secrets "broken": the store says no',
      'Some resources are remaining: secrets. has 1 resource instances',
    ]);
    objects.isBroken = false;
    await bench.advance(20_000);
    expect(await namespace()).toBeUndefined();
  });

  it('are not taken for empty when a resource cannot be listed', async () => {
    await holdSecret();
    const list = bench.objectStore.list.bind(bench.objectStore);
    let isBroken = true;
    bench.objectStore.list = async (resource, options) => {
      if (isBroken && resource === 'secrets') throw new Error('the store says no');
      return await list(resource, options);
    };
    await removeNamespace();
    await bench.settle();
    await bench.advance(20_000);
    const conditions = (await namespace())?.status?.conditions?.filter(({ status }) => status === 'True');
    expect(conditions?.map(({ message }) => message)).toEqual([
      'Failed to delete all resource types, 1 remaining: secrets: the store says no',
    ]);
    isBroken = false;
    expect(await bench.names('secrets', 'team')).toEqual(['s']);
  });

  it('refuse creates while they are being deleted', async () => {
    await removeNamespace();
    await expect(holdSecret()).rejects.toThrow('because it is being terminated');
  });

  it('keep the time at which a condition last changed its status', () => {
    const nothing = { counts: new Map(), finalizers: new Map(), failures: [] };
    const first = namespaceConditions(nothing, [], 0);
    const second = namespaceConditions({ ...nothing, failures: ['boom'] }, first, 60_000);
    expect(second.filter(({ lastTransitionTime }) => lastTransitionTime === '1970-01-01T00:01:00Z')).toMatchObject([
      { type: 'NamespaceDeletionContentFailure', status: 'True', reason: 'ContentDeletionFailed' },
    ]);
  });
});
