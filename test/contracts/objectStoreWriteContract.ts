import { expect } from 'vitest';
import type { PromiseOfStore } from './objectStoreContract.ts';
import { changed, keyOf, removed, sample, stored, versionOf } from './objectStoreSamples.ts';

const MAPS = 'configmaps';
const KEY = { resource: MAPS, namespace: 'default', name: 'a' };

/** Create, replace and remove: their conditions, their outcomes, and who may change the objects afterwards. */
export function objectStoreWriteContract(promise: PromiseOfStore): void {
  promise('a created object is read as it was given, with a resourceVersion', async ({ objectStore }) => {
    const object = await stored(objectStore, MAPS, sample('a'));
    expect(object).toEqual({
      ...sample('a'),
      metadata: { ...sample('a').metadata, resourceVersion: expect.any(String) },
    });
    expect(object.metadata.resourceVersion).toMatch(/^[1-9]\d*$/);
    expect(await objectStore.get(KEY)).toEqual(object);
  });

  promise('a create of a taken name returns the object that has it', async ({ objectStore }) => {
    const first = await stored(objectStore, MAPS, sample('a', { uid: 'one' }));
    const outcome = await objectStore.create(MAPS, sample('a', { uid: 'two' }));
    expect(outcome).toEqual({ status: 'exists', current: first });
    expect(await objectStore.get(KEY)).toEqual(first);
  });

  promise('of a hundred concurrent creates of one name exactly one is stored', async ({ objectStore }) => {
    const creates = Array.from({ length: 100 }, (_, n) => objectStore.create(MAPS, sample('a', { uid: `uid-${n}` })));
    const outcomes = await Promise.all(creates);
    const current = await objectStore.get(KEY);
    expect(outcomes.filter(({ status }) => status === 'stored')).toEqual([{ status: 'stored', object: current }]);
    expect(outcomes.filter(({ status }) => status === 'exists')).toHaveLength(99);
  });

  promise('the same name can be used in each namespace and for each resource', async ({ objectStore }) => {
    await stored(objectStore, MAPS, sample('a', { text: 'default map' }));
    await stored(objectStore, MAPS, sample('a', { namespace: 'other', text: 'other map' }));
    await stored(objectStore, 'secrets', sample('a', { text: 'default secret' }));
    expect(await objectStore.get(KEY)).toMatchObject({ data: { text: 'default map' } });
    expect(await objectStore.get({ ...KEY, namespace: 'other' })).toMatchObject({ data: { text: 'other map' } });
    expect(await objectStore.get({ ...KEY, resource: 'secrets' })).toMatchObject({ data: { text: 'default secret' } });
  });

  promise('an object without a namespace is stored in the empty namespace', async ({ objectStore }) => {
    const { namespace: _, ...metadata } = sample('node').metadata;
    const object = await stored(objectStore, 'nodes', { ...sample('node'), metadata });
    expect(await objectStore.get({ resource: 'nodes', namespace: '', name: 'node' })).toEqual(object);
    expect((await objectStore.list('nodes', { namespace: '' })).items).toEqual([object]);
  });

  promise('an object that was never created is absent', async ({ objectStore }) => {
    expect(await objectStore.get(KEY)).toBeUndefined();
    expect(await objectStore.replace(MAPS, sample('a'))).toEqual({ status: 'absent' });
    expect(await objectStore.remove(KEY)).toEqual({ status: 'absent' });
  });

  promise('a replace stores the object under a higher version', async ({ objectStore }) => {
    const first = await stored(objectStore, MAPS, sample('a'));
    const second = await changed(objectStore, MAPS, first, 'second');
    expect(second).toMatchObject({ data: { text: 'second' } });
    expect(versionOf(second)).toBeGreaterThan(versionOf(first));
    expect(await objectStore.get(KEY)).toEqual(second);
  });

  promise('a replace from an older version is a conflict and returns the current object', async ({ objectStore }) => {
    const first = await stored(objectStore, MAPS, sample('a'));
    const second = await changed(objectStore, MAPS, first, 'second');
    expect(await objectStore.replace(MAPS, first)).toEqual({ status: 'conflict', current: second });
    expect(await objectStore.get(KEY)).toEqual(second);
  });

  promise('a replace of an object with another UID is a conflict', async ({ objectStore }) => {
    const current = await stored(objectStore, MAPS, sample('a'));
    const other = { ...current, metadata: { ...current.metadata, uid: 'another' } };
    expect(await objectStore.replace(MAPS, other)).toEqual({ status: 'conflict', current });
  });

  promise('a replace without a version is a conflict', async ({ objectStore }) => {
    const current = await stored(objectStore, MAPS, sample('a'));
    expect(await objectStore.replace(MAPS, sample('a'))).toEqual({ status: 'conflict', current });
  });

  promise('of a hundred concurrent replaces of one version exactly one is stored', async ({ objectStore }) => {
    const first = await stored(objectStore, MAPS, sample('a'));
    const replaces = Array.from({ length: 100 }, (_, n) =>
      objectStore.replace(MAPS, { ...first, data: { text: `${n}` } }),
    );
    const outcomes = await Promise.all(replaces);
    const current = await objectStore.get(KEY);
    expect(outcomes.filter(({ status }) => status === 'stored')).toEqual([{ status: 'stored', object: current }]);
    expect(outcomes.filter(({ status }) => status === 'conflict')).toHaveLength(99);
  });

  promise('a remove returns the object with the version of its deletion', async ({ objectStore }) => {
    const last = await stored(objectStore, MAPS, sample('a'));
    const outcome = await removed(objectStore, MAPS, last);
    expect(versionOf(outcome)).toBeGreaterThan(versionOf(last));
    const { resourceVersion } = outcome.metadata;
    expect(outcome).toEqual({ ...last, metadata: { ...last.metadata, resourceVersion } });
    expect(await objectStore.get(KEY)).toBeUndefined();
    expect(await objectStore.remove(KEY)).toEqual({ status: 'absent' });
    expect(await objectStore.replace(MAPS, last)).toEqual({ status: 'absent' });
  });

  promise('a remove whose preconditions do not hold is a conflict', async ({ objectStore }) => {
    const old = await stored(objectStore, MAPS, sample('a'));
    const current = await changed(objectStore, MAPS, old, 'second');
    const { uid, resourceVersion } = current.metadata;
    const failing = [
      { resourceVersion: old.metadata.resourceVersion },
      { uid: 'another' },
      { uid, resourceVersion: old.metadata.resourceVersion },
      { uid: 'another', resourceVersion },
    ];
    for (const preconditions of failing) {
      expect(await objectStore.remove(KEY, preconditions)).toEqual({ status: 'conflict', current });
    }
    expect(await objectStore.remove(KEY, { uid, resourceVersion })).toMatchObject({ status: 'removed' });
  });

  promise('of ten concurrent removals exactly one removes', async ({ objectStore }) => {
    await stored(objectStore, MAPS, sample('a'));
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => objectStore.remove(KEY)));
    expect(outcomes.filter(({ status }) => status === 'removed')).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === 'absent')).toHaveLength(9);
  });

  promise('a read sees every write that was acknowledged before it', async ({ objectStore }) => {
    const names = Array.from({ length: 30 }, (_, n) => `writer-${n}`);
    await Promise.all(
      names.map(async (name) => {
        const first = await stored(objectStore, MAPS, sample(name));
        expect(await objectStore.get(keyOf(MAPS, first))).toEqual(first);
        const second = await changed(objectStore, MAPS, first, 'second');
        expect((await objectStore.list(MAPS)).items).toContainEqual(second);
        await removed(objectStore, MAPS, second);
        expect(await objectStore.get(keyOf(MAPS, first))).toBeUndefined();
      }),
    );
  });

  promise('concurrent writes draw unique versions', async ({ objectStore }) => {
    const objects = await Promise.all(
      Array.from({ length: 50 }, (_, n) => stored(objectStore, MAPS, sample(`object-${n}`))),
    );
    expect(new Set(objects.map(versionOf)).size).toBe(50);
  });

  promise('changing a given object afterwards changes nothing in the store', async ({ objectStore }) => {
    const given = sample('a');
    const storing = stored(objectStore, MAPS, given);
    (given['data'] as { text: string }).text = 'meddled with';
    given.metadata.labels = { meddled: 'with' };
    const object = await storing;
    (given['data'] as { text: string }).text = 'meddled with again';
    expect(object).toMatchObject({ data: { text: 'first' } });
    expect(await objectStore.get(KEY)).toEqual(object);
    expect(object.metadata.labels).toBeUndefined();
  });

  promise(
    'the store copies a given object even if its parts are only frozen on the surface',
    async ({ objectStore }) => {
      const list = ['first'];
      await stored(objectStore, MAPS, { ...sample('a'), data: Object.freeze({ list }) });
      list.push('meddled with');
      expect(await objectStore.get(KEY)).toMatchObject({ data: { list: ['first'] } });
    },
  );

  promise('an object that was read does not change when it is written again', async ({ objectStore }) => {
    const first = await stored(objectStore, MAPS, sample('a'));
    const read = await objectStore.get(KEY);
    await changed(objectStore, MAPS, first, 'second');
    expect(read).toEqual(first);
  });

  promise('a reader cannot change what other readers get', async ({ objectStore }) => {
    const object = await stored(objectStore, MAPS, sample('a'));
    const expected = structuredClone(object);
    for (const copy of [object, await objectStore.get(KEY), ...(await objectStore.list(MAPS)).items]) {
      Reflect.set(copy?.['data'] as object, 'text', 'meddled with');
    }
    expect(await objectStore.get(KEY)).toEqual(expected);
  });

  promise('fields are read as JSON has them', async ({ objectStore }) => {
    const data = JSON.parse('{"__proto__": {"a": 1}, "nothing": null, "list": [null, 1.5, {}], "": "empty"}') as object;
    await stored(objectStore, MAPS, { ...sample('a'), data, missing: undefined });
    const object = await objectStore.get(KEY);
    expect(JSON.stringify(object?.['data'])).toBe(JSON.stringify(data));
    expect(Object.keys(object ?? {})).not.toContain('missing');
  });
}
