import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { podOf, replicaSetOf } from '../support/deploymentFixtures.ts';
import { createRivals } from './createRivals.ts';
import { FaultPlan, NO_FAULTS } from './FaultPlan.ts';
import type { GateParts } from './Gate.ts';
import { Random } from './Random.ts';
import { World } from './World.ts';

const NODE = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'driftless-node-1', uid: 'uid-node' } };
const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default', uid: 'uid-default' } };

function worldOf(objects: Record<string, object>): World {
  const world = new World();
  for (const [resource, after] of Object.entries(objects))
    world.apply({ resource, version: 1, type: 'ADDED', after: after as KubernetesObject });
  return world;
}

test.each([
  ['gets a further owner before the collector reads it', { namespaces: NAMESPACE }, ['web', 'driftless-node-1']],
  ['gets none after its namespace is gone: nobody but the collector would remove it', {}, undefined],
])('a pod %s', async (_, namespaces, owners) => {
  const written: KubernetesObject[] = [];
  const parts = { random: new Random(1), faults: new FaultPlan({ ...NO_FAULTS, lateOwner: 1 }) };
  const store = {
    replace: async (_writer: object, _resource: string, object: KubernetesObject) => written.push(object),
  };
  const world = worldOf({ nodes: NODE, pods: podOf('web'), ...namespaces });
  const rivals = createRivals(parts as unknown as GateParts, store as never, world);
  await rivals.beforeCollectorReads({ resource: 'pods', namespace: 'default', name: 'web-pod' });
  expect(written[0]?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(owners);
});

test.each([
  ['the other pod is named to be deleted first', ['chosen'], ['other']],
  ['no pod is named if the deletes take them all', ['chosen', 'other'], []],
  ['no pod is named if only creates are left', [], []],
])('before a sync reads an owner whose deletes are unfinished, %s', async (_, deletes, named) => {
  const written: KubernetesObject[] = [];
  const faults = new FaultPlan({ ...NO_FAULTS, lateDeletionCost: 1 });
  const parts = { random: new Random(1), faults, scheduler: { eventCount: 7 } };
  const store = {
    replace: async (_writer: object, _resource: string, object: KubernetesObject) => written.push(object),
  };
  const world = worldOf({ 'replicasets.apps': replicaSetOf('web', { replicas: 1 }) });
  for (const name of ['chosen', 'other'])
    world.apply({
      resource: 'pods',
      version: 1,
      type: 'ADDED',
      after: podOf('web', 'Running', { name, uid: name }),
    });
  const rivals = createRivals(parts as unknown as GateParts, store as never, world);
  const key = { resource: 'replicasets.apps', namespace: 'default', name: 'web' };
  const intent = { id: 'i', ownerUid: 'uid-web', count: 1, deletes: deletes.map((uid) => ({ name: uid, uid })) };
  await rivals.beforeIntentIsSettled(key, intent);
  expect(written.map(({ metadata }) => metadata.name)).toEqual(named);
});

/** A pod that counts for a Job, as `podOf`, with the finalizer. */
const tracked = podOf('web', 'Running', {
  name: 'p',
  uid: 'uid-0000-p',
  finalizers: ['batch.kubernetes.io/job-tracking'],
});

test.each([
  ['that loses its finalizer is replaced by force by another with the finalizer', [], ['replace', 'remove', 'create']],
  ['that keeps its finalizer is left alone', tracked.metadata.finalizers, []],
])('a pod %s just before its Job writes it', async (_, finalizers, expected) => {
  const done: string[] = [];
  let created: KubernetesObject | undefined;
  const store = {
    replace: async () => done.push('replace'),
    remove: async () => done.push('remove'),
    create: async (_writer: object, _resource: string, object: KubernetesObject) => {
      created = object;
      done.push('create');
    },
  };
  const faults = new FaultPlan({ ...NO_FAULTS, lateReplacement: 1 });
  const parts = { random: new Random(1), faults, scheduler: { eventCount: 7 } };
  const rivals = createRivals(parts as unknown as GateParts, store as never, worldOf({ pods: tracked }));
  const { finalizers: _all, ...metadata } = tracked.metadata;
  const written = { ...tracked, metadata: finalizers?.length ? tracked.metadata : metadata };
  const { namespace = '', name } = tracked.metadata;
  await rivals.beforePodIsWritten({ resource: 'pods', namespace, name }, written);
  expect(done).toEqual(expected);
  if (created) {
    expect(created.metadata).toMatchObject({ name: 'p', finalizers: tracked.metadata.finalizers });
    expect(created.metadata.uid).not.toBe(tracked.metadata.uid);
  }
});
