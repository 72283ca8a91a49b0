import { expect } from 'vitest';
import type { IndexName } from '../../lambdas/objects/indexes.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { listed, type ListOptions, type ObjectStore } from '../../lambdas/ports/ObjectStore.ts';
import type { PromiseOfStore } from './objectStoreContract.ts';
import { owner, removed, sample, type SampleOptions, stored } from './objectStoreSamples.ts';

const MAPS = 'configmaps';

/** Names whose order by code unit differs from that of a dictionary. */
const NAMES = ['a', 'B', 'a-b', 'aa', 'a.b', 'Z', '1', 'ä'];
const NAMESPACES = ['b', 'a', 'a-b', 'aa'];

async function fill(store: ObjectStore): Promise<void> {
  const objects = NAMES.flatMap((name) => NAMESPACES.map((namespace) => sample(name, { namespace, uid: name })));
  await Promise.all(objects.map((object) => stored(store, MAPS, object)));
}

function places(items: readonly KubernetesObject[]): string[] {
  return items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
}

async function pages(store: ObjectStore, options: ListOptions, limit: number): Promise<string[][]> {
  const read: string[][] = [];
  for (let after: ListOptions['after']; ; ) {
    const { items, more } = await store.list(MAPS, { ...options, limit, ...(after && { after }) });
    read.push(places(items));
    const last = items.at(-1)?.metadata;
    if (!more || !last) return read;
    after = { namespace: last.namespace ?? '', name: last.name };
  }
}

/** Lists: order, pages, and indexes. */
export function objectStoreListContract(promise: PromiseOfStore): void {
  promise('a resource without objects has an empty list', async ({ objectStore }) => {
    expect(await objectStore.list(MAPS)).toEqual({ items: [], more: false });
    expect(await objectStore.list(MAPS, { namespace: 'a', limit: 5 })).toEqual({ items: [], more: false });
  });

  promise(
    'a list of all namespaces is ordered by namespace, then name, in code-unit order',
    async ({ objectStore }) => {
      await fill(objectStore);
      const expected = [...NAMESPACES]
        .sort()
        .flatMap((namespace) => [...NAMES].sort().map((name) => `${namespace}/${name}`));
      const { items, more } = await objectStore.list(MAPS);
      expect(places(items)).toEqual(expected);
      expect(more).toBe(false);
    },
  );

  promise('a list of one namespace has only its objects', async ({ objectStore }) => {
    await fill(objectStore);
    await stored(objectStore, 'secrets', sample('secret', { namespace: 'a' }));
    const { items } = await objectStore.list(MAPS, { namespace: 'a' });
    expect(places(items)).toEqual([...NAMES].sort().map((name) => `a/${name}`));
  });

  promise('pages of any size together make the whole list', async ({ objectStore }) => {
    await fill(objectStore);
    for (const options of [{}, { namespace: 'aa' }]) {
      const whole = places((await objectStore.list(MAPS, options)).items);
      for (const limit of [1, 3, 10, whole.length - 1, whole.length, whole.length + 1]) {
        const read = await pages(objectStore, options, limit);
        expect(read.flat()).toEqual(whole);
        expect(read.slice(0, -1).every((page) => page.length === limit)).toBe(true);
        expect(read).toHaveLength(Math.ceil(whole.length / limit));
      }
    }
  });

  promise('a list of encoded objects is the same list', async ({ objectStore }) => {
    await fill(objectStore);
    await removed(objectStore, MAPS, await stored(objectStore, MAPS, sample('gone', { namespace: 'a' })));
    const large = sample('large', { namespace: 'a' });
    await stored(objectStore, MAPS, { ...large, data: { text: 'x'.repeat(60_000) } });
    for (const options of [{}, { namespace: 'a' }, { limit: 3, after: { namespace: 'a', name: 'Z' } }]) {
      const { items, ...rest } = await objectStore.list(MAPS, options);
      const decoded = { ...rest, items: items.map(listed) };
      const encoded = (await objectStore.listEncoded?.(MAPS, options)) ?? decoded;
      expect({ ...encoded, items: encoded.items.map((item) => item.load()) }).toEqual({ ...rest, items });
      const named = encoded.items.map(({ namespace, name, version }) => ({ namespace, name, version: `${version}` }));
      const expected = items.map(({ metadata: { namespace, name, resourceVersion: version } }) => ({
        namespace,
        name,
        version,
      }));
      expect(named).toEqual(expected);
    }
  });

  promise(
    'a list continues after an object that was removed, in a namespace that is empty by now',
    async ({ objectStore }) => {
      for (const [namespace, name] of [
        ['a', '1'],
        ['a', '3'],
        ['c', '1'],
      ] as const) {
        await stored(objectStore, MAPS, sample(name, { namespace }));
      }
      const behind = async (namespace: string, name: string) =>
        places((await objectStore.list(MAPS, { after: { namespace, name } })).items);
      expect(await behind('a', '2')).toEqual(['a/3', 'c/1']);
      expect(await behind('a', '3')).toEqual(['c/1']);
      expect(await behind('b', '9')).toEqual(['c/1']);
      expect(await behind('c', '1')).toEqual([]);
    },
  );

  promise('objects created and removed between two pages neither repeat nor skip others', async ({ objectStore }) => {
    await fill(objectStore);
    const first = await objectStore.list(MAPS, { namespace: 'a', limit: 3 });
    await removed(objectStore, MAPS, first.items[0] as KubernetesObject);
    await stored(objectStore, MAPS, sample('0', { namespace: 'a' }));
    const last = first.items[2]?.metadata.name ?? '';
    const second = await objectStore.list(MAPS, { namespace: 'a', after: { namespace: 'a', name: last } });
    expect(places(second.items)).toEqual(
      [...NAMES]
        .sort()
        .slice(3)
        .map((name) => `a/${name}`),
    );
  });

  promise('a returned list does not change', async ({ objectStore }) => {
    await fill(objectStore);
    const { items } = await objectStore.list(MAPS);
    const before = places(items);
    await stored(objectStore, MAPS, sample('0', { namespace: 'a' }));
    await removed(objectStore, MAPS, items[1] as KubernetesObject);
    expect(places(items)).toEqual(before);
  });

  promise('an index lists the objects of a value, in order and in pages', async ({ objectStore }) => {
    const owned = { ownerReferences: [owner('web', true)] };
    for (const namespace of ['b', 'a']) {
      for (const name of ['3', '1', '2']) await stored(objectStore, MAPS, sample(name, { namespace, ...owned }));
      await stored(objectStore, MAPS, sample('orphan', { namespace }));
    }
    const index = { name: 'controller' as const, value: 'web' };
    const all = places((await objectStore.list(MAPS, { index })).items);
    expect(all).toEqual(['a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'b/3']);
    expect(places((await objectStore.list(MAPS, { index, namespace: 'b' })).items)).toEqual(['b/1', 'b/2', 'b/3']);
    expect(await pages(objectStore, { index }, 4)).toEqual([all.slice(0, 4), all.slice(4)]);
    expect(await pages(objectStore, { index, namespace: 'a' }, 2)).toEqual([['a/1', 'a/2'], ['a/3']]);
    expect(await objectStore.list(MAPS, { index: { name: 'controller', value: 'db' } })).toEqual({
      items: [],
      more: false,
    });
  });

  promise(
    'an index lists an object from the write that sets its value until the write that changes it',
    async ({ objectStore }) => {
      const under = async (name: IndexName, value: string) =>
        places((await objectStore.list(MAPS, { index: { name, value } })).items);
      const orphan = await stored(objectStore, MAPS, sample('a'));
      expect(await under('controller', '')).toEqual(['default/a']);
      expect(await under('coOwned', 'true')).toEqual([]);

      const ownerReferences = [owner('web', true), owner('other', false)];
      const adopted = { ...orphan, metadata: { ...orphan.metadata, ownerReferences } };
      const outcome = await objectStore.replace(MAPS, adopted);
      expect(await under('controller', '')).toEqual([]);
      expect(await under('controller', 'web')).toEqual(['default/a']);
      expect(await under('coOwned', 'true')).toEqual(['default/a']);
      const [item] = (await objectStore.list(MAPS, { index: { name: 'controller', value: 'web' } })).items;
      expect(outcome).toEqual({ status: 'stored', object: item });

      await removed(objectStore, MAPS, adopted);
      expect(await under('controller', 'web')).toEqual([]);
      expect(await under('coOwned', 'true')).toEqual([]);
    },
  );

  promise('many pods of one namespace are listed in order, whole and in pages', async ({ objectStore }) => {
    const names = Array.from({ length: 60 }, (_, n) => `web-${(n * 7919) % 1009}`);
    await Promise.all(names.map((name) => stored(objectStore, 'pods', sample(name, { namespace: 'a' }))));
    await removed(objectStore, 'pods', sample(names[7] ?? '', { namespace: 'a' }));
    const expected = names
      .filter((_, n) => n !== 7)
      .sort()
      .map((name) => `a/${name}`);
    expect(places((await objectStore.list('pods', { namespace: 'a' })).items)).toEqual(expected);
    for (const limit of [1, 7, 58, 59, 60]) {
      const read = [];
      for (let after: ListOptions['after']; ; ) {
        const { items, more } = await objectStore.list('pods', { limit, ...(after && { after }) });
        read.push(...places(items));
        expect(items.length).toBe(Math.min(limit, 59 - read.length + items.length));
        after = { namespace: 'a', name: items.at(-1)?.metadata.name ?? '' };
        if (!more) break;
      }
      expect(read).toEqual(expected);
    }
  });

  promise('the pods of a controller are found, whatever their names', async ({ objectStore }) => {
    const web = { ...owner('web', true), name: 'web' };
    const create = (name: string, ownerReferences: SampleOptions['ownerReferences']) =>
      stored(objectStore, 'pods', sample(name, { ...(ownerReferences && { ownerReferences }) }));
    await Promise.all([
      ...['web-1', 'web-2', 'web-3', 'adopted', 'zebra', 'web'].map((name) => create(name, [web])),
      ...['web-4', 'web-0'].map((name) => create(name, [{ ...owner('other', true), name: 'web' }])),
      ...['web-5', 'bare'].map((name) => create(name, undefined)),
    ]);
    const under = async (index: ListOptions['index'], options: ListOptions = {}) =>
      (await objectStore.list('pods', { ...options, ...(index && { index }) })).items.map(
        ({ metadata }) => metadata.name,
      );
    const index = { name: 'controller', value: 'web', ownerName: 'web' } as const;
    const expected = ['adopted', 'web', 'web-1', 'web-2', 'web-3', 'zebra'];
    expect(await under(index)).toEqual(expected);
    expect(await under({ name: 'controller', value: 'web' })).toEqual(expected);
    expect(await under(index, { limit: 4 })).toEqual(expected.slice(0, 4));
    for (const [at, name] of expected.entries()) {
      const after = { namespace: 'default', name };
      expect(await under(index, { namespace: 'default', after })).toEqual(expected.slice(at + 1));
    }
    expect(await under({ name: 'controller', value: '' })).toEqual(['bare', 'web-5']);
    expect(await under({ name: 'controller', value: 'other', ownerName: 'web' })).toEqual(['web-0', 'web-4']);
  });

  promise('a pod that is adopted or released is found where it belongs from then on', async ({ objectStore }) => {
    const under = async (value: string, ownerName?: string) =>
      places(
        (
          await objectStore.list('pods', {
            index: { name: 'controller', value, ...(ownerName !== undefined && { ownerName }) },
          })
        ).items,
      );
    for (const name of ['web-1', 'other']) {
      const orphan = await stored(objectStore, 'pods', sample(name));
      expect(await under('')).toEqual([`default/${name}`]);
      const ownerReferences = [{ ...owner('web', true), name: 'web' }];
      const adopted = await objectStore.replace('pods', {
        ...orphan,
        metadata: { ...orphan.metadata, ownerReferences },
      });
      if (adopted.status !== 'stored') throw new Error(adopted.status);
      expect([await under(''), await under('web', 'web')]).toEqual([[], [`default/${name}`]]);
      const { ownerReferences: _, ...metadata } = adopted.object.metadata;
      await objectStore.replace('pods', { ...adopted.object, metadata });
      expect([await under(''), await under('web', 'web')]).toEqual([[`default/${name}`], []]);
      await objectStore.remove({ resource: 'pods', namespace: 'default', name });
      expect([await under(''), await under('web', 'web')]).toEqual([[], []]);
    }
  });

  promise('events are found by index like other objects', async ({ objectStore }) => {
    await stored(objectStore, 'events', sample('a', { ownerReferences: [owner('web', true)] }));
    await stored(objectStore, 'events', sample('b'));
    const under = async (value: string) =>
      places((await objectStore.list('events', { index: { name: 'controller', value } })).items);
    expect([await under('web'), await under('')]).toEqual([['default/a'], ['default/b']]);
  });

  promise('a controller is indexed under the smallest label that its selector requires', async ({ objectStore }) => {
    const selecting = (name: string, matchLabels?: Record<string, string>) => ({
      ...sample(name),
      kind: 'ReplicaSet',
      spec: { selector: { ...(matchLabels && { matchLabels }) } },
    });
    await stored(objectStore, 'replicasets.apps', selecting('web', { tier: 'front', app: 'web' }));
    await stored(objectStore, 'replicasets.apps', selecting('any'));
    const under = async (value: string) =>
      (await objectStore.list('replicasets.apps', { index: { name: 'selects', value } })).items.map(
        ({ metadata }) => metadata.name,
      );
    expect(await under('app=web')).toEqual(['web']);
    expect(await under('tier=front')).toEqual([]);
    expect(await under('*')).toEqual(['any']);
  });

  promise('a pod is indexed under its template hash while it has no controller', async ({ objectStore }) => {
    const labels = { app: 'web', 'pod-template-hash': 'abc' };
    const under = async (hash: string) => {
      const index = { name: 'selects', value: `pod-template-hash=${hash}` } as const;
      const { items } = await objectStore.list('pods', { namespace: 'default', index });
      return items.map(({ metadata }) => metadata.name);
    };
    const pod = (name: string, metadata: object) => ({
      ...sample(name),
      metadata: { ...sample(name).metadata, ...metadata },
    });
    const orphan = await stored(objectStore, 'pods', pod('orphan', { labels }));
    await stored(objectStore, 'pods', pod('plain', { labels: { app: 'web' } }));
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u', controller: true }];
    await stored(objectStore, 'pods', pod('owned', { labels, ownerReferences }));
    expect(await under('abc')).toEqual(['orphan']);

    const relabelled = { ...orphan, metadata: { ...orphan.metadata, labels: { 'pod-template-hash': 'def' } } };
    const outcome = await objectStore.replace('pods', relabelled);
    if (outcome.status !== 'stored') throw new Error(outcome.status);
    expect(await under('abc')).toEqual([]);
    expect(await under('def')).toEqual(['orphan']);

    await objectStore.replace('pods', { ...outcome.object, metadata: { ...outcome.object.metadata, ownerReferences } });
    expect(await under('def')).toEqual([]);
  });
}
