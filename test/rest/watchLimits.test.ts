import { beforeEach, describe, expect, test } from 'vitest';
import type { WatchRequest } from '../../lambdas/ports/WatchSlots.ts';
import { SystemIds } from '../../lambdas/adapters/ids/SystemIds.ts';
import { type Api, createConfigMaps, openWatch, type OpenWatch, startApi, waitForTimer } from './startApi.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let api: Api;
beforeEach(async () => {
  api = await startApi();
});

const create = (...names: string[]) => createConfigMaps(api, ...names);

describe('watches over a host that limits watches', () => {
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
    await waitForTimer(api, 60_000);
    expect(await last).toMatchObject({
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion: added?.object.metadata.resourceVersion } },
    });
  });
});

describe('watches with a bounded number of open watches', () => {
  const slots = () => {
    let free = 1;
    const claims: WatchRequest[] = [];
    return {
      free: () => free,
      claims,
      claim: async (watch: WatchRequest) => {
        claims.push(watch);
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
    ['its time is over', async () => await waitForTimer(api, 5_000)],
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

  test('a watch whose place is taken ends with a bookmark, from which the client resumes', async () => {
    const watchSlots = slots();
    api = await startApi({ watchSlots });
    await create('a');
    const watch = await openWatch(api, `${CONFIG_MAPS}?watch=1&timeoutSeconds=50&allowWatchBookmarks=true`);
    const added = await watch.next();
    const last = watch.next();
    await new Promise((resolve) => setImmediate(resolve));
    watchSlots.claims[0]?.onTaken();
    const { resourceVersion } = added?.object.metadata ?? {};
    expect(await last).toMatchObject({ type: 'BOOKMARK', object: { metadata: { resourceVersion } } });
    expect(await watch.next()).toBeUndefined();
    expect(watchSlots.free()).toBe(1);
  });

  test.each([
    ['of one object, by a field', `${CONFIG_MAPS}?watch=1&fieldSelector=metadata.name%3Da`, true],
    ['of one object, by its path', `/api/v1/watch/namespaces/default/configmaps/a`, true],
    ['of many', `${CONFIG_MAPS}?watch=1`, false],
    ['of all but one', `${CONFIG_MAPS}?watch=1&fieldSelector=metadata.name!%3Da`, false],
  ])('a watch %s says so when it asks for its place', async (_, path, isOfOne) => {
    const watchSlots = slots();
    api = await startApi({ watchSlots });
    const watch = await openWatch(api, path);
    expect(watchSlots.claims).toMatchObject([{ isOfOne, user: expect.any(String) }]);
    await watch.cancel();
  });

  test('a refused query takes no place', async () => {
    const watchSlots = slots();
    api = await startApi({ watchSlots });
    await api.call('GET', `${CONFIG_MAPS}?watch=1&fieldSelector=spec.x%3D1`);
    expect(watchSlots.free()).toBe(1);
  });
});

/** Expects that the watch ends after `endMs`, and not a millisecond earlier. */
async function expectEndAfter(watch: OpenWatch, endMs: number): Promise<void> {
  let isOver = false;
  const end = watch.next().finally(() => {
    isOver = true;
  });
  await waitForTimer(api, endMs - 1);
  await waitForTimer(api, 0);
  expect(isOver).toBe(false);
  await waitForTimer(api, 1);
  expect(await end).toBeUndefined();
}
