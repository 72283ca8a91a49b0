import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { parseStackProps } from '../../infra/cdk/parseStackProps.ts';
import { DynamoDbCalls } from '../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbKeyLocks } from '../../lambdas/adapters/aws/keys/DynamoDbKeyLocks.ts';
import { itemKey } from '../../lambdas/adapters/aws/objects/objectItem.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import type { Pod } from '../../lambdas/objects/kinds.ts';
import type { WorkKey } from '../../lambdas/ports/WorkKey.ts';
import { ModelStack } from '../bench/ModelStack.ts';
import { webDeployment } from '../support/webDeployment.ts';

const MINUTE_MS = 60_000;
const NAMESPACE = { namespace: 'default' } as const;

/** The stack with two Deployments of two pods each, of which nothing is left to do. */
async function open() {
  const stack = new ModelStack(parseStackProps(), () => {});
  const { registry } = stack.api;
  const calls = new DynamoDbCalls({ client: stack.dynamoDb.client, clock: stack.scheduler, ids: new SeededIds(1) });
  await stack.bootstrap([NAMESPACE.namespace], 2);
  for (const name of ['hit', 'other']) {
    const manifest = webDeployment('web:1', 2);
    await stack.finish(() => registry.create('deployments.apps', { ...manifest, metadata: { ...NAMESPACE, name } }));
  }
  await stack.pass(5 * MINUTE_MS);
  await stack.rest();
  return { stack, locks: new DynamoDbKeyLocks({ calls, tableName: 'keys' }) };
}

test('a pod whose item somebody deletes by hand is replaced, watches list again, and every key that pods concern is synced', async () => {
  const { stack, locks } = await open();
  const { registry, changeLog } = stack.api;
  const read = async <T>(ask: () => Promise<T>): Promise<T> => {
    const answers: T[] = [];
    await stack.finish(async () => answers.push(await ask()));
    return answers[0] as T;
  };
  const list = () => read(() => registry.list<Pod>('pods', NAMESPACE));
  const lastSyncs = async () => {
    const { items } = await read(() => registry.list('replicasets.apps', NAMESPACE));
    const keys = items.map(
      ({ metadata }): WorkKey => ({ controller: 'replicaset', ...NAMESPACE, name: metadata.name }),
    );
    return await read(() => Promise.all(keys.map(async (key) => (await locks.peek(key))?.syncedFromMs ?? 0)));
  };
  const { items: before } = await list();
  const position = await read(() => changeLog.head('pods'));
  const [deleted = '', ...kept] = before.map(({ metadata }) => metadata.name);
  const deletedAtMs = stack.scheduler.now();
  expect((await lastSyncs()).map((atMs) => atMs < deletedAtMs)).toEqual([true, true]);
  const Key = itemKey({ resource: 'pods', ...NAMESPACE, name: deleted });
  await read(() => stack.dynamoDb.client.send(new DeleteItemCommand({ TableName: 'objects', Key })));
  await stack.pass(5 * MINUTE_MS);
  expect((await lastSyncs()).map((atMs) => atMs >= deletedAtMs)).toEqual([true, true]);
  const names = (await list()).items.map(({ metadata }) => metadata.name);
  expect(names).toEqual(expect.arrayContaining(kept));
  expect(names).toHaveLength(4);
  expect(names).not.toContain(deleted);
  const watched = await read(() => changeLog.open('pods', position, AbortSignal.timeout(60_000)));
  expect(watched).toEqual({ status: 'expired' });
}, 120_000);
