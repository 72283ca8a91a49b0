import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Api, configMap, createConfigMaps, openWatch, startApi, waitForTimer } from './startApi.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let api: Api;
beforeEach(async () => {
  api = await startApi();
});

const create = (...names: string[]) => createConfigMaps(api, ...names);

function namesOf({ body }: { body: { items: { metadata: { name: string } }[] } }): string[] {
  return body.items.map(({ metadata }) => metadata.name);
}

describe('lists', () => {
  test('a list has its kind, a resourceVersion to watch from, and items without a kind', async () => {
    await create('a');
    const { body } = await api.call('GET', CONFIG_MAPS);
    expect([body.kind, body.apiVersion]).toEqual(['ConfigMapList', 'v1']);
    expect(body.metadata.resourceVersion).toBe(body.items[0].metadata.resourceVersion);
    expect(body.items[0].kind).toBeUndefined();
  });

  test('a long list is compressed, and is the same list, in each form', async () => {
    const data = { text: 'x'.repeat(50_000) };
    for (const name of ['a', 'b', 'c']) await api.call('POST', CONFIG_MAPS, configMap(name, { data }));
    const forms = [
      'application/json',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
      'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    ];
    for (const accept of forms) {
      const path = `http://127.0.0.1${CONFIG_MAPS}?includeObject=Object`;
      const compressed = await api.app.request(path, { headers: { accept, 'accept-encoding': 'gzip' } });
      const plain = await api.app.request(path, { headers: { accept } });
      const bytes = Buffer.from(await compressed.arrayBuffer());
      const isLong = !accept.includes('Partial');
      expect(compressed.headers.get('content-encoding')).toBe(isLong ? 'gzip' : null);
      expect(JSON.parse((isLong ? gunzipSync(bytes) : bytes).toString())).toEqual(await plain.json());
    }
  });

  test('a list of what was never written has a version that can be watched from', async () => {
    const { body } = await api.call('GET', '/apis/coordination.k8s.io/v1/leases');
    expect(body).toEqual({
      kind: 'LeaseList',
      apiVersion: 'coordination.k8s.io/v1',
      metadata: { resourceVersion: '1' },
      items: [],
    });
    const watch = await openWatch(api, '/apis/coordination.k8s.io/v1/leases?watch=true&resourceVersion=1');
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' } };
    await api.call('POST', '/apis/coordination.k8s.io/v1/namespaces/default/leases', lease);
    expect((await watch.next())?.object.metadata.name).toBe('a');
    await watch.cancel();
  });

  test('a list of one namespace shows its objects only, and a list of all namespaces shows all', async () => {
    await create('a');
    await api.call('POST', '/api/v1/namespaces/other/configmaps', configMap('b'));
    expect(namesOf(await api.call('GET', CONFIG_MAPS))).toEqual(['a']);
    expect(namesOf(await api.call('GET', '/api/v1/configmaps'))).toEqual(['a', 'b']);
  });

  const selections: readonly [string, readonly string[]][] = [
    ['labelSelector=name%3Da', ['a']],
    ['labelSelector=name%21%3Da', ['b', 'c']],
    ['labelSelector=name%20in%20(a,c)', ['a', 'c']],
    ['labelSelector=name%20notin%20(a,c),name', ['b']],
    ['labelSelector=%21name', []],
    ['fieldSelector=metadata.name%3Db', ['b']],
    ['fieldSelector=metadata.name%21%3Db,metadata.namespace%3Ddefault', ['a', 'c']],
    ['resourceVersion=0', ['a', 'b', 'c']],
  ];
  test.each(selections)('a list with %s selects %j', async (query, names) => {
    await create('a', 'b', 'c');
    expect(namesOf(await api.call('GET', `${CONFIG_MAPS}?${query}`))).toEqual(names);
  });

  test('later pages show the state at the first page, despite changes in between', async () => {
    await create('a', 'b', 'c', 'd', 'e');
    const first = await api.call('GET', `${CONFIG_MAPS}?limit=2`);
    await api.call('DELETE', `${CONFIG_MAPS}/d`);
    await create('c2');
    await api.call('PUT', `${CONFIG_MAPS}/e`, configMap('e', { data: { late: '1' } }));
    const second = await api.call('GET', `${CONFIG_MAPS}?limit=2&continue=${first.body.metadata.continue}`);
    const third = await api.call('GET', `${CONFIG_MAPS}?limit=2&continue=${second.body.metadata.continue}`);
    expect([...namesOf(first), ...namesOf(second), ...namesOf(third)]).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(third.body.items.at(-1).data).toBeUndefined();
    expect(third.body.metadata).toEqual({ resourceVersion: first.body.metadata.resourceVersion });
  });

  test('each page but the last says how many objects follow', async () => {
    await create('a', 'b', 'c', 'd', 'e');
    const first = await api.call('GET', `${CONFIG_MAPS}?limit=2`);
    const second = await api.call('GET', `${CONFIG_MAPS}?limit=2&continue=${first.body.metadata.continue}`);
    const third = await api.call('GET', `${CONFIG_MAPS}?limit=2&continue=${second.body.metadata.continue}`);
    const counts = [first, second, third].map(({ body }) => body.metadata.remainingItemCount);
    expect(counts).toEqual([3, 1, undefined]);
  });

  test('a page says how many objects follow although its process has not counted them, unless it is a selection', async () => {
    await create('a', 'b', 'c', 'd', 'e', 'f', 'g');
    const { body: first } = await api.call('GET', `${CONFIG_MAPS}?limit=2`);
    const list = api.registry.list.bind(api.registry);
    vi.spyOn(api.registry, 'list').mockImplementation(async (...query) => {
      const { items, more } = await list(...query);
      return { items, more };
    });
    const next = `${CONFIG_MAPS}?limit=2&continue=${first.metadata.continue}`;
    const { body: second } = await api.call('GET', next);
    const { body: third } = await api.call('GET', `${CONFIG_MAPS}?limit=2&continue=${second.metadata.continue}`);
    const { body: selected } = await api.call('GET', `${next}&labelSelector=!none`);
    const counts = [first, second, third, selected].map(({ metadata }) => metadata.remainingItemCount);
    expect(counts).toEqual([5, 3, 1, undefined]);
  });

  test('a read of a version that is yet to come times out in the words that clients know', async () => {
    await create('a');
    const answer = api.call('GET', `${CONFIG_MAPS}/a?resourceVersion=999999999`);
    await waitForTimer(api);
    const { code, body } = await answer;
    expect([code, body.message]).toEqual([
      504,
      expect.stringMatching(/^Timeout: Too large resource version: 999999999, current: \d+$/),
    ]);
  });

  test('a page of a selection does not say how many objects follow', async () => {
    await create('a', 'b', 'c');
    const { body } = await api.call('GET', `${CONFIG_MAPS}?limit=1&labelSelector=!none`);
    expect(Object.keys(body.metadata)).toEqual(['resourceVersion', 'continue']);
  });

  test.each([
    ['what is no token', 'x', ''],
    [
      'a token without a position',
      { v: 'meta.k8s.io/v1', start: 'a/b' },
      ': incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    ],
    [
      'a token of position 0',
      { v: 'meta.k8s.io/v1', rv: 0, start: 'a/b' },
      ': incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    ],
    ['a token without a start', { v: 'meta.k8s.io/v1', rv: 5 }, ': encoded start key empty (version meta.k8s.io/v1)'],
    ['a token that leads upwards', { v: 'meta.k8s.io/v1', rv: 5, start: '../x' }, ': ../x'],
    ['a token of another version', { v: 'v2', rv: 5, start: 'a/b' }, ': unrecognized version'],
  ])('%s is refused', async (_, content, why) => {
    const token = typeof content === 'string' ? content : Buffer.from(JSON.stringify(content)).toString('base64url');
    const { code, body } = await api.call('GET', `${CONFIG_MAPS}?continue=${token}`);
    expect([code, body.message]).toEqual([400, `invalid continue token: continue key is not valid${why}`]);
  });

  test('a list with a negative limit has all objects', async () => {
    await create('a', 'b');
    expect(namesOf(await api.call('GET', `${CONFIG_MAPS}?limit=-1`))).toEqual(['a', 'b']);
  });

  test('a page whose position has expired is answered with 410 and a token to continue with', async () => {
    api = await startApi({ retainedChanges: 1 });
    await create('a', 'b', 'c');
    const first = await api.call('GET', `${CONFIG_MAPS}?limit=1`);
    await create('d', 'e', 'f', 'g');
    const expired = await api.call('GET', `${CONFIG_MAPS}?limit=1&continue=${first.body.metadata.continue}`);
    expect([expired.code, expired.body.reason]).toEqual([410, 'Expired']);
    const rest = await api.call('GET', `${CONFIG_MAPS}?continue=${expired.body.metadata.continue}`);
    expect(namesOf(rest)).toEqual(['b', 'c', 'd', 'e', 'f', 'g']);
  });

  test('a list at an exact version shows the objects of that version', async () => {
    await create('a');
    const then = (await api.call('GET', CONFIG_MAPS)).body.metadata.resourceVersion;
    await create('b');
    const query = `resourceVersion=${then}&resourceVersionMatch=Exact`;
    const { body } = await api.call('GET', `${CONFIG_MAPS}?${query}`);
    expect([namesOf({ body }), body.metadata.resourceVersion]).toEqual([['a'], then]);
  });

  test('a list at a future version ends with a Timeout that says so', async () => {
    const answer = api.call('GET', `${CONFIG_MAPS}?resourceVersion=999999`);
    await waitForTimer(api);
    const { code, body } = await answer;
    expect([code, body.reason, body.details.causes[0].reason]).toEqual([504, 'Timeout', 'ResourceVersionTooLarge']);
  });

  test('a list that is read while others write shows the state at one position', async () => {
    await create('a', 'b');
    const { registry } = api;
    const late = await startApi({
      registry: {
        ...registry,
        list: async (resource, options) => {
          // Like a table with two partitions: the first is read, then both change, then the second is read.
          const read = await registry.list(resource, options);
          if (resource !== 'configmaps') return read as never;
          await api.call('PUT', `${CONFIG_MAPS}/a`, configMap('a', { data: { changed: '1' } }));
          await api.call('PUT', `${CONFIG_MAPS}/b`, configMap('b', { data: { changed: '1' } }));
          const again = await registry.list(resource, options);
          return { items: [read.items[0], again.items[1]], more: false } as never;
        },
      },
      changeLog: api.changeLog,
    });
    const { body } = await late.call('GET', CONFIG_MAPS);
    expect(body.items.map((item: { data: unknown }) => item.data)).toEqual([{ changed: '1' }, { changed: '1' }]);
    expect(body.metadata.resourceVersion).toBe(body.items[1].metadata.resourceVersion);
  });
});
