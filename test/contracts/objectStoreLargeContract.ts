import { expect } from 'vitest';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { MAX_OBJECT_BYTES } from '../../lambdas/ports/ObjectStore.ts';
import { largeDefinition } from '../support/largeDefinition.ts';
import type { PromiseOfStore } from './objectStoreContract.ts';
import { keyOf, removed, sample, stored } from './objectStoreSamples.ts';

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';
const MAPS = 'configmaps';

/** A definition as the registry gives it to a store. */
export function largeSample(name: string, { bytes = 700_000, uid = `uid-of-${name}` } = {}): KubernetesObject {
  const definition = largeDefinition(bytes);
  return { ...definition, metadata: { name, uid, resourceVersion: '', creationTimestamp: '2026-01-01T00:00:00Z' } };
}

/** The same definition with another name of its kind. */
export function renamed(object: KubernetesObject, kind: string): KubernetesObject {
  const spec = object['spec'] as { names: object };
  return { ...object, spec: { ...spec, names: { ...spec.names, kind } } };
}

/** Objects of more than half a megabyte, which compress as definitions of custom resources do. */
export function objectStoreLargeContract(promise: PromiseOfStore): void {
  promise('a large object is created, read, replaced and removed as a small one', async ({ objectStore }) => {
    const given = largeSample('a');
    const first = await stored(objectStore, DEFINITIONS, given);
    expect(first).toEqual({ ...given, metadata: { ...given.metadata, resourceVersion: expect.any(String) } });
    const key = keyOf(DEFINITIONS, first);
    expect(await objectStore.get(key)).toEqual(first);
    const second = await objectStore.replace(DEFINITIONS, renamed(first, 'Other'));
    expect(second).toMatchObject({ status: 'stored', object: { spec: { names: { kind: 'Other' } } } });
    expect(await objectStore.replace(DEFINITIONS, first)).toEqual({
      status: 'conflict',
      current: second.status === 'stored' && second.object,
    });
    const last = await removed(objectStore, DEFINITIONS, first);
    expect(last).toMatchObject({ spec: { names: { kind: 'Other' } } });
    expect(await objectStore.get(key)).toBeUndefined();
  });

  promise(
    'a removed large object leaves a tombstone, and its name is free for another UID',
    async ({ objectStore }) => {
      await removed(objectStore, DEFINITIONS, await stored(objectStore, DEFINITIONS, largeSample('a')));
      expect(await objectStore.create(DEFINITIONS, largeSample('a'))).toEqual({ status: 'exists' });
      const second = await stored(objectStore, DEFINITIONS, largeSample('a', { uid: 'two' }));
      expect((await objectStore.list(DEFINITIONS)).items).toEqual([second]);
    },
  );

  promise(
    'large objects that are written at the same time are all stored, and listed in pages',
    async ({ objectStore }) => {
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      const objects = await Promise.all(names.map((name) => stored(objectStore, DEFINITIONS, largeSample(name))));
      expect((await objectStore.list(DEFINITIONS)).items).toEqual(objects);
      const page = await objectStore.list(DEFINITIONS, { limit: 2, after: { namespace: '', name: 'b' } });
      expect(page).toMatchObject({ items: objects.slice(2, 4), more: true });
      const encoded = await objectStore.listEncoded?.(DEFINITIONS);
      if (encoded) expect(encoded.items.map((item) => item.load())).toEqual(objects);
      const outcomes = await Promise.all(objects.map((object) => objectStore.remove(keyOf(DEFINITIONS, object))));
      expect(outcomes.map(({ status }) => status)).toEqual(names.map(() => 'removed'));
      expect((await objectStore.list(DEFINITIONS)).items).toEqual([]);
    },
  );

  promise('an object above the size limit is refused and changes nothing', async ({ objectStore }) => {
    const text = 'ä'.repeat(MAX_OBJECT_BYTES / 2);
    const refused = { status: 'tooLarge', part: 'object', bytes: expect.any(Number), limitBytes: MAX_OBJECT_BYTES };
    expect(await objectStore.create(MAPS, sample('a', { text }))).toEqual(refused);
    expect(await objectStore.get({ resource: MAPS, namespace: 'default', name: 'a' })).toBeUndefined();
    const current = await stored(objectStore, MAPS, sample('a'));
    const outcome = await objectStore.replace(MAPS, { ...current, data: { text } });
    expect(outcome).toEqual(refused);
    expect(outcome.status === 'tooLarge' && outcome.bytes).toBeGreaterThan(MAX_OBJECT_BYTES);
    expect(await objectStore.get(keyOf(MAPS, current))).toEqual(current);
  });

  promise('an object just below the size limit is stored', async ({ objectStore }) => {
    const text = 'x'.repeat(MAX_OBJECT_BYTES - 400);
    const object = await stored(objectStore, MAPS, sample('a', { text }));
    expect(await objectStore.get(keyOf(MAPS, object))).toEqual(object);
  });
}
