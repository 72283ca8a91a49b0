import { beforeEach, expect, test } from 'vitest';
import { DynamoDbCalls } from '../../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbObjectStore } from '../../../../lambdas/adapters/aws/objects/DynamoDbObjectStore.ts';
import { NAMESPACES_TABLE, OBJECTS_TABLE, VERSIONS_TABLE } from '../../../../lambdas/adapters/aws/tables.ts';
import { SystemClock } from '../../../../lambdas/adapters/clocks/SystemClock.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import type { TracedChange } from '../../../../lambdas/ports/ChangeLog.ts';
import { sample } from '../../../contracts/objectStoreSamples.ts';
import { UNLIMITED } from '../../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../../model/DynamoModel.ts';
import { Random } from '../../../simulation/Random.ts';

const MAPS = 'configmaps';
const KEY = { resource: MAPS, namespace: 'default', name: 'a' };

let store: DynamoDbObjectStore;
let told: (() => TracedChange)[];

beforeEach(() => {
  const clock = new SystemClock();
  const model = new DynamoModel({ clock, random: new Random(1), physics: UNLIMITED });
  model.createTable('objects', OBJECTS_TABLE);
  model.createTable('versions', VERSIONS_TABLE);
  model.createTable('namespaces', NAMESPACES_TABLE);
  const calls = new DynamoDbCalls({ client: model.client, clock, ids: new SeededIds(1) });
  const tables = { objects: 'objects', versions: 'versions', namespaces: 'namespaces' };
  told = [];
  store = new DynamoDbObjectStore({ calls, tables, onChange: (_, change) => told.push(change) });
});

function object(uid: string, text = '') {
  const made = sample('a', { text });
  return { ...made, metadata: { ...made.metadata, uid } };
}

async function create(uid: string): Promise<string> {
  const created = await store.create(MAPS, object(uid));
  if (created.status !== 'stored') throw new Error(created.status);
  return created.object.metadata.resourceVersion;
}

test('the change before is told with each change, and what a new object replaces under its name', async () => {
  const first = await create('u1');
  const current = { ...object('u1', 'new'), metadata: { ...object('u1').metadata, resourceVersion: first } };
  const replaced = await store.replace(MAPS, current);
  const second = replaced.status === 'stored' ? replaced.object.metadata.resourceVersion : '';
  await store.remove(KEY);
  await create('u2');
  const changes = told.map((change) => change());
  const [added, modified, removed, again] = changes;
  expect(changes.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED', 'ADDED']);
  expect(added).not.toHaveProperty('replaces');
  expect(modified?.before?.metadata.resourceVersion).toBe(first);
  expect(removed?.before?.metadata.resourceVersion).toBe(second);
  expect(again?.replaces).toBe(removed?.version);
});

test('a name of which only a UID was burned has no removal to replace', async () => {
  await store.burn(KEY, 'u1');
  await create('u2');
  expect(told.map((change) => change().replaces)).toEqual([undefined]);
});

test('a change is decoded once, whoever asks for it', async () => {
  await create('u1');
  expect(told[0]?.()).toBe(told[0]?.());
});
