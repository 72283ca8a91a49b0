import { describe, expect, test } from 'vitest';
import { SystemClock } from '../../../lambdas/adapters/clocks/SystemClock.ts';
import { DynamoDbCalls } from '../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbObjectStore } from '../../../lambdas/adapters/aws/objects/DynamoDbObjectStore.ts';
import { NAMESPACES_TABLE, OBJECTS_TABLE, VERSIONS_TABLE } from '../../../lambdas/adapters/aws/tables.ts';
import { MemoryJournal } from '../../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { ObjectStore } from '../../../lambdas/ports/ObjectStore.ts';
import { createRegistry } from '../../../lambdas/registry/createRegistry.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { UNLIMITED } from '../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../model/DynamoModel.ts';
import { startApi } from '../../rest/startApi.ts';
import { Random } from '../../simulation/Random.ts';

const template = {
  metadata: { labels: { app: 'web' } },
  spec: {
    containers: [
      {
        name: 'web',
        image: 'nginx:1',
        imagePullPolicy: 'IfNotPresent',
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        resources: {},
      },
    ],
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
  },
};

/** What the release that served extensions/v1beta1 stored for an apply of a Deployment with `rollbackTo`, and for a new ReplicaSet, both in that version. */
const STORED = {
  deployments: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      ...identity('web'),
      annotations: { 'deprecated.deployment.rollback.to': '3' },
      managedFields: [owned('Apply', { 'f:replicas': {}, 'f:rollbackTo': { 'f:revision': {} } })],
    },
    spec: {
      template,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
      replicas: 2,
      revisionHistoryLimit: 2_147_483_647,
      progressDeadlineSeconds: 2_147_483_647,
      selector: { matchLabels: { app: 'web' } },
    },
    status: {},
  },
  replicasets: {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { ...identity('set'), managedFields: [owned('Update', { 'f:replicas': {}, 'f:selector': {} })] },
    spec: { replicas: 2, template, selector: { matchLabels: { app: 'web' } } },
    status: { replicas: 0 },
  },
} as const;

function identity(name: string) {
  const creationTimestamp = '2026-01-01T00:00:00Z';
  return {
    name,
    namespace: 'default',
    uid: `uid-of-${name}`,
    creationTimestamp,
    labels: { app: 'web' },
    generation: 1,
  };
}

function owned(operation: string, spec: object) {
  const fields = { fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': spec } };
  return { manager: 'old', operation, apiVersion: 'extensions/v1beta1', time: '2026-01-01T00:00:00Z', ...fields };
}

const clock = new SystemClock();

function openCloudStore(): ObjectStore {
  const model = new DynamoModel({ clock, random: new Random(1), physics: UNLIMITED });
  model.createTable('objects', OBJECTS_TABLE);
  model.createTable('versions', VERSIONS_TABLE);
  model.createTable('namespaces', NAMESPACES_TABLE);
  const calls = new DynamoDbCalls({ client: model.client, clock, ids: new SeededIds(1) });
  const tables = { objects: 'objects', versions: 'versions', namespaces: 'namespaces' };
  return new DynamoDbObjectStore({ calls, tables });
}

async function openApi(objectStore: ObjectStore) {
  const catalog = createResourceCatalog(resourceEntries);
  const registry = createRegistry({ objectStore, clock, ids: new SeededIds(1), catalog });
  for (const [plural, object] of Object.entries(STORED))
    await objectStore.create(`${plural}.apps`, object as unknown as KubernetesObject);
  await registry.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  return await startApi({ registry, catalog });
}

const APPS = '/apis/apps/v1/namespaces/default';

describe.each([
  ['one machine', () => openEmbeddedStore({ journal: new MemoryJournal(), clock }).objectStore],
  ['the cloud', openCloudStore],
])('objects that were written in extensions/v1beta1, in the store of %s', (_, openStore) => {
  const open = () => openApi(openStore());

  test.each([
    ['deployments', 'web'],
    ['replicasets', 'set'],
  ] as const)('%s are read as apps/v1', async (plural, name) => {
    const api = await open();
    const { kind, metadata, spec } = STORED[plural];
    expect((await api.call('GET', `${APPS}/${plural}/${name}`)).body).toMatchObject({
      apiVersion: 'apps/v1',
      kind,
      metadata: JSON.parse(JSON.stringify(metadata)) as object,
      spec: JSON.parse(JSON.stringify(spec)) as object,
    });
    const listed = await api.call('GET', `${APPS}/${plural}`);
    expect(listed.body.items).toMatchObject([{ metadata: { name }, spec: { replicas: 2 } }]);
  });

  test('an update keeps what they ask for, and a later apply takes the fields of the old version’s owner', async () => {
    const api = await open();
    const patched = await api.call(
      'PATCH',
      `${APPS}/deployments/web`,
      { metadata: { labels: { tier: 'front' } } },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect(patched.body).toMatchObject({
      metadata: { annotations: { 'deprecated.deployment.rollback.to': '3' }, labels: { tier: 'front' } },
    });
    const applied = await api.call(
      'PATCH',
      `${APPS}/deployments/web?fieldManager=new`,
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 5 } },
      { 'content-type': 'application/apply-patch+yaml' },
    );
    expect(applied.code).toBe(200);
    expect(applied.body.spec.replicas).toBe(5);
    const owners = applied.body.metadata.managedFields.map(({ manager, apiVersion }: Record<string, string>) => [
      manager,
      apiVersion,
    ]);
    expect(owners).toContainEqual(['new', 'apps/v1']);
    expect(owners).not.toContainEqual(['old', 'extensions/v1beta1']);
  });
});
