import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Change, ChangeLog, LogCursor } from '../../lambdas/ports/ChangeLog.ts';
import { SystemIds } from '../../lambdas/adapters/ids/SystemIds.ts';
import { type Api, configMap, type OpenWatch, openWatch, startApi } from './startApi.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let api: Api;
beforeEach(async () => {
  api = await startApi();
});

async function create(...names: string[]): Promise<void> {
  for (const name of names)
    await api.call('POST', CONFIG_MAPS, configMap(name, { metadata: { name, labels: { name } } }));
}

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

  test('a read of a version that is yet to come times out in the words that clients know', async () => {
    await create('a');
    const answer = api.call('GET', `${CONFIG_MAPS}/a?resourceVersion=999999999`);
    await waitForTimer();
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

  test('a negative limit is none', async () => {
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
    await waitForTimer();
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

describe('watches', () => {
  test('a watch without a version sends the existing objects, then each change', async () => {
    await create('a');
    const watch = await openWatch(api, `${CONFIG_MAPS}?watch=true`);
    expect(watch.response.headers.get('content-type')).toBe('application/json');
    expect(await watch.next()).toMatchObject({ type: 'ADDED', object: { kind: 'ConfigMap', metadata: { name: 'a' } } });
    const next = watch.next();
    await create('b');
    expect(await next).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } });
    await watch.cancel();
  });

  test('a watch from a list sends each change in order, and a deleted object has the version of its deletion', async () => {
    await create('a');
    const { body } = await api.call('GET', CONFIG_MAPS);
    await api.call('PUT', `${CONFIG_MAPS}/a`, configMap('a', { data: { x: '1' } }));
    await api.call('DELETE', `${CONFIG_MAPS}/a`);
    const watch = await openWatch(api, `${CONFIG_MAPS}?watch=true&resourceVersion=${body.metadata.resourceVersion}`);
    const modified = await watch.next();
    const deleted = await watch.next();
    expect([modified?.type, deleted?.type]).toEqual(['MODIFIED', 'DELETED']);
    expect(deleted?.object['data']).toEqual({ x: '1' });
    expect(Number(deleted?.object.metadata.resourceVersion)).toBeGreaterThan(
      Number(modified?.object.metadata.resourceVersion),
    );
    await watch.cancel();
  });

  test('a pod deleted with a grace period of 0 is MODIFIED before it is DELETED', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    const spec = { nodeName: 'node-1', containers: [{ name: 'web', image: 'nginx' }] };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec };
    const { body } = await api.call('POST', pods, pod);
    await api.call('DELETE', `${pods}/web?gracePeriodSeconds=0`);
    const watch = await openWatch(api, `${pods}?watch=true&resourceVersion=${body.metadata.resourceVersion}`);
    const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 };
    expect(await watch.next()).toMatchObject({ type: 'MODIFIED', object: { metadata } });
    expect(await watch.next()).toMatchObject({ type: 'DELETED', object: { metadata } });
    await watch.cancel();
  });

  test('an object that enters the selection is ADDED, and DELETED as it last was when it leaves', async () => {
    await create('a');
    const { body } = await api.call('GET', CONFIG_MAPS);
    const path = `${CONFIG_MAPS}?watch=1&labelSelector=in%3Dyes&resourceVersion=${body.metadata.resourceVersion}`;
    const watch = await openWatch(api, path);
    const label = (value: string) =>
      api.call('PUT', `${CONFIG_MAPS}/a`, configMap('a', { metadata: { name: 'a', labels: { in: value } } }));
    await label('yes');
    const left = await label('no');
    expect(await watch.next()).toMatchObject({ type: 'ADDED', object: { metadata: { labels: { in: 'yes' } } } });
    expect(await watch.next()).toMatchObject({
      type: 'DELETED',
      object: { metadata: { labels: { in: 'yes' }, resourceVersion: left.body.metadata.resourceVersion } },
    });
    await watch.cancel();
  });

  test.each([
    '/api/v1/namespaces/default/configmaps?watch=1&fieldSelector=metadata.name%3Db',
    '/api/v1/watch/namespaces/default/configmaps/b',
  ])('%s watches one object', async (path) => {
    await create('a', 'b');
    const watch = await openWatch(api, path);
    expect((await watch.next())?.object.metadata.name).toBe('b');
    const next = watch.next();
    await create('c');
    await api.call('DELETE', `${CONFIG_MAPS}/b`);
    expect(await next).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'b' } } });
    await watch.cancel();
  });

  test('a watch from an expired version sends an ERROR event with code 410 and ends', async () => {
    api = await startApi({ retainedChanges: 1 });
    await create('a', 'b', 'c', 'd', 'e');
    const watch = await openWatch(api, `${CONFIG_MAPS}?watch=1&resourceVersion=1`);
    expect(watch.response.status).toBe(200);
    expect(await watch.next()).toMatchObject({
      type: 'ERROR',
      object: { kind: 'Status', code: 410, reason: 'Expired' },
    });
    expect(await watch.next()).toBeUndefined();
  });

  test('a watch from a future version waits for it, and then ends with a Timeout', async () => {
    const watch = await openWatch(api, `${CONFIG_MAPS}?watch=1&resourceVersion=999999`);
    const event = watch.next();
    await waitForTimer(30_000);
    expect(await event).toMatchObject({ type: 'ERROR', object: { code: 504, reason: 'Timeout' } });
  });

  test('a watch that allows bookmarks gets one each minute and one at the end', async () => {
    await create('a');
    const watch = await openWatch(api, `${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true&timeoutSeconds=90`);
    const added = await watch.next();
    const first = watch.next();
    await waitForTimer(60_000);
    expect(await first).toMatchObject({
      type: 'BOOKMARK',
      object: { kind: 'ConfigMap', metadata: { resourceVersion: added?.object.metadata.resourceVersion } },
    });
    const last = watch.next();
    await waitForTimer(30_000);
    expect((await last)?.type).toBe('BOOKMARK');
    expect(await watch.next()).toBeUndefined();
  });

  test('a watch without bookmarks ends silently when its time is over', async () => {
    const watch = await openWatch(api, `${CONFIG_MAPS}?watch=1&timeoutSeconds=5`);
    const end = watch.next();
    await waitForTimer(5_000);
    expect(await end).toBeUndefined();
  });

  describe('over a host that limits watches', () => {
    const drawing = (value: number) => Object.assign(new SystemIds(), { random: () => value });
    const limited = (value: number, more?: object) => {
      const watchLifetime = { resumedMs: 60_000, unresumedMs: 80_000, longestMs: 840_000, ...more };
      return startApi({ ids: drawing(value), watchLifetime });
    };

    test.each([
      ['timeoutSeconds=500', 0, 48_000],
      ['timeoutSeconds=500', 0.5, 60_000],
      ['timeoutSeconds=500', 0.75, 66_000],
      ['timeoutSeconds=5', 0.5, 5_000],
      ['allowWatchBookmarks=false', 0.5, 80_000],
    ])('a watch with %s ends (random: %d) after %d ms', async (query, value, endMs) => {
      api = await limited(value);
      const watch = await openWatch(api, `${CONFIG_MAPS}?watch=1&${query}`);
      await expectEndAfter(watch, endMs);
    });

    test.each([
      ['timeoutSeconds=3000', 0, 560_000],
      ['timeoutSeconds=3000', 0.5, 700_000],
      ['timeoutSeconds=3000', 1, 840_000],
      ['timeoutSeconds=100', 1, 100_000],
      ['allowWatchBookmarks=false', 0.5, 840_000],
    ])('a watch with %s (random: %d) ends after %d ms, before the host cuts it', async (query, value, endMs) => {
      api = await limited(value, { resumedMs: 840_000, unresumedMs: 900_000 });
      const watch = await openWatch(api, `${CONFIG_MAPS}?watch=1&${query}`);
      await expectEndAfter(watch, endMs);
    });

    test('a watch with bookmarks ends with one, from which the client resumes', async () => {
      api = await limited(0.5);
      await create('a');
      const watch = await openWatch(api, `${CONFIG_MAPS}?watch=1&timeoutSeconds=500&allowWatchBookmarks=true`);
      const added = await watch.next();
      const last = watch.next();
      await waitForTimer(60_000);
      expect(await last).toMatchObject({
        type: 'BOOKMARK',
        object: { metadata: { resourceVersion: added?.object.metadata.resourceVersion } },
      });
    });
  });

  describe('with a bounded number of open watches', () => {
    const slots = () => {
      let free = 1;
      return {
        free: () => free,
        claim: async () => {
          if (free === 0) return { status: 'full', retryAfterMs: 2_500 } as const;
          free -= 1;
          return { status: 'claimed', release: async () => void (free += 1) } as const;
        },
      };
    };

    test('a watch above it is refused with 429, and the answer says when to try again', async () => {
      api = await startApi({ watchSlots: slots() });
      const watch = await openWatch(api, `${CONFIG_MAPS}?watch=1&resourceVersion=0`);
      const refused = await api.call('GET', `${CONFIG_MAPS}?watch=1`);
      expect([refused.code, refused.headers.get('retry-after')]).toEqual([429, '3']);
      expect(refused.body).toMatchObject({
        reason: 'TooManyRequests',
        message: 'Too many requests, please try again later.',
        details: { retryAfterSeconds: 3 },
      });
      await watch.cancel();
    });

    test.each([
      ['its client leaves', async (watch: OpenWatch) => await watch.cancel()],
      ['its time is over', async () => await waitForTimer(5_000)],
    ])('a watch leaves its place to another when %s', async (_, end) => {
      const watchSlots = slots();
      api = await startApi({ watchSlots });
      const watch = await openWatch(api, `${CONFIG_MAPS}?watch=1&timeoutSeconds=5`);
      const last = watch.next();
      await new Promise((resolve) => setImmediate(resolve));
      expect(watchSlots.free()).toBe(0);
      await end(watch);
      await last;
      expect(watchSlots.free()).toBe(1);
    });

    test('a refused query takes no place', async () => {
      const watchSlots = slots();
      api = await startApi({ watchSlots });
      await api.call('GET', `${CONFIG_MAPS}?watch=1&fieldSelector=spec.x%3D1`);
      expect(watchSlots.free()).toBe(1);
    });
  });

  test('a silent watch sends a bookmark as its heartbeat if the client allows bookmarks', async () => {
    api = await startApi({ watchHeartbeatMs: 30_000 });
    const watch = await openWatch(api, `${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true`);
    const first = watch.next();
    await waitForTimer(30_000);
    expect((await first)?.type).toBe('BOOKMARK');
    await watch.cancel();
  });

  test('a silent watch sends a space as its heartbeat otherwise, which belongs to the next line', async () => {
    api = await startApi({ watchHeartbeatMs: 30_000 });
    const { body } = await api.app.request(`http://127.0.0.1${CONFIG_MAPS}?watch=1`);
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    const read = async () => Buffer.from((await reader.read()).value ?? []).toString();
    const heartbeat = read();
    await waitForTimer(30_000);
    expect(await heartbeat).toBe(' ');
    const event = read();
    await create('a');
    expect(JSON.parse(await event)).toMatchObject({ type: 'ADDED' });
    await reader.cancel();
  });

  test('sendInitialEvents ends the initial events with an annotated bookmark', async () => {
    await create('a');
    const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const watch = await openWatch(api, `${CONFIG_MAPS}?${query}`);
    expect((await watch.next())?.type).toBe('ADDED');
    expect(await watch.next()).toMatchObject({
      type: 'BOOKMARK',
      object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
    await watch.cancel();
  });

  test('a watch of tables sends the columns with the first event only', async () => {
    await create('a', 'b');
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };
    const watch = await openWatch(api, `${CONFIG_MAPS}?watch=1`, headers);
    const [first, second] = [await watch.next(), await watch.next()];
    expect(first?.object['columnDefinitions']).toHaveLength(3);
    expect([second?.object['columnDefinitions'], second?.object['rows']]).toMatchObject([
      null,
      [{ cells: ['b', 0, '0s'] }],
    ]);
    await watch.cancel();
  });

  test('a client that disconnects closes its cursor', async () => {
    const counting = countCursors(api.changeLog);
    const watched = await startApi({ registry: api.registry, changeLog: counting.changeLog });
    await create('a');
    const watch = await openWatch(watched, `${CONFIG_MAPS}?watch=1`);
    await watch.next();
    const pending = watch.next();
    await new Promise((resolve) => setImmediate(resolve));
    expect(counting.open()).toBe(1);
    await watch.cancel();
    await pending;
    expect(counting.open()).toBe(0);
  });

  test('two watchers of one change receive the same event', async () => {
    await create('a');
    const { body } = await api.call('GET', CONFIG_MAPS);
    const path = `${CONFIG_MAPS}?watch=1&resourceVersion=${body.metadata.resourceVersion}`;
    const watches = await Promise.all([openWatch(api, path), openWatch(api, path)]);
    await create('b');
    const [one, other] = await Promise.all(watches.map((watch) => watch.next()));
    expect(one).toEqual(other);
    await Promise.all(watches.map((watch) => watch.cancel()));
  });
});

/** Expects that the watch ends after `endMs`, and not a millisecond earlier. */
async function expectEndAfter(watch: OpenWatch, endMs: number): Promise<void> {
  let isOver = false;
  const end = watch.next().finally(() => {
    isOver = true;
  });
  await waitForTimer(endMs - 1);
  await waitForTimer(0);
  expect(isOver).toBe(false);
  await waitForTimer(1);
  expect(await end).toBeUndefined();
}

/** Waits until pending work has set its timer, then moves the clock past it. */
async function waitForTimer(ms = 3_000): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  api.clock.advanceBy(ms);
}

function countCursors(changeLog: ChangeLog): { changeLog: ChangeLog; open: () => number } {
  let count = 0;
  const counted = (cursor: LogCursor): LogCursor => ({
    get position() {
      return cursor.position;
    },
    next: (signal): Promise<readonly Change[] | 'expired'> => cursor.next(signal),
    close: () => {
      count -= 1;
      cursor.close();
    },
  });
  return {
    open: () => count,
    changeLog: {
      head: (resource) => changeLog.head(resource),
      reached: (resource, version, signal) => changeLog.reached(resource, version, signal),
      catchUp: (...list) => changeLog.catchUp(...list),
      changesSince: (...list) => changeLog.changesSince(...list),
      open: async (resource, version, signal) => {
        const opened = await changeLog.open(resource, version, signal);
        if (opened.status !== 'open') return opened;
        count += 1;
        return { status: 'open', cursor: counted(opened.cursor) };
      },
    },
  };
}
