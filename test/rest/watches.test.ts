import { beforeEach, describe, expect, test } from 'vitest';
import type { Change, ChangeLog, LogCursor } from '../../lambdas/ports/ChangeLog.ts';
import { type Api, configMap, createConfigMaps, openWatch, startApi, waitForTimer } from './startApi.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let api: Api;
beforeEach(async () => {
  api = await startApi();
});

const create = (...names: string[]) => createConfigMaps(api, ...names);

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
    await waitForTimer(api, 30_000);
    expect(await event).toMatchObject({ type: 'ERROR', object: { code: 504, reason: 'Timeout' } });
  });

  test('a watch that allows bookmarks gets one each minute and one at the end', async () => {
    await create('a');
    const watch = await openWatch(api, `${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true&timeoutSeconds=90`);
    const added = await watch.next();
    const first = watch.next();
    await waitForTimer(api, 60_000);
    expect(await first).toMatchObject({
      type: 'BOOKMARK',
      object: { kind: 'ConfigMap', metadata: { resourceVersion: added?.object.metadata.resourceVersion } },
    });
    const last = watch.next();
    await waitForTimer(api, 30_000);
    expect((await last)?.type).toBe('BOOKMARK');
    expect(await watch.next()).toBeUndefined();
  });

  test('a watch without bookmarks ends silently when its time is over', async () => {
    const watch = await openWatch(api, `${CONFIG_MAPS}?watch=1&timeoutSeconds=5`);
    const end = watch.next();
    await waitForTimer(api, 5_000);
    expect(await end).toBeUndefined();
  });

  test('a silent watch sends a bookmark as its heartbeat if the client allows bookmarks', async () => {
    api = await startApi({ watchHeartbeatMs: 30_000 });
    const watch = await openWatch(api, `${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true`);
    const first = watch.next();
    await waitForTimer(api, 30_000);
    expect((await first)?.type).toBe('BOOKMARK');
    await watch.cancel();
  });

  test('a silent watch sends a space as its heartbeat otherwise, which belongs to the next line', async () => {
    api = await startApi({ watchHeartbeatMs: 30_000 });
    const { body } = await api.app.request(`http://127.0.0.1${CONFIG_MAPS}?watch=1`);
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    const read = async () => Buffer.from((await reader.read()).value ?? []).toString();
    const heartbeat = read();
    await waitForTimer(api, 30_000);
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
