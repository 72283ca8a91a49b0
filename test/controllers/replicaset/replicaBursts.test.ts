import { beforeEach, describe, expect, test } from 'vitest';
import { PodTallies } from '../../../lambdas/controllers/replicaset/PodTallies.ts';
import { syncReplicaSet } from '../../../lambdas/controllers/replicaset/syncReplicaSet.ts';
import type { SyncContext, SyncReport } from '../../../lambdas/controllers/Controller.ts';
import { GuardedObjectStore, GuardedRegistry } from '../../../lambdas/controllers/GuardedWriters.ts';
import type { Pod, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import type { Intent } from '../../../lambdas/ports/KeyLocks.ts';
import type { Registry } from '../../../lambdas/registry/Registry.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

const KEY = { controller: 'replicaset', namespace: 'default', name: 'web' } as const;
const PLACE = { resource: 'replicasets.apps', namespace: 'default', name: 'web' };
const BURST = 10;

/** One sync of a ReplicaSet that creates ten pods at a time. */
class BurstBench extends ControllerBench {
  /** The intents in the order in which they were recorded, by how many pods each creates. */
  readonly intents: (number | undefined)[] = [];
  lists = 0;
  /** Called before each write of a status. */
  beforeStatus: (nth: number) => Promise<void> = async () => {};
  mayGoOn = () => true;
  /** After so many pods the API refuses more. */
  mostPods = Number.POSITIVE_INFINITY;
  #statuses = 0;
  #pods = 0;

  async createReplicaSet(replicas: number): Promise<void> {
    await this.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
    await this.create('replicasets.apps', {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web', namespace: 'default' },
      spec: { replicas, selector: { matchLabels: { app: 'web' } }, template },
    });
  }

  async scale(replicas: number): Promise<void> {
    const found = await this.registry.get<ReplicaSet>(PLACE);
    if (!found?.spec) throw new Error('the ReplicaSet is gone');
    await this.registry.update('replicasets.apps', { ...found, spec: { ...found.spec, replicas } });
  }

  async sync(): Promise<SyncReport> {
    const deps = {
      events: { record: async () => {} },
      ids: this.ids,
      burstReplicas: BURST,
      tallies: new PodTallies(0),
    };
    const context: SyncContext = {
      registry: new GuardedRegistry(this.#watched(), () => 60_000),
      objectStore: new GuardedObjectStore(this.objectStore, () => true),
      nowMs: this.clock.now(),
      item: { failures: 0 },
      recordIntent: async (intent: Intent | undefined) => void this.intents.push(intent?.count),
      mayGoOn: () => this.mayGoOn(),
    };
    return await syncReplicaSet(deps, KEY, context);
  }

  async podCount(): Promise<number> {
    return (await this.objectStore.list<Pod>('pods', { namespace: 'default' })).items.length;
  }

  #watched(): Registry {
    const { registry } = this;
    return {
      get: (key) => registry.get(key),
      list: (resource, options) => {
        if (options?.index?.value) this.lists += 1;
        return registry.list(resource, options);
      },
      create: async (resource, object, options) => {
        this.#pods += 1;
        if (this.#pods > this.mostPods) throw new Error('unavailable');
        return await registry.create(resource, object, options);
      },
      update: async (resource, object, options) => {
        this.#statuses += 1;
        await this.beforeStatus(this.#statuses);
        return await registry.update(resource, object, options);
      },
      delete: (key, options) => registry.delete(key, options),
    };
  }
}

let bench: BurstBench;
beforeEach(() => {
  bench = new BurstBench();
});

describe('a ReplicaSet that lacks more pods than it creates at a time', () => {
  test('creates the next ones by what it has read and created', async () => {
    await bench.createReplicaSet(25);
    const { outcome, why } = await bench.sync();
    expect(outcome).toEqual({ status: 'done' });
    expect(why).toEqual([
      'it wants 25 pods and has 0: create 10',
      'it wants 25 pods and has 10: create 10',
      'it wants 25 pods and has 20: create 5',
    ]);
    expect(bench.lists).toBe(1);
    expect(await bench.podCount()).toBe(25);
    expect(bench.intents).toEqual([10, undefined, 10, undefined, 5, undefined]);
    expect((await bench.registry.get<ReplicaSet>(PLACE))?.status).toMatchObject({
      replicas: 25,
      observedGeneration: 1,
    });
  });

  test('reads all pods again after ten times', async () => {
    await bench.createReplicaSet(105);
    expect((await bench.sync()).outcome).toEqual({ status: 'requeueAfter', delayMs: 0 });
    expect(await bench.podCount()).toBe(100);
  });

  test('stops when somebody has changed it', async () => {
    await bench.createReplicaSet(25);
    bench.beforeStatus = async (nth) => (nth === 2 ? await bench.scale(3) : undefined);
    expect((await bench.sync()).outcome).toEqual({ status: 'conflict' });
    expect(await bench.podCount()).toBe(20);
  });

  test('stops when its time is nearly over', async () => {
    await bench.createReplicaSet(25);
    bench.mayGoOn = () => false;
    expect((await bench.sync()).outcome).toEqual({ status: 'requeueAfter', delayMs: 0 });
    expect(await bench.podCount()).toBe(10);
  });

  test('stops at a create that was not answered, and leaves its intent', async () => {
    await bench.createReplicaSet(25);
    bench.mostPods = 12;
    await expect(bench.sync()).rejects.toThrow('unavailable');
    expect(await bench.podCount()).toBe(12);
    expect(bench.intents).toEqual([10, undefined, 10]);
  });
});
