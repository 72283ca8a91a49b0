import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import {
  createResyncEventHandler,
  type ResyncEventDependencies,
} from '../../../lambdas/functions/resync/createResyncEventHandler.ts';
import type { ObjectKey } from '../../../lambdas/objects/ObjectKey.ts';
import type { VersionsByResource } from '../../../lambdas/ports/ChangeLog.ts';
import { objectVersions } from '../../support/objectVersions.ts';
import type { Registry } from '../../../lambdas/registry/Registry.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import type { ResourceEntry } from '../../../lambdas/registry/ResourceEntry.ts';
import { endpoints } from '../../../lambdas/registry/resources/endpoints.ts';
import { flowSchemas } from '../../../lambdas/registry/resources/flowSchemas.ts';
import { priorityLevelConfigurations } from '../../../lambdas/registry/resources/priorityLevelConfigurations.ts';
import { clusterRoles } from '../../../lambdas/registry/resources/rbac.ts';
import { services } from '../../../lambdas/registry/resources/services.ts';

/** What the stream has of batches, by their first sequence numbers. */
const BATCHES: Readonly<Record<string, VersionsByResource>> = {
  pods: { pods: objectVersions(5) },
  both: { pods: objectVersions(6, 8), secrets: objectVersions(7) },
  none: {},
};

describe('a trigger of resync', () => {
  function handling(entries: readonly ResourceEntry[] = [], change: Partial<ResyncEventDependencies> = {}) {
    const asked: unknown[] = [];
    const sent: unknown[] = [];
    const anew: unknown[] = [];
    const events: string[] = [];
    const clock = new VirtualClock(0);
    const stored = new Map<string, object>();
    const registry = {
      get: async ({ resource }: ObjectKey) => stored.get(resource),
      create: async (resource: string, object: object) => {
        stored.set(resource, object);
        return { status: 'stored', object: events.push(`create ${resource}`) };
      },
    } as unknown as Registry;
    const handler = createResyncEventHandler({
      registry,
      catalog: createResourceCatalog(entries),
      clock,
      nodeCount: 0,
      hasControllerRoles: false,
      hasSmokeTest: false,
      limitsRequests: false,
      resync: async (request) => asked.push(request),
      queueAll: async (request) => ({ queued: asked.push(request) }),
      startNewEpochs: async (changes = { 'every log': [] }) => {
        for (const [resource, versions] of Object.entries(changes))
          anew.push([resource, ...versions.map(({ version }) => version)].join(' '));
        return {};
      },
      beat: async () => void events.push('heartbeat'),
      readBatch: async ({ first }) => BATCHES[first] ?? 'any',
      survey: async () => undefined,
      completedRestores: {
        has: async (id) => events.includes(`restored ${id}`),
        add: async (id) => void events.push(`restored ${id}`),
      },
      restoreId: undefined,
      surveyUse: async () => void events.push('survey of use'),
      settleLogs: async () => void events.push('logs settle'),
      send: async (request) => void sent.push(request),
      log: () => {},
      ...change,
    });
    return { handler, asked, sent, anew, events, clock };
  }
  const noticeOf = (startSequenceNumber: string) => ({
    body: JSON.stringify({
      DDBStreamBatchInfo: { streamArn: 'arn', shardId: 's', startSequenceNumber, endSequenceNumber: '9' },
    }),
  });
  const given = JSON.stringify({ DDBStreamBatchInfo: { shardId: 's' } });
  const all = JSON.stringify({ what: 'all', because: 'somebody wants it' });
  const pods = JSON.stringify({ what: 'all', lost: ['pods'], because: 'the log of pods begins anew' });
  const secrets = JSON.stringify({ what: 'all', lost: ['secrets'] });
  const from = { resource: 'pods', after: { namespace: 'a', name: 'b' } };
  const gentle = JSON.stringify({ what: 'all', spread: { sent: 0 } });
  const gentleRest = JSON.stringify({ what: 'all', from, spread: { sent: 500 } });
  const later = JSON.stringify({ what: 'all', from });

  it.each([
    { event: { what: 'overdue', graceMs: 5_000 }, asked: [{ what: 'overdue', graceMs: 5_000 }] },
    { event: { what: 'all' }, asked: [{ what: 'all' }] },
    { event: { Records: [{ body: all }] }, asked: [{ what: 'all' }] },
    { event: { Records: [{ body: pods }, { body: secrets }] }, asked: [{ what: 'all', lost: ['pods', 'secrets'] }] },
    { event: { Records: [{ body: later }] }, asked: [{ what: 'all', from }] },
    { event: { Records: [{ body: pods }, { body: all }, { body: later }] }, asked: [{ what: 'all' }] },
    { event: { Records: [{ body: gentle }] }, asked: [{ what: 'all', spread: { sent: 0 } }] },
    { event: { Records: [{ body: gentle }, { body: all }] }, asked: [{ what: 'all' }] },
    { event: { Records: [{ body: gentleRest }] }, asked: [{ what: 'all', from, spread: { sent: 500 } }] },
    { event: { Records: [{ body: gentle }, { body: gentleRest }] }, asked: [{ what: 'all', spread: { sent: 0 } }] },
    {
      event: { Records: [{ body: gentle }, { body: pods }, { body: later }] },
      asked: [
        { what: 'all', lost: ['pods'] },
        { what: 'all', from },
        { what: 'all', spread: { sent: 0 } },
      ],
    },
    { event: { what: 'all', spread: { sent: -1 } }, asked: [{ what: 'all' }] },
    { event: { Records: [{ body: given }, { body: given }] }, anew: ['every log'], sent: [{ what: 'all' }] },
    { event: { Records: [{ body: 'who knows' }] }, anew: ['every log'], sent: [{ what: 'all' }] },
    {
      event: { Records: [{ body: JSON.stringify({ what: 'givenUp', changes: { pods: objectVersions(5) } }) }] },
      anew: ['pods 5'],
      sent: [{ what: 'all', lost: ['pods'] }],
    },
    { event: { what: 'restored' }, anew: ['every log'], sent: [{ what: 'all' }] },
    {
      event: { Records: [{ body: '{"what":"givenUp","changes":{"pods":[5]}}' }] },
      anew: ['every log'],
      sent: [{ what: 'all' }],
    },
    { event: { Records: [noticeOf('pods')] }, anew: ['pods 5'], sent: [{ what: 'all', lost: ['pods'] }] },
    {
      event: { Records: [noticeOf('pods'), noticeOf('both')] },
      anew: ['pods 5 6 8', 'secrets 7'],
      sent: [{ what: 'all', lost: ['pods', 'secrets'] }],
    },
    { event: { Records: [noticeOf('pods'), noticeOf('old')] }, anew: ['every log'], sent: [{ what: 'all' }] },
    { event: { Records: [noticeOf('none')] } },
  ])('$event', async ({ event, asked = [], anew = [], sent = [] }) => {
    const handled = handling();
    expect(await handled.handler(event)).toEqual({ batchItemFailures: [] });
    expect(handled).toMatchObject({ asked, anew, sent });
  });

  it('that does not fit into one run goes on by a message where it stopped, whether time or an error stopped it', async () => {
    const rest = { what: 'all', from } as const;
    for (const error of [undefined, 'throttled']) {
      const handled = handling([], {
        queueAll: async () => ({ queued: 5, rest, ...(error !== undefined && { error }) }),
      });
      await handled.handler({ what: 'all' });
      expect(handled.sent).toEqual([rest]);
    }
  });

  it('that names a batch which cannot be read now loses no time, and begins every log anew', async () => {
    const handled = handling([], { readBatch: () => Promise.reject(new Error('throttled')) });
    await handled.handler({ Records: [noticeOf('pods')] });
    expect(handled).toMatchObject({ anew: ['every log'], sent: [{ what: 'all' }] });
  });

  it('that names logs of which one cannot be written begins the others anew, once', async () => {
    const handled = handling([], { startNewEpochs: async () => ({ secrets: objectVersions(7) }) });
    await handled.handler({ Records: [{ body: given }] });
    expect(handled.sent).toEqual([{ what: 'givenUp', changes: { secrets: objectVersions(7) } }, { what: 'all' }]);
  });

  it('after a restore fits the tables in several runs before the logs begin anew', async () => {
    const handled = handling([], { survey: async (place) => (place === undefined ? 'half' : undefined) });
    await handled.handler({ what: 'restored' });
    expect(handled).toMatchObject({ anew: [], sent: [{ what: 'restored', from: 'half' }] });
    await handled.handler({ Records: [{ body: JSON.stringify(handled.sent[0]) }] });
    expect(handled.anew).toEqual(['every log']);
  });

  it('fits the tables once for one restore, however often the stack is deployed', async () => {
    const surveys: unknown[] = [];
    const handled = handling([], {
      survey: async (place) => (surveys.push(place) === 1 ? 'half' : undefined),
    });
    const deployed = async (id: string) => await handled.handler({ what: 'restored', id });
    await deployed('a');
    expect(handled.sent).toEqual([{ what: 'restored', id: 'a', from: 'half' }]);
    await handled.handler({ Records: [{ body: JSON.stringify(handled.sent[0]) }] });
    expect(handled).toMatchObject({ anew: ['every log'], asked: [] });
    expect(handled.sent.at(-1)).toEqual({ what: 'all' });
    await deployed('a');
    expect(surveys).toEqual([undefined, 'half']);
    expect(handled).toMatchObject({ anew: ['every log'], asked: [{ what: 'all' }] });
    await deployed('b');
    expect(surveys).toHaveLength(3);
    expect(handled.anew).toEqual(['every log', 'every log']);
  });

  it('surveys which kinds are used only when restored tables fit each other, since a lost table of namespaces names none', async () => {
    const handled = handling([], {
      restoreId: 'a',
      survey: async (place) => (place === undefined ? 'half' : undefined),
    });
    const { handler, events, sent } = handled;
    const daily = async () => {
      await handler({ what: 'all' });
      return events.filter((one) => one === 'survey of use').length;
    };
    expect(await daily()).toBe(0);
    await handler({ what: 'restored', id: 'a' });
    expect(await daily()).toBe(0);
    await handler({ Records: [{ body: JSON.stringify(sent[0]) }] });
    await handler({ Records: [{ body: JSON.stringify(sent.at(-1)) }] });
    expect(events.filter((one) => one === 'survey of use')).toHaveLength(1);
    expect(await daily()).toBe(2);
  });

  it('that ends a restore is the run over all keys when it comes again because that could not be asked for', async () => {
    const handled = handling([], { restoreId: 'a', send: () => Promise.reject(new Error('throttled')) });
    await expect(handled.handler({ what: 'restored', id: 'a' })).rejects.toThrow('throttled');
    await handled.handler({ what: 'restored', id: 'a' });
    expect(handled).toMatchObject({ asked: [{ what: 'all' }], anew: ['every log'] });
    expect(handled.events).toContain('survey of use');
  });

  it('leaves to the next run what it has no time for', async () => {
    const handled = handling([], {
      queueAll: async () => {
        handled.clock.advanceBy(3 * 60_000);
        return { queued: 1 };
      },
    });
    await handled.handler({ Records: [{ body: pods }, { body: later }] });
    expect(handled.sent).toEqual([{ what: 'all', from }]);
  });

  it.each([{ what: 'overdue', graceMs: 5_000 }, { what: 'all' }])(
    'creates the Service of the API server where it is missing: %j',
    async (event) => {
      const { handler, events } = handling([services, endpoints]);
      const created = ['create services', 'create endpoints'];
      const creations = () => events.filter((one) => one.startsWith('create'));
      await handler(event);
      expect(creations()).toEqual(created);
      await handler(event);
      expect(creations()).toEqual(created);
    },
  );

  it('gives the other triggers something to do, and does nothing else then', async () => {
    const { handler, events, asked, sent, anew } = handling();
    await handler({ what: 'heartbeat' });
    expect([events, asked, sent, anew]).toEqual([['heartbeat'], [], [], []]);
  });

  it.each(['heartbeat', 'all'])(
    'begins every log anew and queues every key when no heartbeat came for a day: %s',
    async (what) => {
      const beat = async (onSilence: () => Promise<void>) => await onSilence();
      const { handler, sent, anew } = handling([], { beat });
      await handler({ what });
      expect([anew, sent]).toEqual([['every log'], [{ what: 'all' }]]);
    },
  );

  it('writes the first heartbeat of a new stack, from which a silence is measured, and goes on later without another', async () => {
    const { handler, events } = handling();
    await handler({ what: 'all' });
    await handler({ Records: [{ body: later }] });
    expect(events.filter((one) => one === 'heartbeat')).toHaveLength(1);
  });

  it('moves the heads of the logs daily, and not every minute', async () => {
    const { handler, events } = handling();
    await handler({ what: 'overdue', graceMs: 5_000 });
    expect(events).not.toContain('logs settle');
    await handler({ what: 'all' });
    expect(events).toContain('logs settle');
  });

  it.each([undefined, null, 'all', {}, { what: 'overdue' }, { what: 'overdue', graceMs: '5' }, { what: 'some' }])(
    'is refused if it is not a known event: %j',
    async (event) => {
      await expect(handling().handler(event)).rejects.toThrow('resync does not know this event');
    },
  );

  it.each([
    [false, 0],
    [true, 14],
  ])('makes the flow schemas of every cluster if requests are limited: %s', async (limitsRequests, count) => {
    const created: string[] = [];
    const registry = {
      list: async () => ({ items: [] }),
      create: async (resource: string) => ({ status: 'stored', object: created.push(resource) }),
    } as unknown as Registry;
    const change = { registry, limitsRequests };
    await handling([flowSchemas, priorityLevelConfigurations], change).handler({ what: 'all' });
    expect(created.filter((resource) => resource === flowSchemas.groupResource)).toHaveLength(count);
  });

  it.each([
    [false, 0],
    [true, 37],
  ])(
    'with the roles of Kubernetes controllers, if another process may run them: %s',
    async (hasControllerRoles, more) => {
      const roles = async (has: boolean) => {
        const created: string[] = [];
        const registry = {
          get: async () => undefined,
          create: async (resource: string) => ({ status: 'stored', object: created.push(resource) }),
        } as unknown as Registry;
        await handling([clusterRoles], { registry, hasControllerRoles: has }).handler({ what: 'all' });
        return created.filter((resource) => resource === clusterRoles.groupResource).length;
      };
      expect(await roles(hasControllerRoles)).toBe((await roles(false)) + more);
    },
  );
});
