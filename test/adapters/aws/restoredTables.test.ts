import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { ChangeLogAppender } from '../../../lambdas/adapters/aws/log/ChangeLogAppender.ts';
import { DynamoDbCalls, type DynamoDbSender } from '../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbObjectStore } from '../../../lambdas/adapters/aws/objects/DynamoDbObjectStore.ts';
import { LOG_TABLE, NAMESPACES_TABLE, OBJECTS_TABLE, VERSIONS_TABLE } from '../../../lambdas/adapters/aws/tables.ts';
import { SystemClock } from '../../../lambdas/adapters/clocks/SystemClock.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { UNLIMITED } from '../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../model/DynamoModel.ts';
import { Random } from '../../simulation/Random.ts';

/** The version of the restored objects. Their counter was restored to an older state, or is new. */
const RESTORED_VERSION = 51_000;

/** A store whose object is far ahead of its resource's counter, and the number of writes of the counter. */
async function restored() {
  const clock = new SystemClock();
  const model = new DynamoModel({ clock, random: new Random(1), physics: UNLIMITED });
  model.createTable('objects', OBJECTS_TABLE);
  model.createTable('namespaces', NAMESPACES_TABLE);
  model.createTable('log', LOG_TABLE);
  for (const name of ['old versions', 'versions']) model.createTable(name, VERSIONS_TABLE);
  const counter = { writes: 0 };
  const send = (command: Parameters<DynamoDbSender['send']>[0]) => {
    if (command instanceof UpdateItemCommand && command.input.TableName === 'versions') counter.writes += 1;
    return model.client.send(command);
  };
  const calls = new DynamoDbCalls({ client: { send }, clock, ids: new SeededIds(1) });
  const storeWith = (versions: string) =>
    new DynamoDbObjectStore({ calls, tables: { objects: 'objects', versions, namespaces: 'namespaces' } });
  const Key = { resource: { S: 'configmaps' } };
  const Item = { ...Key, version: { N: String(RESTORED_VERSION - 1) } };
  await model.client.send(
    new UpdateItemCommand({
      TableName: 'old versions',
      Key,
      UpdateExpression: 'SET version = :version',
      ExpressionAttributeValues: { ':version': Item.version },
    }),
  );
  const metadata = { name: 'a', namespace: 'd', uid: 'u' };
  const created = await storeWith('old versions').create<KubernetesObject>('configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
  });
  if (created.status !== 'stored') throw new Error(created.status);
  return { store: storeWith('versions'), object: created.object, counter, calls };
}

const key = { resource: 'configmaps', namespace: 'd', name: 'a' };

test('the counter behind a restored object is raised by one conditional write when the object is replaced', async () => {
  const { store, object, counter } = await restored();
  expect(object.metadata.resourceVersion).toBe(String(RESTORED_VERSION));
  const replaced = await store.replace('configmaps', object);
  expect(replaced).toMatchObject({ object: { metadata: { resourceVersion: String(RESTORED_VERSION + 1) } } });
  // The draw that was too low, a second one that shows that no other writer was the cause, the raise, and the last draw.
  expect(counter.writes).toBe(4);
  if (replaced.status === 'stored') await store.replace('configmaps', replaced.object);
  expect(counter.writes).toBe(5);
});

test('an object that is removed, and created again under its name, gets versions above its own', async () => {
  const { store, object, counter } = await restored();
  const removed = await store.remove(key);
  expect(removed).toMatchObject({ object: { metadata: { resourceVersion: String(RESTORED_VERSION + 1) } } });
  const again = { ...object, metadata: { ...object.metadata, uid: 'v' } };
  const created = await store.create('configmaps', again);
  expect(created).toMatchObject({ object: { metadata: { resourceVersion: String(RESTORED_VERSION + 2) } } });
  expect(counter.writes).toBe(4);
});

test('a client cannot raise the counter by an invented version', async () => {
  const { store, object, counter } = await restored();
  const invented = { ...object, metadata: { ...object.metadata, resourceVersion: '9007199254740991' } };
  expect((await store.replace('configmaps', invented)).status).toBe('conflict');
  expect(counter.writes).toBe(1);
});

test('a log whose position is ahead of the counter begins anew behind it', async () => {
  const { calls, counter } = await restored();
  await new ChangeLogAppender({ calls, tables: { log: 'log', versions: 'old versions' } }).startEpoch('configmaps');
  await new ChangeLogAppender({ calls, tables: { log: 'log', versions: 'versions' } }).startEpoch('configmaps');
  expect(counter.writes).toBe(3);
});
