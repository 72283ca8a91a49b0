import { describe, expect, test } from 'vitest';
import { DynamoDbCalls } from '../../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbObjectStore } from '../../../../lambdas/adapters/aws/objects/DynamoDbObjectStore.ts';
import { KnownNamespaces } from '../../../../lambdas/adapters/aws/objects/KnownNamespaces.ts';
import { NAMESPACES_TABLE, OBJECTS_TABLE, VERSIONS_TABLE } from '../../../../lambdas/adapters/aws/tables.ts';
import { VirtualClock } from '../../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import { sample, stored } from '../../../contracts/objectStoreSamples.ts';
import { UNLIMITED } from '../../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../../model/DynamoModel.ts';
import { Random } from '../../../simulation/Random.ts';

const TABLES = { objects: 'objects', versions: 'versions', namespaces: 'namespaces' };
const RESOURCES = Array.from({ length: 40 }, (_, at) => `kinds${at}`);

/** Tables, and stores of several processes over them. */
function open() {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const model = new DynamoModel({ clock, random: new Random(1), physics: UNLIMITED });
  model.createTable('objects', OBJECTS_TABLE);
  model.createTable('versions', VERSIONS_TABLE);
  for (const name of ['namespaces', 'newer']) model.createTable(name, NAMESPACES_TABLE);
  const calls = new DynamoDbCalls({ client: model.client, clock, ids: new SeededIds(1) });
  const process = (tables = TABLES) => new DynamoDbObjectStore({ calls, tables });
  const survey = (tables = TABLES) => new KnownNamespaces(calls, tables).surveyUse(RESOURCES);
  const readUnits = async (act: () => Promise<unknown>) => {
    model.usage.reset();
    await act();
    return model.usage.rows.reduce((sum, row) => sum + row.readUnits, 0);
  };
  const listAll = (store: DynamoDbObjectStore) => Promise.all(RESOURCES.map((one) => store.list(one, IN_NAMESPACE)));
  const namesIn = async (store: DynamoDbObjectStore, resource: string) =>
    (await store.list(resource, IN_NAMESPACE)).items.map(({ metadata }) => metadata.name);
  return { clock, process, survey, readUnits, listAll, namesIn };
}

const IN_NAMESPACE = { namespace: sample('x').metadata.namespace ?? '' };

describe('resources without any object', () => {
  test('cost one read together when their objects are listed', async () => {
    const { process, survey, readUnits, listAll } = open();
    await stored(process(), 'kinds3', sample('a'));
    const before = await readUnits(() => listAll(process()));
    await survey();
    const after = await readUnits(() => listAll(process()));
    expect(before).toBeGreaterThanOrEqual(40);
    // The note of what is in use, and the objects of the one resource that is.
    expect(after).toBeLessThanOrEqual(3);
  });

  test('show their first object at once, also to a process that found none a moment ago', async () => {
    const { process, survey, namesIn } = open();
    await survey();
    const reader = process();
    expect(await namesIn(reader, 'kinds5')).toEqual([]);
    await stored(process(), 'kinds5', sample('a'));
    expect(await namesIn(reader, 'kinds5')).toEqual(['a']);
  });

  test('keep what is written while a survey looks', async () => {
    const { process, survey, namesIn } = open();
    await Promise.all([survey(), stored(process(), 'kinds5', sample('a'))]);
    expect(await namesIn(process(), 'kinds5')).toEqual(['a']);
  });
});

describe('a resource counts as used', () => {
  test('that no survey has looked at, such as a custom one', async () => {
    const { process, survey, namesIn } = open();
    const store = process();
    await stored(store, 'shirts.example.com', sample('a'));
    await survey();
    expect(await namesIn(process(), 'shirts.example.com')).toEqual(['a']);
  });

  test('whose objects an older release has written, from the next survey on, and before the first', async () => {
    const { process, survey, namesIn } = open();
    await stored(process(), 'kinds7', sample('a'));
    expect(await namesIn(process(), 'kinds7')).toEqual(['a']);
    await survey();
    expect(await namesIn(process(), 'kinds7')).toEqual(['a']);
  });

  test('after one of the tables was restored, until the next survey', async () => {
    const { process, survey, namesIn } = open();
    await survey({ ...TABLES, objects: 'a table before the restore' });
    // Nothing in the restored table of namespaces tells of this object.
    await stored(process({ ...TABLES, namespaces: 'newer' }), 'kinds9', sample('a'));
    expect(await namesIn(process(), 'kinds9')).toEqual(['a']);
  });
});
