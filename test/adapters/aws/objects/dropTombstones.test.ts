import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { DynamoDbCalls } from '../../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbObjectStore } from '../../../../lambdas/adapters/aws/objects/DynamoDbObjectStore.ts';
import { NAMESPACES_TABLE, OBJECTS_TABLE, VERSIONS_TABLE } from '../../../../lambdas/adapters/aws/tables.ts';
import { VirtualClock } from '../../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import { LATEST_WRITE_MS, StoreTimeoutError } from '../../../../lambdas/ports/ObjectStore.ts';
import { UNLIMITED } from '../../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../../model/DynamoModel.ts';
import { Random } from '../../../simulation/Random.ts';

const NAMESPACE = 'churn';

function pod(name: string, uid = `uid-of-${name}`) {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: NAMESPACE, name, uid }, spec: { containers: [] } };
}

/** A namespace with some pods, in which many others were removed. */
class Churned {
  readonly clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
  readonly model = new DynamoModel({ clock: this.clock, random: new Random(1), physics: UNLIMITED });
  readonly store: DynamoDbObjectStore;
  /** Called with the table of each request. */
  onRequest: (tableName: string) => void = () => {};

  constructor() {
    const tables = { objects: 'objects', versions: 'versions', namespaces: 'namespaces' };
    for (const [name, table] of [
      ['objects', OBJECTS_TABLE],
      ['versions', VERSIONS_TABLE],
      ['namespaces', NAMESPACES_TABLE],
    ] as const)
      this.model.createTable(name, table);
    const send = async (command: { readonly input: { readonly TableName: string } }) => {
      this.onRequest(command.input.TableName);
      return this.model.execute(command);
    };
    const client = { send } as unknown as DynamoDBClient;
    this.store = new DynamoDbObjectStore({
      calls: new DynamoDbCalls({ client, clock: this.clock, ids: new SeededIds(1) }),
      tables,
    });
  }

  /** Pods that are written at the same instant share their draws of versions. */
  async comeAndGo(count: number): Promise<void> {
    const names = Array.from({ length: count }, (_, at) => `gone-${at}`);
    this.clock.advanceBy(1_000);
    await Promise.all(names.map((name) => this.store.create('pods', pod(name))));
    this.clock.advanceBy(1_000);
    await Promise.all(names.map((name) => this.store.remove({ resource: 'pods', namespace: NAMESPACE, name })));
  }

  /** Draws of versions wait for some milliseconds after the one before. */
  async create(name: string, uid?: string) {
    this.clock.advanceBy(1_000);
    return await this.store.create('pods', pod(name, uid));
  }

  async list() {
    this.model.usage.reset();
    const listed = await this.store.list('pods', { namespace: NAMESPACE });
    const units = this.model.usage.rows.reduce((sum, { readUnits }) => sum + readUnits, 0);
    return { ...listed, names: listed.items.map(({ metadata }) => metadata.name), units };
  }

  get itemCount(): number {
    return this.model.table('objects').itemCount;
  }
}

describe('tombstones that a list meets', () => {
  it('are dropped when they are an hour old, and then cost the next list nothing', async () => {
    const churned = new Churned();
    await churned.create('standing');
    await churned.comeAndGo(800);
    expect((await churned.list()).dropTombstones).toBeUndefined();
    churned.clock.advanceBy(LATEST_WRITE_MS);
    const before = await churned.list();
    expect(before.removed).toHaveLength(800);
    await before.dropTombstones?.();
    const after = await churned.list();
    expect(after.names).toEqual(['standing']);
    expect(after.removed).toBeUndefined();
    expect(after.units).toBeLessThan(before.units);
    expect(churned.itemCount).toBe(1);
  });

  it('stay if they are few, since they would cost more to delete than to read', async () => {
    const churned = new Churned();
    await churned.comeAndGo(499);
    churned.clock.advanceBy(LATEST_WRITE_MS);
    expect((await churned.list()).dropTombstones).toBeUndefined();
  });

  it('stay if their names were taken again, or a UID was burned there, since the list', async () => {
    const churned = new Churned();
    await churned.comeAndGo(520);
    churned.clock.advanceBy(LATEST_WRITE_MS);
    const { dropTombstones } = await churned.list();
    await churned.create('gone-1', 'another');
    await churned.store.burn({ resource: 'pods', namespace: NAMESPACE, name: 'gone-2' }, 'burned');
    await dropTombstones?.();
    expect((await churned.list()).names).toEqual(['gone-1']);
    expect(churned.itemCount).toBe(2);
    expect(await churned.create('gone-2', 'burned')).toEqual({ status: 'exists' });
    expect(await churned.create('gone-3', 'new')).toMatchObject({ status: 'stored' });
  });

  it('stay if the table is too slow, so that a list does not wait for them', async () => {
    const churned = new Churned();
    await churned.comeAndGo(520);
    churned.clock.advanceBy(LATEST_WRITE_MS);
    const { dropTombstones } = await churned.list();
    let requests = 0;
    churned.onRequest = () => {
      requests += 1;
      churned.clock.advanceBy(100);
    };
    await dropTombstones?.();
    expect(requests).toBeLessThan(100);
    expect(churned.itemCount).toBeGreaterThan(400);
  });

  it('no event of a live object is taken for a tombstone', async () => {
    const churned = new Churned();
    for (let at = 0; at < 520; at += 1) {
      churned.clock.advanceBy(1_000);
      await churned.store.create('events', { ...pod(`web.${at}`), kind: 'Event' });
    }
    churned.clock.advanceBy(LATEST_WRITE_MS);
    expect((await churned.store.list('events', { namespace: NAMESPACE })).dropTombstones).toBeUndefined();
  });
});

it('a create that was frozen for a day in its process is not sent, although its steady clock stood still', async () => {
  const churned = new Churned();
  const tables: string[] = [];
  churned.onRequest = (table) => {
    tables.push(table);
    if (table === 'versions') churned.clock.step(24 * LATEST_WRITE_MS);
  };
  await expect(churned.create('late')).rejects.toThrow(StoreTimeoutError);
  expect(tables).not.toContain('objects');
});
