import { beforeEach, describe, expect, test } from 'vitest';
import { createDeploymentController } from '../../lambdas/controllers/deployment/createDeploymentController.ts';
import { guardWrites } from '../../lambdas/controllers/guardWrites.ts';
import type { Deployment, ReplicaSet } from '../../lambdas/objects/kinds.ts';
import type { Intent } from '../../lambdas/ports/KeyLocks.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import { ControllerBench } from '../support/ControllerBench.ts';
import { templateWith } from '../support/DeploymentBench.ts';

const KEY = { controller: 'deployment', namespace: 'default', name: 'web' } as const;

let bench: ControllerBench;
/** The intent in the key's item. */
let intent: Intent | undefined;

beforeEach(async () => {
  bench = new ControllerBench();
  intent = undefined;
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  await bench.create('deployments.apps', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'web' } },
      template: templateWith('nginx:1'),
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    },
  });
});

/** Runs one sync of the Deployment and keeps its intent. */
async function sync(replaced: Partial<Registry> = {}): Promise<void> {
  const { clock, objectStore, ids } = bench;
  const registry = { ...bench.registry, ...replaced };
  const events = { record: async () => {} };
  const controller = createDeploymentController({ registry, ids, events });
  const nowMs = clock.now();
  await guardWrites(controller, { registry, objectStore, clock }).sync(KEY, {
    nowMs,
    deadlineMs: nowMs + 30_000,
    item: { failures: 0, ...(intent && { intent }) },
    recordIntent: async (recorded) => void (intent = recorded),
  });
}

/** Runs a sync whose write of a ReplicaSet does not arrive; the returned function lets it arrive. */
async function stall(): Promise<() => Promise<string>> {
  let land: () => Promise<string> = async () => 'nothing was written';
  const hold = (write: () => Promise<{ status: string }>): Promise<never> => {
    land = async () => (await write()).status;
    throw new Error('it does not answer');
  };
  const { registry } = bench;
  const held = {
    create: (resource: string, ...rest) =>
      resource === 'replicasets.apps'
        ? hold(() => registry.create(resource, ...rest))
        : registry.create(resource, ...rest),
    update: (resource: string, ...rest) =>
      resource === 'replicasets.apps'
        ? hold(() => registry.update(resource, ...rest))
        : registry.update(resource, ...rest),
  } as Partial<Registry>;
  await expect(sync(held)).rejects.toThrow('it does not answer');
  return () => land();
}

async function useImage(image: string): Promise<void> {
  const current = (await bench.get<Deployment>('deployments.apps', 'default', 'web')) as Deployment;
  const spec = { ...current.spec, template: templateWith(image) } as NonNullable<Deployment['spec']>;
  await bench.registry.update('deployments.apps', { ...current, spec });
}

async function report(status: NonNullable<ReplicaSet['status']>): Promise<void> {
  const { items } = await bench.objectStore.list<ReplicaSet>('replicasets.apps', { namespace: 'default' });
  for (const one of items) {
    const observed = { ...status, observedGeneration: one.metadata.generation ?? 0 };
    await bench.registry.update('replicasets.apps', { ...one, status: observed }, { subresource: 'status' });
  }
}

async function sizes(): Promise<string[]> {
  const { items } = await bench.objectStore.list<ReplicaSet>('replicasets.apps', { namespace: 'default' });
  return items.map(({ spec }) => `${spec?.template?.spec?.containers[0]?.image}: ${spec?.replicas}`).sort();
}

describe('a late resize', () => {
  test('of a stalled worker does not create a replica set for an outdated template', async () => {
    const land = await stall();
    await useImage('nginx:2');
    await sync();
    expect(await sizes()).toEqual(['nginx:2: 3']);
    expect(await land()).toBe('refused');
    expect(await sizes()).toEqual(['nginx:2: 3']);
  });

  test('of a stalled worker does not scale up a replica set of an outdated template', async () => {
    await sync();
    await report({ replicas: 3, readyReplicas: 3, availableReplicas: 3 });
    await sync();
    await useImage('nginx:2');
    await sync();
    expect(await sizes()).toEqual(['nginx:1: 3', 'nginx:2: 1']);
    await report({ replicas: 1, readyReplicas: 1, availableReplicas: 1 });
    const land = await stall();
    await useImage('nginx:3');
    await sync();
    const before = await sizes();
    expect(await land()).toBe('refused');
    expect(await sizes()).toEqual(before);
  });

  test('cannot follow a sync whose writes were all answered, so that sync leaves no intent', async () => {
    await sync();
    expect(intent).toBeUndefined();
  });

  test('that arrives before the next sync is not undone by it', async () => {
    const land = await stall();
    expect(await land()).toBe('stored');
    const [name = ''] = await bench.names('replicasets.apps');
    const landed = await bench.get<ReplicaSet>('replicasets.apps', 'default', name);
    await sync();
    expect(await bench.get('replicasets.apps', 'default', name)).toEqual(landed);
    expect(intent).toBeUndefined();
  });
});
