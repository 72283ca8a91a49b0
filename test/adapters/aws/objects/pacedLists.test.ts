import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { DynamoDbCalls } from '../../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbObjectStore } from '../../../../lambdas/adapters/aws/objects/DynamoDbObjectStore.ts';
import { NAMESPACES_TABLE, OBJECTS_TABLE, VERSIONS_TABLE } from '../../../../lambdas/adapters/aws/tables.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import { letPass } from '../../../bench/letPass.ts';
import { UNLIMITED } from '../../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../../model/DynamoModel.ts';
import { Random } from '../../../simulation/Random.ts';
import { Scheduler } from '../../../simulation/Scheduler.ts';

const tables = { objects: 'objects', versions: 'versions', namespaces: 'namespaces' };

const KIB = 1024;

/** ConfigMaps of 300 KiB each in one namespace, which are one range, and the time that a list of them takes. */
class Crowded {
  readonly #random = new Random(1);
  readonly #scheduler = new Scheduler(0, new Random(2));
  readonly #model = new DynamoModel({ clock: this.#scheduler, random: new Random(3), physics: UNLIMITED });
  readonly #store: DynamoDbObjectStore;

  constructor() {
    this.#model.createTable('objects', OBJECTS_TABLE);
    this.#model.createTable('versions', VERSIONS_TABLE);
    this.#model.createTable('namespaces', NAMESPACES_TABLE);
    const client = { send: async (command: never) => this.#model.execute(command) } as unknown as DynamoDBClient;
    const calls = new DynamoDbCalls({ client, clock: this.#scheduler, ids: new SeededIds(1) });
    this.#store = new DynamoDbObjectStore({ calls, tables });
  }

  async create(names: readonly string[]): Promise<void> {
    await letPass(this.#scheduler, async () => {
      for (const name of names) {
        const metadata = { namespace: 'default', name, uid: `uid-of-${name}` };
        const data = { noise: this.#noise(300 * KIB) };
        await this.#store.create('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
      }
    });
  }

  async list(limit?: number): Promise<{ readonly count: number; readonly ms: number }> {
    const beganMs = this.#scheduler.steadyMs();
    let count = 0;
    await letPass(this.#scheduler, async () => {
      count = (await this.#store.list('configmaps', { namespace: 'default', ...(limit && { limit }) })).items.length;
    });
    return { count, ms: this.#scheduler.steadyMs() - beganMs };
  }

  /** Text that compression makes a fifth shorter. */
  #noise(length: number): string {
    return Array.from({ length }, () => String.fromCharCode(33 + this.#random.integer(0, 92))).join('');
  }
}

test('a list waits between pages of one megabyte, so that it takes about a third of what its partition bears', async () => {
  const crowded = new Crowded();
  await crowded.create(['a', 'b', 'c']);
  expect(await crowded.list()).toEqual({ count: 3, ms: 0 });
  await crowded.create('defghijk'.split(''));
  // Eleven are three pages, of four at most.
  expect(await crowded.list()).toEqual({ count: 11, ms: 2 * 256 });
  expect(await crowded.list(5)).toEqual({ count: 5, ms: 0 });
});
