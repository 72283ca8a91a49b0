import { expect, test } from 'vitest';
import { CompletedRestores } from '../../../../lambdas/adapters/aws/objects/CompletedRestores.ts';
import { DynamoDbCalls } from '../../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbObjectStore } from '../../../../lambdas/adapters/aws/objects/DynamoDbObjectStore.ts';
import { KnownNamespaces } from '../../../../lambdas/adapters/aws/objects/KnownNamespaces.ts';
import { surveyObjects } from '../../../../lambdas/adapters/aws/objects/surveyObjects.ts';
import { NAMESPACES_TABLE, OBJECTS_TABLE, VERSIONS_TABLE } from '../../../../lambdas/adapters/aws/tables.ts';
import { SystemClock } from '../../../../lambdas/adapters/clocks/SystemClock.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import { owner, sample, stored } from '../../../contracts/objectStoreSamples.ts';
import { DynamoModel } from '../../../model/DynamoModel.ts';
import { Random } from '../../../simulation/Random.ts';

test('after a restore of the objects alone, orphaned and adopted pods are found by index again', async () => {
  const clock = new SystemClock();
  const dynamoDb = new DynamoModel({ clock, random: new Random(1) });
  dynamoDb.createTable('objects', OBJECTS_TABLE);
  for (const name of ['versions', 'newVersions']) dynamoDb.createTable(name, VERSIONS_TABLE);
  for (const name of ['namespaces', 'newNamespaces']) dynamoDb.createTable(name, NAMESPACES_TABLE);
  const calls = new DynamoDbCalls({ client: dynamoDb.client, clock, ids: new SeededIds(1) });
  const before = new DynamoDbObjectStore({
    calls,
    tables: { objects: 'objects', versions: 'versions', namespaces: 'namespaces' },
  });
  const web = { ...owner('web', true), name: 'web' };
  await stored(before, 'pods', sample('web-1', { ownerReferences: [web] }));
  await stored(before, 'pods', sample('adopted', { ownerReferences: [web] }));
  await stored(before, 'pods', sample('orphan'));

  const tables = { objects: 'objects', versions: 'newVersions', namespaces: 'newNamespaces' };
  expect(await surveyObjects({ calls, tables }, undefined, () => true)).toBeUndefined();
  const after = new DynamoDbObjectStore({ calls, tables });
  const under = async (value: string) => {
    const index = { name: 'controller', value, ownerName: 'web' } as const;
    return (await after.list('pods', { namespace: 'default', index })).items.map(({ metadata }) => metadata.name);
  };
  expect(await under('web')).toEqual(['adopted', 'web-1']);
  expect(await under('')).toEqual(['orphan']);
});

test('a completed restore is remembered by its id, and is no namespace', async () => {
  const clock = new SystemClock();
  const dynamoDb = new DynamoModel({ clock, random: new Random(1) });
  dynamoDb.createTable('namespaces', NAMESPACES_TABLE);
  const calls = new DynamoDbCalls({ client: dynamoDb.client, clock, ids: new SeededIds(1) });
  const restores = new CompletedRestores(calls, 'namespaces');
  expect(await restores.has('a')).toBe(false);
  await restores.add('a');
  expect([await restores.has('a'), await restores.has('b')]).toEqual([true, false]);
  expect(await new KnownNamespaces(calls, { objects: 'objects', namespaces: 'namespaces' }).list('pods')).toEqual([]);
});
