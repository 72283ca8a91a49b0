import { beforeEach, describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { configMaps } from '../../lambdas/registry/resources/configMaps.ts';
import { customResourceDefinitions } from '../../lambdas/registry/resources/customResourceDefinitions.ts';
import { deployments } from '../../lambdas/registry/resources/deployments.ts';
import { validateMetadata, validateMetadataUpdate } from '../../lambdas/registry/validateMetadata.ts';
import { ControllerBench } from '../support/ControllerBench.ts';
import { objectOf } from '../support/kindBench.ts';

const CONTROLLERS = ['o1', 'o2'].map((name) => ({
  controller: true,
  uid: name,
  name,
  kind: 'ConfigMap',
  apiVersion: 'v1',
}));

describe('the metadata of a new object', () => {
  test.each([
    ['a finalizer without a domain', configMaps, 1],
    ['of a kind with rules of its own', customResourceDefinitions, 0],
  ])('%s', (_, entry, count) => {
    const errors = validateMetadata(entry, objectOf(entry, {}, { finalizers: ['bare', 'orphan', 'example.com/a'] }));
    expect(errors.map(({ field, badValue }) => [field, badValue])).toEqual(
      Array.from({ length: count }, () => ['metadata.finalizers[0]', 'bare']),
    );
  });

  test('an owner that controls twice is shown as Kubernetes writes it', () => {
    const [error] = validateMetadata(configMaps, objectOf(configMaps, {}, { ownerReferences: CONTROLLERS }));
    const [shown = {}] = (error?.badValue ?? []) as object[];
    expect(Object.keys(shown).slice(0, 5)).toEqual(['apiVersion', 'kind', 'name', 'uid', 'controller']);
  });
});

describe('an error of changed metadata comes as often as Kubernetes finds it', () => {
  test.each([
    ['an annotation of a Deployment', deployments, { annotations: { 'a b': '' } }, {}, 3],
    ['an annotation of a ConfigMap', configMaps, { annotations: { 'a b': '' } }, {}, 4],
    ['a finalizer without a domain', configMaps, { finalizers: ['bare'] }, {}, 2],
    ['another UID', configMaps, { uid: 'u2' }, {}, 2],
    ['a finalizer during the deletion', deployments, { finalizers: ['a.io/b'] }, { deletionTimestamp: 'then' }, 2],
  ])('%s', (_, entry, metadata, old, count) => {
    const errors = validateMetadataUpdate(
      entry,
      objectOf(entry, {}, { ...old, ...metadata }),
      objectOf(entry, {}, old),
    );
    expect(errors).toHaveLength(count);
  });
});

describe('a ConfigMap', () => {
  let bench: ControllerBench;
  beforeEach(async () => {
    bench = new ControllerBench();
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  });
  const configMap = (metadata: object) =>
    ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default', ...metadata } }) as const;

  test('keeps the generation that its creator chose', async () => {
    const outcome = await bench.registry.create('configmaps', configMap({ generation: 5 }));
    expect(outcome).toMatchObject({ status: 'stored', object: { metadata: { generation: 5 } } });
  });

  test('that is being deleted says so to the next of its name, and goes with the version that it had', async () => {
    await bench.registry.create('configmaps', configMap({ finalizers: ['example.com/a'] }));
    const key = { resource: 'configmaps', namespace: 'default', name: 'a' };
    await bench.registry.delete(key, {});
    const again = await bench.registry.create('configmaps', configMap({}));
    expect(again).toMatchObject({
      error: { message: 'object is being deleted: configmaps "a" already exists', reason: 'AlreadyExists' },
    });
    const last = (await bench.registry.get(key)) as KubernetesObject;
    const freed = { ...last, metadata: { ...last.metadata, finalizers: [] } };
    expect(await bench.registry.update('configmaps', freed, {})).toMatchObject({
      object: { metadata: { resourceVersion: last.metadata.resourceVersion } },
    });
    expect(await bench.registry.get(key)).toBeUndefined();
  });
});
