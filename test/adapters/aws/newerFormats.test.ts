import { type AttributeValue, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { CompletedRestores } from '../../../lambdas/adapters/aws/objects/CompletedRestores.ts';
import { DynamoDbCalls } from '../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { KnownNamespaces } from '../../../lambdas/adapters/aws/objects/KnownNamespaces.ts';
import { surveyObjects } from '../../../lambdas/adapters/aws/objects/surveyObjects.ts';
import { NAMESPACES_TABLE, OBJECTS_TABLE, VERSIONS_TABLE } from '../../../lambdas/adapters/aws/tables.ts';
import { VersionCounter } from '../../../lambdas/adapters/aws/VersionCounter.ts';
import { SystemClock } from '../../../lambdas/adapters/clocks/SystemClock.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { DynamoModel } from '../../model/DynamoModel.ts';
import { Random } from '../../simulation/Random.ts';

const TABLES = { objects: 'objects', versions: 'versions', namespaces: 'namespaces' };
const NEWER = { format: { N: '9' } };

/** Adapters over tables in which a newer release wrote one item, and the item as it is now. */
async function open(table: keyof typeof TABLES, item: Readonly<Record<string, AttributeValue>>) {
  const clock = new SystemClock();
  const dynamoDb = new DynamoModel({ clock, random: new Random(1) });
  dynamoDb.createTable('objects', OBJECTS_TABLE);
  dynamoDb.createTable('versions', VERSIONS_TABLE);
  dynamoDb.createTable('namespaces', NAMESPACES_TABLE);
  const calls = new DynamoDbCalls({ client: dynamoDb.client, clock, ids: new SeededIds(1) });
  await calls.send((client) => client.send(new PutItemCommand({ TableName: table, Item: { ...item, ...NEWER } })));
  return {
    counter: new VersionCounter(calls, 'versions'),
    namespaces: new KnownNamespaces(calls, { objects: 'objects', namespaces: 'namespaces' }),
    restores: new CompletedRestores(calls, 'namespaces'),
    survey: () => surveyObjects({ calls, tables: TABLES }, undefined, () => true),
  };
}

const counter = { resource: { S: 'pods' }, version: { N: '7' } };
const namespace = { resource: { S: 'pods' }, namespace: { S: 'team' } };
const restore = { resource: { S: '#restores' }, namespace: { S: 'a' } };
const tombstone = { place: { S: 'configmaps#default' }, name: { S: 'a' }, version: { N: '7' } };

test.each<[string, string, () => Promise<unknown>]>([
  ['a draw of a version', 'versions/pods', async () => (await open('versions', counter)).counter.draw('pods')],
  [
    'raising a counter that is high enough',
    'versions/pods',
    async () => (await open('versions', counter)).counter.raise('pods', 5),
  ],
  [
    'raising a counter that is behind',
    'versions/pods',
    async () => (await open('versions', counter)).counter.raise('pods', 9),
  ],
  [
    'registering a namespace',
    'namespaces/pods/team',
    async () => (await open('namespaces', namespace)).namespaces.register('pods', 'team'),
  ],
  [
    'a list over all namespaces',
    'namespaces/pods/team',
    async () => (await open('namespaces', namespace)).namespaces.list('pods'),
  ],
  [
    'asking for a completed restore',
    'namespaces/#restores/a',
    async () => (await open('namespaces', restore)).restores.has('a'),
  ],
  [
    'making restored tables fit each other',
    'configmaps#default/a',
    async () => (await open('objects', tombstone)).survey(),
  ],
])('%s refuses an item of a newer release by name', async (_, name, act) => {
  const newest = name.startsWith('configmaps') ? 2 : 1;
  await expect(act()).rejects.toThrow(`the item ${name} has format 9, and this release reads only up to ${newest}`);
});
