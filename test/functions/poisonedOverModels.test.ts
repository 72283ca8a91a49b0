import { expect, test } from 'vitest';
import { parseStackProps } from '../../infra/cdk/parseStackProps.ts';
import { DynamoDbCalls } from '../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbObjectStore } from '../../lambdas/adapters/aws/objects/DynamoDbObjectStore.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import type { Deployment } from '../../lambdas/objects/kinds.ts';
import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import { ModelStack } from '../bench/ModelStack.ts';
import { webDeployment } from '../support/webDeployment.ts';

const MINUTE_MS = 60_000;
const TABLES = { objects: 'objects', versions: 'versions', namespaces: 'namespaces' };

/** Objects without their kind's shape, as only an older release or an accident can have stored them. The next one that stops a function is one line more. */
const POISONED: readonly (readonly [string, string, string, object])[] = [
  ['pods', 'v1', 'Pod', { spec: { containers: null }, status: 7 }],
  ['pods', 'v1', 'Pod', { metadata: { labels: { app: null }, annotations: 7 }, spec: { containers: [null] } }],
  ['replicasets.apps', 'apps/v1', 'ReplicaSet', { spec: { selector: null, template: null } }],
  ['deployments.apps', 'apps/v1', 'Deployment', { spec: { selector: { matchExpressions: 7 }, template: [] } }],
  ['resourcequotas', 'v1', 'ResourceQuota', { spec: { hard: 7, scopes: 7 } }],
  ['limitranges', 'v1', 'LimitRange', { spec: { limits: [null] } }],
  ['services', 'v1', 'Service', { spec: { selector: 7, ports: 7 } }],
];

test('objects without their shape stop no function, and a new Deployment becomes complete', async () => {
  const lines: object[] = [];
  const stack = new ModelStack(parseStackProps(), (line) => lines.push(line));
  const calls = new DynamoDbCalls({ client: stack.dynamoDb.client, clock: stack.scheduler, ids: new SeededIds(1) });
  const table = new DynamoDbObjectStore({ calls, tables: TABLES });
  await stack.bootstrap(['default'], 2);
  for (const [at, [resource, apiVersion, kind, fields]] of POISONED.entries()) {
    const { metadata, ...rest } = fields as { metadata?: object };
    const place = { name: `poison-${at}`, namespace: 'default', uid: `uid-${at}` };
    const object = {
      apiVersion,
      kind,
      ...rest,
      metadata: { creationTimestamp: '2026-01-01T00:00:00Z', ...metadata, ...place },
    };
    await stack.finish(async () => {
      expect(await table.create(resource, object as unknown as NewObject)).toMatchObject({ status: 'stored' });
    });
  }
  await stack.pass(2 * MINUTE_MS);
  const { registry } = stack.api;
  const manifest = webDeployment('web:1', 2);
  const metadata = { name: 'web', namespace: 'default' };
  await stack.finish(async () => {
    const create = () => registry.create('deployments.apps', { ...manifest, metadata });
    // The first write that meets the quota fails, and tells this process to look at what it reads.
    await expect(create()).rejects.toThrow(TypeError);
    expect(await create()).toMatchObject({ status: 'stored' });
  });
  await stack.pass(5 * MINUTE_MS);
  const read: (Deployment | undefined)[] = [];
  await stack.finish(async () => read.push(await registry.get({ resource: 'deployments.apps', ...metadata })));
  expect(read[0]?.status).toMatchObject({ availableReplicas: 2 });
}, 120_000);
