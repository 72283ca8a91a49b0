import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { createEnqueueHandler } from '../../lambdas/functions/enqueue/createEnqueueHandler.ts';
import { createResyncHandler } from '../../lambdas/functions/resync/createResyncHandler.ts';
import { queueAllKeys, type ResyncAll } from '../../lambdas/functions/resync/queueAllKeys.ts';
import type { Controller } from '../../lambdas/controllers/Controller.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { Change } from '../../lambdas/ports/ChangeLog.ts';
import type { ObjectStore } from '../../lambdas/ports/ObjectStore.ts';
import type { ControllerName } from '../../lambdas/controllers/controllerRooms.ts';
import type { WorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { KeyToSend, WorkQueue } from '../../lambdas/ports/WorkQueue.ts';

const T = Date.UTC(2026, 0, 1);

function object(name: string, resourceVersion = '1'): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: name, resourceVersion, creationTimestamp: '2026-01-01T00:00:00Z' },
  };
}

const added = (name: string, resource = 'pods'): Change => ({
  type: 'ADDED',
  resource,
  version: 1,
  after: object(name),
});
const modified = (name: string, from: string, to: string): Change => ({
  type: 'MODIFIED',
  resource: 'pods',
  version: 2,
  before: object(name, from),
  after: object(name, to),
});

const key = (controller: ControllerName, name: string): WorkKey => ({ controller, namespace: 'default', name });

function controllerOf(name: ControllerName, watches: readonly string[], keysFor: Controller['keysFor']): Controller {
  return {
    name,
    resources: watches,
    watches,
    keysFor,
    keysToResync: ({ metadata }) => [key(name, metadata.name)],
    sync: () => Promise.reject(new Error('not asked for')),
  };
}

function queueOf(send?: WorkQueue['send']) {
  const sent: KeyToSend[] = [];
  const queue: WorkQueue = {
    send: send ?? (async (keys) => void sent.push(...keys)),
    hide: async () => 'hidden',
    bury: async () => {},
  };
  return { sent, queue };
}

describe('the enqueue function', () => {
  const setUp = (send?: WorkQueue['send']) => {
    const { sent, queue } = queueOf(send);
    const handler = createEnqueueHandler({
      clock: new VirtualClock(T),
      workQueue: queue,
      controllers: [
        controllerOf('replicaset', ['pods'], async (change) => {
          const { name } = (change.after ?? change.before).metadata;
          if (name === 'poison') throw new Error('unreadable');
          return [{ key: key('replicaset', 'web') }, { key: key('replicaset', 'web'), delayMs: name === 'a' ? 9 : 5 }];
        }),
        controllerOf('namespace', ['namespaces'], async () => [{ key: key('namespace', 'default') }]),
      ],
      log: () => {},
    });
    return { sent, handler };
  };

  test('asks only the controllers that watch the resource, and merges the keys of a batch', async () => {
    const { sent, handler } = setUp();
    expect(await handler([added('a'), added('b')])).toEqual([]);
    expect(sent).toEqual([{ key: key('replicaset', 'web') }, { key: key('replicaset', 'web'), delayMs: 5 }]);
  });

  test('skips an update to an unchanged version', async () => {
    const { sent, handler } = setUp();
    await handler([modified('a', '7', '7')]);
    expect(sent).toEqual([]);
    await handler([modified('a', '7', '8')]);
    expect(sent).toHaveLength(2);
  });

  test('returns a change that fails, and still queues the others', async () => {
    const { sent, handler } = setUp();
    const poison = added('poison');
    expect(await handler([poison, added('a')])).toEqual([poison]);
    expect(sent).toHaveLength(2);
  });

  test('a change that breaks a controller costs no other controller its keys, is not handed in again, and is named in the log', async () => {
    const { sent, queue } = queueOf();
    const lines: object[] = [];
    const handler = createEnqueueHandler({
      clock: new VirtualClock(T),
      workQueue: queue,
      controllers: [
        controllerOf('garbagecollector', ['pods'], () => {
          throw new Error('unreadable');
        }),
        controllerOf('replicaset', ['pods'], async () => [{ key: key('replicaset', 'web') }]),
      ],
      log: (line) => lines.push(line),
    });
    const change = added('web-1');
    expect(await handler([change])).toEqual([]);
    expect(sent).toEqual([{ key: key('replicaset', 'web') }]);
    const place = { resource: 'pods', namespace: 'default', name: 'web-1' };
    expect(lines).toEqual([{ level: 'error', msg: 'enqueue', ...place, error: 'Error: unreadable' }]);
  });

  test('returns every change if the queue cannot be reached', async () => {
    const { handler } = setUp(() => Promise.reject(new Error('throttled')));
    const changes = [added('a'), added('b')];
    expect(await handler(changes)).toEqual(changes);
  });
});

describe('the resync function', () => {
  const setUp = () => {
    const { sent, queue } = queueOf();
    const clock = new VirtualClock(T);
    const pods = Array.from({ length: 1_203 }, (_, at) => object(`pod-${String(at).padStart(4, '0')}`));
    const asked: unknown[] = [];
    const parts = {
      ports: {
        clock,
        workClock: clock,
        workQueue: queue,
        objectStore: {
          list: async (resource: string, { limit = 0, after }: { limit?: number; after?: { name: string } } = {}) => {
            const rest = resource === 'pods' ? pods.filter(({ metadata }) => metadata.name > (after?.name ?? '')) : [];
            return { items: rest.slice(0, limit), more: rest.length > limit };
          },
        } as unknown as ObjectStore,
        keyLocks: {
          overdue: async (beforeMs: number) => {
            asked.push(beforeMs);
            return [key('deployment', 'late')];
          },
        } as never,
      },
      controllers: [
        controllerOf('pod', ['pods'], async () => []),
        controllerOf('garbagecollector', ['pods', 'namespaces'], async () => []),
        controllerOf('deployment', ['deployments.apps'], async () => []),
      ],
      log: () => {},
    };
    const resync = createResyncHandler(parts);
    return { sent, asked, resync, parts };
  };

  test('queues every key of every controller, page by page', async () => {
    const { sent, resync } = setUp();
    expect(await resync({ what: 'all' })).toBe(2_406);
    expect(sent.filter(({ key }) => key.controller === 'pod')).toHaveLength(1_203);
    expect(new Set(sent.map(({ key }) => `${key.controller} ${key.name}`)).size).toBe(2_406);
  });

  test('an object that breaks a controller costs no other object its keys, and is named in the log', async () => {
    const { sent, parts } = setUp();
    const lines: object[] = [];
    const [pod] = parts.controllers;
    const breaking = {
      ...(pod as Controller),
      keysToResync: ({ metadata: { name } }: KubernetesObject) => {
        if (name === 'pod-0007') throw new TypeError('unreadable');
        return [key('pod', name)];
      },
    };
    const log = (line: object) => lines.push(line);
    await queueAllKeys({ ...parts, controllers: [breaking], log }, { what: 'all' });
    expect(sent).toHaveLength(1_202);
    const place = { resource: 'pods', namespace: 'default', name: 'pod-0007', controller: 'pod' };
    expect(lines).toEqual([{ level: 'error', msg: 'resync', ...place, error: 'TypeError: unreadable' }]);
  });

  test('goes on where it stopped, and queues each key once', async () => {
    const { sent, parts } = setUp();
    const requests: ResyncAll[] = [{ what: 'all' }];
    for (let request = requests.pop(); request; request = requests.pop()) {
      let pages = 0;
      const { rest } = await queueAllKeys(parts, request, () => (pages += 1) <= 1);
      if (rest) requests.push(rest);
    }
    expect(sent).toHaveLength(2_406);
    expect(new Set(sent.map(({ key }) => `${key.controller} ${key.name}`)).size).toBe(2_406);
  });

  test('spreads the keys over time if it is asked to, also when it goes on where it stopped', async () => {
    const { sent, parts } = setUp();
    const requests: ResyncAll[] = [{ what: 'all', spread: { sent: 0 } }];
    for (let request = requests.pop(); request; request = requests.pop()) {
      let pages = 0;
      const { rest } = await queueAllKeys(parts, request, () => (pages += 1) <= 1);
      if (rest) requests.push(rest);
    }
    expect(new Set(sent.map(({ key }) => `${key.controller} ${key.name}`)).size).toBe(2_406);
    expect(sent.map(({ delayMs }) => delayMs)).toEqual(sent.map((_, at) => Math.floor(at / 25) * 1000));
  });

  test('keeps its progress when a page fails, and throws only without any', async () => {
    const { parts } = setUp();
    const list = parts.ports.objectStore.list.bind(parts.ports.objectStore);
    parts.ports.objectStore.list = async (resource, options) => {
      if (options?.after?.name === 'pod-0499') throw new Error('throttled');
      return await list(resource, options);
    };
    const stopped = await queueAllKeys(parts, { what: 'all' });
    const from = { resource: 'pods', after: { namespace: 'default', name: 'pod-0499' } };
    expect(stopped).toMatchObject({ queued: 1_000, rest: { what: 'all', from }, error: 'Error: throttled' });
    await expect(queueAllKeys(parts, { what: 'all', from })).rejects.toThrow('throttled');
  });

  test('asks only the controllers that changes of the lost resources could concern', async () => {
    const { sent, parts } = setUp();
    await queueAllKeys(parts, { what: 'all', lost: ['deployments.apps'] });
    expect(sent).toEqual([]);
    await queueAllKeys(parts, { what: 'all', lost: ['namespaces'] });
    expect(new Set(sent.map(({ key }) => key.controller))).toEqual(new Set(['garbagecollector']));
  });

  test('queues the keys whose wake-up is late', async () => {
    const { sent, asked, resync } = setUp();
    expect(await resync({ what: 'overdue', graceMs: 5_000 })).toBe(1);
    expect(asked).toEqual([T - 5_000]);
    expect(sent).toEqual([{ key: key('deployment', 'late') }]);
  });
});
