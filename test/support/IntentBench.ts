import { MemoryJournal } from '../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import type { SyncReport, SyncStart } from '../../lambdas/controllers/Controller.ts';
import { guardWrites } from '../../lambdas/controllers/guardWrites.ts';
import { createReplicaSetController } from '../../lambdas/controllers/replicaset/createReplicaSetController.ts';
import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { Pod, ReplicaSet } from '../../lambdas/objects/kinds.ts';
import type { Intent } from '../../lambdas/ports/KeyLocks.ts';
import type { ObjectStore } from '../../lambdas/ports/ObjectStore.ts';
import { createRegistry } from '../../lambdas/registry/createRegistry.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';

const KEY = { controller: 'replicaset', namespace: 'default', name: 'web' } as const;
export const RS = { resource: 'replicasets.apps', namespace: 'default', name: 'web' } as const;

/** A request that was sent and has not arrived yet: it is let through when a test says so. */
type Request = () => Promise<unknown>;

/** One replica set's controller over a store whose writes of pods can be lost, answered never, or held back, as a crash or a stall would. */
export class IntentBench {
  readonly clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
  readonly ids = new SeededIds(7);
  readonly store = openEmbeddedStore({ journal: new MemoryJournal(), clock: this.clock }).objectStore;
  readonly burned: string[] = [];
  readonly recorded: (Intent | undefined)[] = [];
  intent: Intent | undefined;
  /** What becomes of the n-th write of a pod (from 0); `arrive` if it is not named. */
  fate: (nth: number) => 'arrive' | 'lost' | 'late' | 'unanswered' = () => 'arrive';
  readonly late: Request[] = [];
  /** Called before a name is burned. */
  beforeBurn: (name: string) => Promise<unknown> = async () => {};
  /** Called before a pod is replaced. */
  beforeReplace: (name: string) => Promise<unknown> = async () => {};
  #writes = 0;

  readonly #objectStore: ObjectStore = {
    get: (key) => this.store.get(key),
    list: (resource, options) => this.store.list(resource, options),
    create: (resource, object) => this.#send(resource, () => this.store.create(resource, object)),
    replace: async (resource, object) => {
      if (resource === 'pods') await this.beforeReplace(object.metadata.name);
      return await this.#send(resource, () => this.store.replace(resource, object));
    },
    remove: (key, preconditions) => this.#send(key.resource, () => this.store.remove(key, preconditions)),
    burn: async (key, uid) => {
      this.burned.push(key.name);
      await this.beforeBurn(key.name);
      return await this.store.burn(key, uid);
    },
  };
  readonly registry = createRegistry({
    objectStore: this.#objectStore,
    clock: this.clock,
    ids: this.ids,
    catalog: createResourceCatalog(resourceEntries),
  });
  readonly controller = guardWrites(
    createReplicaSetController({ registry: this.registry, ids: this.ids, events: { record: async () => {} } }),
    { registry: this.registry, objectStore: this.#objectStore, clock: this.clock },
  );

  async #send<T>(resource: string, request: () => Promise<T>): Promise<T> {
    const fate = resource === 'pods' ? this.fate(this.#writes++) : 'arrive';
    if (fate === 'arrive') return await request();
    if (fate === 'late') this.late.push(request);
    if (fate === 'unanswered') await request();
    throw new Error('the store did not answer');
  }

  /** One sync with what the key's item says; a later one finds what it left there. */
  async sync(): Promise<SyncReport | Error> {
    const nowMs = this.clock.now();
    const start: SyncStart = {
      nowMs,
      deadlineMs: nowMs + 30_000,
      item: { failures: 0, ...(this.intent && { intent: this.intent }) },
      recordIntent: async (intent) => {
        this.recorded.push(intent);
        this.intent = intent;
      },
    };
    return await this.controller.sync(KEY, start).catch((error: unknown) => error as Error);
  }

  /** Syncs until it ends `done`, as the queue would. */
  async converge(): Promise<void> {
    this.fate = () => 'arrive';
    for (let round = 0; round < 10; round++) {
      const report = await this.sync();
      if (!(report instanceof Error) && report.outcome.status === 'done') return;
    }
    throw new Error('it does not converge');
  }

  /** The requests of the earlier holder arrive, long after it has lost its lock. */
  async arrive(): Promise<void> {
    for (const request of this.late.splice(0)) await request();
  }

  async activePods(): Promise<readonly Pod[]> {
    const { items } = await this.store.list<Pod>('pods', { namespace: 'default' });
    return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  async create(resource: string, object: NewObject): Promise<void> {
    const outcome = await this.registry.create(resource, object);
    if (outcome.status === 'refused') throw outcome.error;
  }

  async createReplicaSet(replicas: number, labels: Readonly<Record<string, string>> = { app: 'web' }): Promise<void> {
    const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx' }] } };
    await this.create('replicasets.apps', {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web', namespace: 'default' },
      spec: { replicas, selector: { matchLabels: labels }, template },
    });
  }

  async scale(replicas: number): Promise<void> {
    const { spec, ...rest } = (await this.registry.get<ReplicaSet>(RS)) as ReplicaSet;
    await this.registry.update(RS.resource, { ...rest, spec: { ...spec, replicas } });
  }
}
