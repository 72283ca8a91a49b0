import { beforeEach, describe, expect, test } from 'vitest';
import { createDeploymentController } from '../../../lambdas/controllers/deployment/createDeploymentController.ts';
import type { SyncReport } from '../../../lambdas/controllers/Controller.ts';
import { guardWrites } from '../../../lambdas/controllers/guardWrites.ts';
import type { EventToRecord } from '../../../lambdas/controllers/EventRecorder.ts';
import { ApiError } from '../../../lambdas/objects/ApiError.ts';
import type { Deployment } from '../../../lambdas/objects/kinds.ts';
import type { Registry } from '../../../lambdas/registry/Registry.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';
import { templateOf } from '../../support/deploymentFixtures.ts';

let bench: ControllerBench;
let events: EventToRecord[];

beforeEach(async () => {
  bench = new ControllerBench();
  events = [];
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  await bench.create('deployments.apps', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector: { matchLabels: { app: 'web' } }, template: templateOf('nginx:1') },
  });
});

/** One sync, with some of the registry replaced. */
function sync(replaced: Partial<Registry> = {}, deadlineMs = bench.clock.now() + 10_000): Promise<SyncReport> {
  const controller = createDeploymentController({
    registry: bench.registry,
    ids: bench.ids,
    events: { record: async (recorded) => void events.push(...recorded) },
  });
  const key = { controller: 'deployment', namespace: 'default', name: 'web' } as const;
  const start = { nowMs: bench.clock.now(), deadlineMs, item: { failures: 0 }, recordIntent: async () => {} };
  const { clock, objectStore } = bench;
  const registry = { ...bench.registry, ...replaced };
  return guardWrites(controller, { registry, objectStore, clock }).sync(key, start);
}

function refusing(error: ApiError): Partial<Registry> {
  return { create: async () => ({ status: 'refused', error }) };
}

async function conditions() {
  return (await bench.get<Deployment>('deployments.apps', 'default', 'web'))?.status?.conditions ?? [];
}

describe('the report of a sync', () => {
  test('says what was decided, seen and written', async () => {
    const report = await sync();
    const [name] = await bench.names('replicasets.apps');
    expect(report).toEqual({
      outcome: { status: 'done' },
      why: [
        `no replica set has this template, so ${name} is created`,
        'maxSurge 25% of 1 rounds up to 1, so at most 2 pods; 2 - 0 = 2: 2 may be added',
      ],
      observed: {
        deployment: {
          generation: 1,
          observedGeneration: 0,
          strategy: 'RollingUpdate',
          desired: 1,
          current: 0,
          updated: 0,
          ready: 0,
          available: 0,
          atMost: 2,
          atLeastAvailable: 1,
        },
        replicaSets: [],
        retired: 0,
      },
      writes: [`create replicasets.apps default/${name}`, 'update the status of deployments.apps default/web'],
    });
  });

  test('says that the deployment is gone', async () => {
    await bench.registry.delete({ resource: 'deployments.apps', namespace: 'default', name: 'web' });
    expect(await sync()).toEqual({ outcome: { status: 'done' }, why: ['the deployment is gone'], writes: [] });
  });

  test('asks for a sync when the progress deadline passes', async () => {
    await sync();
    while ((await sync()).writes.length > 0);
    const { outcome, why } = await sync();
    expect(outcome).toEqual({ status: 'requeueAfter', delayMs: 600_001 });
    expect(why.join()).toMatch(/waits until replica set web-\w+ has observed its generation 1 \(so far 0\)/);
  });
});

describe('the writes of a sync', () => {
  test('a conflict ends the sync before its next write, and the deployment is observed again at once', async () => {
    const conflict = new ApiError('Conflict', 'changed');
    const report = await sync({ update: async () => ({ status: 'refused', error: conflict }) });
    expect(report.outcome).toEqual({ status: 'conflict' });
    expect(report.writes).toHaveLength(1);
  });

  test('a replica set that cannot be created is reported in a condition and an event, and its creation is retried', async () => {
    const error = new ApiError('Forbidden', 'exceeded quota');
    await expect(sync(refusing(error))).rejects.toBe(error);
    await expect(sync(refusing(error))).rejects.toBe(error);
    const message = expect.stringMatching(/^Failed to create new replica set "web-\w+": exceeded quota$/);
    expect(await conditions()).toEqual([
      expect.objectContaining({ type: 'Progressing', status: 'False', reason: 'ReplicaSetCreateError', message }),
    ]);
    expect(events[0]).toMatchObject({ type: 'Warning', reason: 'ReplicaSetCreateError', message });
  });

  test('in a terminating namespace nothing is created, and the sync does not fail', async () => {
    const causes = [
      { reason: 'NamespaceTerminating', message: 'namespace default is being terminated', field: 'metadata.namespace' },
    ];
    const report = await sync(refusing(new ApiError('Forbidden', 'terminating', { causes })));
    expect(report.outcome).toEqual({ status: 'done' });
    expect(await conditions()).toEqual([]);
    expect(events).toEqual([]);
  });

  test('a name that another replica set has raises the collision count, which changes the next hash', async () => {
    await sync();
    const [taken = ''] = await bench.names('replicasets.apps');
    await bench.registry.delete({ resource: 'replicasets.apps', namespace: 'default', name: taken });
    await bench.create('replicasets.apps', {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: taken, namespace: 'default' },
      spec: {
        selector: { matchLabels: { app: 'x' } },
        template: { ...templateOf('x'), metadata: { labels: { app: 'x' } } },
      },
    });
    expect((await sync()).outcome).toEqual({ status: 'conflict' });
    expect((await bench.get<Deployment>('deployments.apps', 'default', 'web'))?.status).toMatchObject({
      collisionCount: 1,
    });
    expect((await sync()).outcome).toEqual({ status: 'done' });
    expect(await bench.names('replicasets.apps')).toHaveLength(2);
  });

  test('a replica set of this template that was just created is found by the next sync', async () => {
    await sync();
    const error = new ApiError('AlreadyExists', 'exists');
    const nothingYet: Partial<Registry> = { ...refusing(error), list: async () => ({ items: [], more: false }) };
    expect((await sync(nothingYet)).outcome).toEqual({ status: 'conflict' });
    expect((await bench.get<Deployment>('deployments.apps', 'default', 'web'))?.status).not.toHaveProperty(
      'collisionCount',
    );
  });

  test('a sync starts no write after its deadline', async () => {
    await expect(sync({}, bench.clock.now())).rejects.toThrow('the time of this sync is over');
    expect(await bench.names('replicasets.apps')).toEqual([]);
  });

  test('a key is dropped after fifteen failed retries, as in Kubernetes', () => {
    const { registry, ids } = bench;
    const controller = createDeploymentController({ registry, ids, events: { record: async () => {} } });
    expect(controller.maxRetries).toBe(15);
  });
});
