import { expect, test } from 'vitest';
import { createSharedReader } from '../../lambdas/controllers/createSharedReader.ts';
import { keysForChange as keysOfDeployments } from '../../lambdas/controllers/deployment/keysForChange.ts';
import { keysForChange as keysOfReplicaSets } from '../../lambdas/controllers/replicaset/keysForChange.ts';
import { REPLICA_SET } from '../../lambdas/controllers/replicaset/syncReplicaSet.ts';
import type { RegistryReader } from '../../lambdas/controllers/GuardedWriters.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { Change } from '../../lambdas/ports/ChangeLog.ts';
import { FakeObjectStore } from '../support/FakeObjectStore.ts';

const PODS = 100;

function objectOf(kind: string, name: string, owner?: readonly [kind: string, name: string], rest: object = {}) {
  const ownerReferences = owner && [
    { apiVersion: 'apps/v1', kind: owner[0], name: owner[1], uid: `uid-of-${owner[1]}`, controller: true },
  ];
  const metadata = {
    name,
    namespace: 'default',
    uid: `uid-of-${name}`,
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...(ownerReferences && { ownerReferences }),
  };
  return { apiVersion: 'apps/v1', kind, metadata, ...rest } as KubernetesObject;
}

/** A Deployment of this strategy with a ReplicaSet, and a reader that counts. */
async function open(type: string) {
  const store = new FakeObjectStore();
  await store.create('deployments.apps', objectOf('Deployment', 'web', undefined, { spec: { strategy: { type } } }));
  await store.create('replicasets.apps', objectOf('ReplicaSet', 'web-1', ['Deployment', 'web']));
  const reads: string[] = [];
  const counted: RegistryReader = {
    get: (key) => {
      reads.push(`get ${key.resource} ${key.name}`);
      return store.get(key);
    },
    list: (resource, options) => {
      reads.push(`list ${resource}`);
      return store.list(resource, options);
    },
  };
  return { reads, reader: createSharedReader(counted) };
}

function podOf(at: number, isReady: boolean): KubernetesObject {
  const status = { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] };
  return objectOf('Pod', `web-1-${at}`, ['ReplicaSet', 'web-1'], { status });
}

const deleted = (_: unknown, at: number): Change => ({
  type: 'DELETED',
  resource: 'pods',
  version: 2,
  before: podOf(at, true),
});
const becameReady = (_: unknown, at: number): Change => {
  const { metadata, ...rest } = podOf(at, true);
  const after = { ...rest, metadata: { ...metadata, resourceVersion: '2' } };
  return { type: 'MODIFIED', resource: 'pods', version: 2, before: podOf(at, false), after };
};

test('the Deployments of all pods deleted in one batch of changes are looked up once', async () => {
  const { reads, reader } = await open('RollingUpdate');
  const changes = Array.from({ length: PODS }, deleted);
  const keys = await Promise.all(changes.map(async (change) => keysOfDeployments(reader, change)));
  expect(keys.flat()).toEqual([]);
  expect(reads).toEqual(['get replicasets.apps web-1', 'get deployments.apps web']);
});

test('whether a Deployment that recreates its pods has any left is looked up once, and each deletion leads to it', async () => {
  const { reads, reader } = await open('Recreate');
  const changes = Array.from({ length: PODS }, deleted);
  const keys = await Promise.all(changes.map(async (change) => keysOfDeployments(reader, change)));
  expect(keys.flat()).toHaveLength(PODS);
  expect(reads).toEqual(['get replicasets.apps web-1', 'get deployments.apps web', 'list pods']);
});

test('the ReplicaSet of all pods that become ready in one batch of changes is looked up once, and again for the next batch', async () => {
  const { reads, reader } = await open('RollingUpdate');
  const batch = async () => {
    const changes = Array.from({ length: PODS }, becameReady);
    return await Promise.all(changes.map(async (change) => keysOfReplicaSets(reader, REPLICA_SET, change)));
  };
  expect((await batch()).flat()).toHaveLength(PODS);
  expect(reads).toEqual(['get replicasets.apps web-1']);
  await batch();
  expect(reads).toHaveLength(2);
});
