import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { decodeStreamRecord, type StreamRecord } from '../../../../lambdas/adapters/aws/log/decodeStreamRecord.ts';
import { DynamoDbCalls } from '../../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbObjectStore } from '../../../../lambdas/adapters/aws/objects/DynamoDbObjectStore.ts';
import { NAMESPACES_TABLE, OBJECTS_TABLE, VERSIONS_TABLE } from '../../../../lambdas/adapters/aws/tables.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import type { KubernetesObject } from '../../../../lambdas/objects/KubernetesObject.ts';
import { EVENT_LIFETIME_MS } from '../../../../lambdas/ports/ObjectStore.ts';
import { DynamoModel } from '../../../model/DynamoModel.ts';
import { Random } from '../../../simulation/Random.ts';
import { Scheduler } from '../../../simulation/Scheduler.ts';

const KEY = { resource: 'events', namespace: 'a', name: 'web.1' };
const MINUTE_MS = 60_000;

function event(uid: string) {
  return { apiVersion: 'v1', kind: 'Event', metadata: { namespace: 'a', name: 'web.1', uid }, reason: uid };
}

/** A store on a table whose time to live deletes items `lateMs` after their end. */
class Bench {
  readonly scheduler = new Scheduler(Date.parse('2026-01-01T00:00:00Z'), new Random(1));
  readonly model: DynamoModel;
  readonly store: DynamoDbObjectStore;

  constructor(lateMs: number) {
    const physics = { timeToLiveLagMs: [lateMs, lateMs] as const };
    this.model = new DynamoModel({ clock: this.scheduler, random: new Random(2), physics });
    for (const [name, table] of Object.entries({
      objects: OBJECTS_TABLE,
      versions: VERSIONS_TABLE,
      namespaces: NAMESPACES_TABLE,
    }))
      this.model.createTable(name, table);
    const send = async (command: object) => this.model.execute(command);
    const client = { send } as unknown as DynamoDBClient;
    const calls = new DynamoDbCalls({ client, clock: this.scheduler, ids: new SeededIds(1) });
    const tables = { objects: 'objects', versions: 'versions', namespaces: 'namespaces' };
    this.store = new DynamoDbObjectStore({ calls, tables });
  }

  async after<T>(delayMs: number, act: () => Promise<T>): Promise<T> {
    const outcome = this.scheduler.wait(delayMs).then(act);
    const state = { isOver: false };
    void outcome.finally(() => {
      state.isOver = true;
    });
    while (!state.isOver) await this.scheduler.step(Number.POSITIVE_INFINITY);
    return await outcome;
  }

  /** What the stream tells of the event, as the log gets it: type and version. */
  changes(): readonly string[] {
    const records = this.model.stream('objects').shards.flatMap((shard) => shard.read(undefined, 100, Infinity));
    const decoded = records.map((record) => decodeStreamRecord(record as StreamRecord));
    return decoded.flatMap((one) => (one.status === 'change' ? [`${one.change.type} ${one.change.version}`] : []));
  }
}

it('an event is absent an hour after its last write, although its item is still there', async () => {
  const bench = new Bench(10 * MINUTE_MS);
  const created = await bench.after(0, async () => await bench.store.create('events', event('u1')));
  const object = created.status === 'stored' ? created.object : undefined;
  const updated = await bench.after(30 * MINUTE_MS, async () => await bench.store.replace('events', object as never));
  expect(updated.status).toBe('stored');
  const get = async () => await bench.store.get(KEY);
  expect(await bench.after(59 * MINUTE_MS, get)).toBeDefined();
  expect(await bench.after(MINUTE_MS, get)).toBeUndefined();
  const listed = await bench.after(0, async () => await bench.store.list('events', { namespace: 'a' }));
  const late = updated.status === 'stored' ? (updated.object as KubernetesObject) : undefined;
  const version = Number(late?.metadata.resourceVersion);
  const removed = [{ namespace: 'a', name: 'web.1', version, endVersion: version + 1 }];
  expect(listed).toEqual({ items: [], more: false, removed });
  const replaced = await bench.after(0, async () => await bench.store.replace('events', late as never));
  expect(replaced.status).toBe('absent');
  expect((await bench.after(0, async () => await bench.store.remove(KEY))).status).toBe('absent');
  expect(bench.model.table('objects').itemCount).toBe(1);
});

it('the deletion by the time to live is logged with the version after that of the last write', async () => {
  const bench = new Bench(10 * MINUTE_MS);
  const created = await bench.after(0, async () => await bench.store.create('events', event('u1')));
  const version = created.status === 'stored' ? Number(created.object.metadata.resourceVersion) : 0;
  await bench.after(EVENT_LIFETIME_MS + 11 * MINUTE_MS, async () => await bench.store.get(KEY));
  expect(bench.model.table('objects').itemCount).toBe(0);
  expect(bench.changes()).toEqual([`ADDED ${version}`, `DELETED ${version + 1}`]);
  const next = await bench.after(0, async () => await bench.store.create('events', event('u2')));
  expect(next.status === 'stored' && Number(next.object.metadata.resourceVersion)).toBe(version + 2);
});

it('a create under the name of an expired event buries that one first', async () => {
  const bench = new Bench(10 * MINUTE_MS);
  await bench.after(0, async () => await bench.store.create('events', event('u1')));
  const again = await bench.after(EVENT_LIFETIME_MS, async () => await bench.store.create('events', event('u2')));
  expect(again.status).toBe('stored');
  expect(await bench.after(0, async () => await bench.store.get(KEY))).toMatchObject({ reason: 'u2' });
  expect(bench.changes().map((change) => change.split(' ')[0])).toEqual(['ADDED', 'DELETED', 'ADDED']);
  await bench.after(30 * MINUTE_MS, async () => await bench.store.get(KEY));
  expect(bench.model.table('objects').itemCount).toBe(1);
});

it('an object of another resource does not end by itself', async () => {
  const bench = new Bench(10 * MINUTE_MS);
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'a', name: 'm', uid: 'u' } };
  await bench.after(0, async () => await bench.store.create('configmaps', map));
  const key = { resource: 'configmaps', namespace: 'a', name: 'm' };
  expect(await bench.after(48 * EVENT_LIFETIME_MS, async () => await bench.store.get(key))).toBeDefined();
});
