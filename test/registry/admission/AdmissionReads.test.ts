import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { ObjectKey } from '../../../lambdas/objects/ObjectKey.ts';
import type { ListOptions } from '../../../lambdas/ports/ObjectStore.ts';
import { AdmissionReads } from '../../../lambdas/registry/admission/AdmissionReads.ts';
import { createRegistry } from '../../../lambdas/registry/createRegistry.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { FakeObjectStore } from '../../support/FakeObjectStore.ts';

const REMEMBER_MS = 3_000;

class CountingStore extends FakeObjectStore {
  onRead: (resource: string) => void = () => {};

  override get<T extends KubernetesObject>(key: ObjectKey) {
    this.onRead(key.resource);
    return super.get<T>(key);
  }

  override list<T extends KubernetesObject>(resource: string, options?: ListOptions) {
    this.onRead(resource);
    return super.list<T>(resource, options);
  }
}

let clock: VirtualClock;
let store: CountingStore;
let reads: string[];
beforeEach(() => {
  clock = new VirtualClock(1_000_000);
  store = new CountingStore();
  reads = [];
  store.onRead = (resource) => reads.push(resource);
});

/** Registries of two processes over one store; both remember what admission reads. */
function registryOfProcess() {
  const parts = { objectStore: store, clock, ids: new SeededIds(1), catalog: createResourceCatalog(resourceEntries) };
  return createRegistry({ ...parts, admission: new AdmissionReads({ ...parts, rememberMs: REMEMBER_MS }) });
}

async function open(name = 'ns') {
  const registry = registryOfProcess();
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  expect(await registry.create('namespaces', namespace)).toMatchObject({ status: 'stored' });
  reads.length = 0;
  return registry;
}

function configMap(name: string) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'ns' } };
}

describe('admission that remembers', () => {
  test('reads the namespace and its quotas once for creates of the next seconds', async () => {
    const registry = await open();
    await Promise.all(['a', 'b', 'c'].map((name) => registry.create('configmaps', configMap(name))));
    clock.advanceBy(REMEMBER_MS - 1);
    await registry.create('configmaps', configMap('d'));
    expect(reads).toEqual(['namespaces', 'resourcequotas']);
    clock.advanceBy(1);
    await registry.create('configmaps', configMap('e'));
    expect(reads).toEqual(['namespaces', 'resourcequotas', 'namespaces', 'resourcequotas']);
  });

  test('does not remember that a namespace is missing', async () => {
    const other = registryOfProcess();
    expect(await other.create('configmaps', configMap('a'))).toMatchObject({ status: 'refused' });
    await open();
    expect(await other.create('configmaps', configMap('a'))).toMatchObject({ status: 'stored' });
  });

  test('sees the deletion of a namespace at once in its own process, and after some seconds in another', async () => {
    const [own, other] = [await open(), registryOfProcess()];
    for (const [n, registry] of [own, other].entries()) await registry.create('configmaps', configMap(`${n}`));
    await own.delete({ resource: 'namespaces', namespace: '', name: 'ns' });
    expect(await own.create('configmaps', configMap('late'))).toMatchObject({ status: 'refused' });
    expect(await other.create('configmaps', configMap('late'))).toMatchObject({ status: 'stored' });
    clock.advanceBy(REMEMBER_MS);
    expect(await other.create('configmaps', configMap('later'))).toMatchObject({ status: 'refused' });
  });
});
