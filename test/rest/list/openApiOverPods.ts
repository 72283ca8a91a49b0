import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { Registry as MetricsRegistry } from 'prom-client';
import { DynamoDbCalls } from '../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { encodeHead } from '../../../lambdas/adapters/aws/log/LogSegment.ts';
import { EMPTY_LOG } from '../../../lambdas/adapters/aws/log/logState.ts';
import { openDynamoDbStore } from '../../../lambdas/adapters/aws/openDynamoDbStore.ts';
import { LOG_TABLE, NAMESPACES_TABLE, OBJECTS_TABLE, VERSIONS_TABLE } from '../../../lambdas/adapters/aws/tables.ts';
import { SystemClock } from '../../../lambdas/adapters/clocks/SystemClock.ts';
import { SystemIds } from '../../../lambdas/adapters/ids/SystemIds.ts';
import { REQUEST_LIFETIME_MS } from '../../../lambdas/functions/limits.ts';
import { MemorySigningKeys } from '../../../lambdas/adapters/embedded/MemorySigningKeys.ts';
import { openTokens } from '../../../lambdas/rest/authentication/authenticateToken.ts';
import { createRegistry, createRegistryUntil } from '../../../lambdas/registry/createRegistry.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { createApiApp } from '../../../lambdas/rest/createApiApp.ts';
import { UNLIMITED } from '../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../model/DynamoModel.ts';
import { Random } from '../../simulation/Random.ts';
import { GeneratedPods } from './GeneratedPods.ts';

const TABLES = { objects: 'objects', versions: 'versions', namespaces: 'namespaces', log: 'log' };

/** The cloud's API over a table with so many pods in the namespace `default`, all of which are logged. */
export async function openApiOverPods(count: number) {
  const clock = new SystemClock();
  const model = new DynamoModel({ clock, random: new Random(1), physics: UNLIMITED });
  for (const [name, definition] of Object.entries({
    objects: OBJECTS_TABLE,
    versions: VERSIONS_TABLE,
    namespaces: NAMESPACES_TABLE,
    log: LOG_TABLE,
  })) {
    model.createTable(name, definition);
  }
  const pods = new GeneratedPods(count, model.client);
  const calls = new DynamoDbCalls({ client: pods.client, clock, ids: new SystemIds() });
  const put = (TableName: string, Item: Record<string, object>) =>
    calls.send((client) => client.send(new PutItemCommand({ TableName, Item: Item as never })));
  await put(TABLES.namespaces, { resource: { S: 'pods' }, namespace: { S: 'default' } });
  const position = count + 2;
  const head = encodeHead({ ...EMPTY_LOG, position, settled: position });
  await put(TABLES.log, { resource: { S: 'pods' }, segment: { N: '0' }, ...head });
  const store = openDynamoDbStore({ calls, tables: TABLES });
  const parts = { ...store, clock, ids: new SystemIds(), catalog: createResourceCatalog(resourceEntries) };
  const registry = createRegistry(parts);
  const app = createApiApp({
    ...parts,
    ...openTokens({ registry, clock, signingKeys: new MemorySigningKeys() }),
    registry,
    registryUntil: createRegistryUntil(parts),
    requestLifetimeMs: REQUEST_LIFETIME_MS,
    metrics: new MetricsRegistry(),
    logError: (message, cause) => console.error(message, cause),
  });
  return { app, pods };
}
