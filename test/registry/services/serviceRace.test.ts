import { describe, expect, test } from 'vitest';
import { MemoryJournal } from '../../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { DynamoDbObjectStore } from '../../../lambdas/adapters/aws/objects/DynamoDbObjectStore.ts';
import { NAMESPACES_TABLE, OBJECTS_TABLE, VERSIONS_TABLE } from '../../../lambdas/adapters/aws/tables.ts';
import { DynamoDbCalls } from '../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import type { ObjectStore } from '../../../lambdas/ports/ObjectStore.ts';
import { UNLIMITED } from '../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../model/DynamoModel.ts';
import { ModelHost } from '../../model/ModelHost.ts';
import { Random } from '../../simulation/Random.ts';
import { Scheduler } from '../../simulation/Scheduler.ts';
import { RACE_MUTATIONS, type RaceMutation, raceServices } from './ServiceRace.ts';

const SEEDS = 100;
const START_MS = Date.UTC(2026, 0, 1);

type Open = (scheduler: Scheduler, random: Random) => Promise<ObjectStore>;

const openEmbedded: Open = async (scheduler) =>
  openEmbeddedStore({ journal: new MemoryJournal(), clock: scheduler }).objectStore;

const openCloud: Open = async (scheduler, random) => {
  const model = new DynamoModel({ clock: scheduler, random: random.fork(), physics: UNLIMITED });
  const host = new ModelHost(model, random.fork());
  const [objects, versions, namespaces] = await Promise.all(
    [OBJECTS_TABLE, VERSIONS_TABLE, NAMESPACES_TABLE].map((table) => host.createTable(table)),
  );
  if (!objects || !versions || !namespaces) throw new Error('a table is missing');
  const tables = { objects: objects.tableName, versions: versions.tableName, namespaces: namespaces.tableName };
  const calls = new DynamoDbCalls({ client: host.client, clock: scheduler, ids: new SeededIds(1) });
  return new DynamoDbObjectStore({ calls, tables });
};

async function race(open: Open, seed: number, mutation?: RaceMutation): Promise<string[]> {
  const random = new Random(seed);
  const scheduler = new Scheduler(START_MS, random.fork());
  return raceServices(await open(scheduler, random), scheduler, seed, mutation);
}

describe.each<[string, Open]>([
  ['in memory', openEmbedded],
  ['on the model of DynamoDB', openCloud],
])('%s', (_, open) => {
  test('no two Services ever hold the same address or node port, and no claim is left over', async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1)
      expect({ seed, found: await race(open, seed) }).toEqual({ seed, found: [] });
  });

  test.each(RACE_MUTATIONS)('the race finds $name: $what', async (mutation) => {
    const isFound = async (seed: number) => (await race(open, seed, mutation)).some((one) => mutation.finds.test(one));
    let seed = 1;
    while (seed < SEEDS && !(await isFound(seed))) seed += 1;
    expect(seed).toBeLessThan(SEEDS);
  });
});
