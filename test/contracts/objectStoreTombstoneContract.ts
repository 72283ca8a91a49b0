import { expect } from 'vitest';
import type { PromiseOfStore } from './objectStoreContract.ts';
import { removed, sample, stored } from './objectStoreSamples.ts';

const MAPS = 'configmaps';
const KEY = { resource: MAPS, namespace: 'default', name: 'a' };

/** A create that arrives late, or twice, revives no object. */
export function objectStoreTombstoneContract(promise: PromiseOfStore): void {
  promise('a removed UID cannot be created again under its name', async ({ objectStore }) => {
    await removed(objectStore, MAPS, await stored(objectStore, MAPS, sample('a')));
    expect(await objectStore.create(MAPS, sample('a'))).toEqual({ status: 'exists' });
    expect(await objectStore.get(KEY)).toBeUndefined();
  });

  promise('the name of a removed object is free for another UID', async ({ objectStore }) => {
    await removed(objectStore, MAPS, await stored(objectStore, MAPS, sample('a', { uid: 'one' })));
    const second = await stored(objectStore, MAPS, sample('a', { uid: 'two' }));
    expect(await objectStore.get(KEY)).toEqual(second);
    await removed(objectStore, MAPS, second);
    for (const uid of ['one', 'two']) {
      expect(await objectStore.create(MAPS, sample('a', { uid }))).toEqual({ status: 'exists' });
    }
  });

  promise('a late create finds its name taken by a successor', async ({ objectStore }) => {
    await removed(objectStore, MAPS, await stored(objectStore, MAPS, sample('a', { uid: 'one' })));
    const current = await stored(objectStore, MAPS, sample('a', { uid: 'two' }));
    expect(await objectStore.create(MAPS, sample('a', { uid: 'one' }))).toEqual({ status: 'exists', current });
  });

  promise('a removed UID is refused under its own name and namespace only', async ({ objectStore }) => {
    await removed(objectStore, MAPS, await stored(objectStore, MAPS, sample('a', { uid: 'one' })));
    for (const place of [sample('b', { uid: 'one' }), sample('a', { uid: 'one', namespace: 'other' })]) {
      expect(await objectStore.create(MAPS, place)).toMatchObject({ status: 'stored' });
    }
  });

  promise('a create that races the removal of its own object does not revive it', async ({ objectStore }) => {
    const object = await stored(objectStore, MAPS, sample('a'));
    const [removal, ...creates] = await Promise.all([
      objectStore.remove(KEY),
      ...Array.from({ length: 10 }, () => objectStore.create(MAPS, object)),
    ]);
    expect(removal.status).toBe('removed');
    expect(creates.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'exists'));
    expect(await objectStore.get(KEY)).toBeUndefined();
  });

  promise('a burned UID cannot be created under its name', async ({ objectStore }) => {
    expect(await objectStore.burn(KEY, 'one')).toEqual({ status: 'burned' });
    expect(await objectStore.create(MAPS, sample('a', { uid: 'one' }))).toEqual({ status: 'exists' });
    expect(await objectStore.get(KEY)).toBeUndefined();
    expect((await objectStore.list(MAPS)).items).toEqual([]);
  });

  promise('a burned name is free for another UID', async ({ objectStore }) => {
    await objectStore.burn(KEY, 'one');
    expect(await objectStore.create(MAPS, sample('a', { uid: 'two' }))).toMatchObject({ status: 'stored' });
  });

  promise('several UIDs of one name can be burned, and one of them twice', async ({ objectStore }) => {
    for (const uid of ['one', 'two', 'one']) {
      expect(await objectStore.burn(KEY, uid)).toEqual({ status: 'burned' });
    }
    for (const uid of ['one', 'two']) {
      expect(await objectStore.create(MAPS, sample('a', { uid }))).toEqual({ status: 'exists' });
    }
  });

  promise('a burn of the UID of an object that has the name does nothing', async ({ objectStore }) => {
    const current = await stored(objectStore, MAPS, sample('a', { uid: 'one' }));
    expect(await objectStore.burn(KEY, 'one')).toEqual({ status: 'exists', current });
    expect(await objectStore.get(KEY)).toEqual(current);
  });

  promise('a UID is burned under the name of another object, which stays as it is', async ({ objectStore }) => {
    const current = await stored(objectStore, MAPS, sample('a', { uid: 'one' }));
    for (const uid of ['two', 'three', 'two']) expect(await objectStore.burn(KEY, uid)).toEqual({ status: 'burned' });
    expect(await objectStore.get(KEY)).toEqual(current);
    expect((await objectStore.list(MAPS)).items).toEqual([current]);
    const replaced = await objectStore.replace(MAPS, { ...current, data: { key: 'value' } });
    expect(replaced.status).toBe('stored');
    await objectStore.remove(KEY);
    for (const uid of ['one', 'two', 'three'])
      expect(await objectStore.create(MAPS, sample('a', { uid }))).toEqual({ status: 'exists' });
    expect(await objectStore.create(MAPS, sample('a', { uid: 'four' }))).toMatchObject({ status: 'stored' });
  });

  promise('a UID that is burned while the object of its name is removed cannot be created', async ({ objectStore }) => {
    for (let round = 0; round < 10; round += 1) {
      const key = { ...KEY, name: `raced-${round}` };
      await stored(objectStore, MAPS, sample(key.name, { uid: 'one' }));
      const remove = () => objectStore.remove(key);
      const burn = () => objectStore.burn(key, 'two');
      const racers = round % 2 === 0 ? [remove(), burn()] : [burn(), remove()];
      const statuses = (await Promise.all<{ readonly status: string }>(racers)).map(({ status }) => status).sort();
      expect(statuses).toEqual(['burned', 'removed']);
      for (const uid of ['one', 'two'])
        expect(await objectStore.create(MAPS, sample(key.name, { uid }))).toEqual({ status: 'exists' });
    }
  });

  promise('of a concurrent create and burn of one UID exactly one happens', async ({ objectStore }) => {
    for (let round = 0; round < 10; round += 1) {
      const name = `raced-${round}`;
      const create = () => objectStore.create(MAPS, sample(name));
      const burn = () => objectStore.burn({ ...KEY, name }, `uid-of-${name}`);
      const racers = round % 2 === 0 ? [create(), burn()] : [burn(), create()];
      const statuses = (await Promise.all(racers)).map(({ status }) => status).sort();
      const object = await objectStore.get({ ...KEY, name });
      expect(statuses).toEqual(object ? ['exists', 'stored'] : ['burned', 'exists']);
    }
  });

  promise('a burn is not a change: the log does not move', async ({ objectStore, changeLog }) => {
    const object = await stored(objectStore, MAPS, sample('other'));
    const signal = AbortSignal.timeout(10_000);
    await changeLog.reached(MAPS, Number(object.metadata.resourceVersion), signal);
    const head = await changeLog.head(MAPS);
    await objectStore.burn(KEY, 'one');
    await objectStore.burn({ ...KEY, name: 'other' }, 'one');
    expect(await changeLog.head(MAPS)).toBe(head);
    const next = await stored(objectStore, MAPS, sample('next'));
    const opened = await changeLog.open(MAPS, head, signal);
    const changes = opened.status === 'open' && (await opened.cursor.next(signal));
    expect(changes).toEqual([expect.objectContaining({ type: 'ADDED', after: next })]);
  });
}
