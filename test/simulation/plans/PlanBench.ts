import { setImmediate as turn } from 'node:timers/promises';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { EmbeddedKeyLocks } from '../../../lambdas/adapters/embedded/EmbeddedKeyLocks.ts';
import { openEmbeddedStore } from '../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { SimulatedPodRuntime } from '../../../lambdas/adapters/simulated/SimulatedPodRuntime.ts';
import type { Controller } from '../../../lambdas/controllers/Controller.ts';
import { PLAIN_HOLD_MS } from '../../../lambdas/functions/limits.ts';
import { parseConfig } from '../../../lambdas/functions/parseConfig.ts';
import { createResyncHandler } from '../../../lambdas/functions/resync/createResyncHandler.ts';
import { simulatedNode } from '../../../lambdas/functions/resync/simulatedNode.ts';
import { createControllers } from '../../../lambdas/functions/sync/createControllers.ts';
import { createSyncHandler, type SyncHandler } from '../../../lambdas/functions/sync/createSyncHandler.ts';
import { EMBEDDED_SYNC_CONFIG } from '../../../lambdas/functions/sync/SyncConfig.ts';
import type { KubernetesObject, NewObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { STANDARD_STORAGE_CLASS } from '../../../lambdas/objects/simulated/simulatedStorage.ts';
import type { GroupResource } from '../../../lambdas/objects/ObjectKey.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import type { KeyLocks } from '../../../lambdas/ports/KeyLocks.ts';
import type { ObjectStore } from '../../../lambdas/ports/ObjectStore.ts';
import type { ControllerName } from '../../../lambdas/controllers/controllerRooms.ts';
import type { ReceivedMessage, WorkQueue } from '../../../lambdas/ports/WorkQueue.ts';
import { createRegistry } from '../../../lambdas/registry/createRegistry.ts';
import { DefinedResources } from '../../../lambdas/registry/customresources/DefinedResources.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { kubeletAuthority } from '../../support/kubeletAuthority.ts';
import { World } from '../World.ts';
import type { Defect, Plan } from './Plan.ts';
import { PlanQueue } from './PlanQueue.ts';
import { PlanTally } from './PlanTally.ts';
import { RecordingJournal } from './RecordingJournal.ts';
import { Subject } from './Subject.ts';

/** Two minutes before a full hour. */
const START_MS = Date.parse('2026-01-01T00:58:00Z');
/** More than any story needs. */
const MAX_STEPS = 20_000;
/** What there is, without waiting for more. */
const AT_ONCE = AbortSignal.abort();
const NO_METRICS = { began: () => () => {}, retried: () => {}, alarmed: () => {} };

interface Process {
  readonly controllers: readonly Controller[];
  readonly sync: SyncHandler;
}

interface Reach {
  readonly objectStore: ObjectStore;
  readonly keyLocks: KeyLocks;
  readonly queue: WorkQueue;
}

export interface PlanBenchOptions {
  /** The controllers that do not run. */
  readonly without?: readonly ControllerName[] | undefined;
  readonly plan?: Plan | undefined;
  readonly defect?: Defect | undefined;
}

/** All controllers on a virtual clock, one sync at a time, with the plan for one of them, which has a process of its own. */
export class PlanBench {
  readonly clock = new VirtualClock(START_MS);
  readonly world = new World();
  readonly tally: PlanTally;
  readonly #ids = new SeededIds(1);
  readonly #journal = new RecordingJournal();
  readonly #store = openEmbeddedStore({ journal: this.#journal, clock: this.clock });
  readonly #stream = this.#store.stream.open();
  readonly #keyLocks = new EmbeddedKeyLocks();
  readonly #queue = new PlanQueue(this.clock);
  readonly #name: ControllerName;
  readonly #without: readonly ControllerName[];
  readonly #defect: Defect | undefined;
  readonly #changes = new Map<number, Change>();
  readonly registry = this.#registryOf(this.#store.objectStore).registry;
  readonly #others: Process;
  #subject!: Subject;
  #process!: Process;

  constructor(name: ControllerName, { without = [], plan, defect }: PlanBenchOptions) {
    this.#name = name;
    this.#without = without;
    this.#defect = defect;
    this.tally = new PlanTally(plan);
    const reach = { objectStore: this.#store.objectStore, keyLocks: this.#keyLocks, queue: this.#queue };
    this.#others = this.#createProcess(reach, (other) => other !== name);
    this.#restart();
  }

  /** Creates what is there before anything else: namespaces, a storage class and two nodes, whose processors are for all their pods together. */
  async bootstrap(): Promise<void> {
    for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease'])
      await this.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await this.create('storageclasses.storage.k8s.io', STANDARD_STORAGE_CLASS);
    for (const number of [1, 2])
      await this.create('nodes', simulatedNode(number, { capacity: { cpu: '896' } }, this.clock.now()));
  }

  /** From here on the plan may strike. */
  beginPlan(): void {
    this.tally.sinceVersion = Math.max(0, ...this.#changes.keys());
  }

  async create<T extends KubernetesObject>(resource: GroupResource, object: NewObject): Promise<T> {
    const outcome = await this.registry.create<T>(resource, object);
    if (outcome.status === 'refused') throw outcome.error;
    return outcome.object;
  }

  /** Changes an object, or its `subresource`, as a user does. */
  async update(
    resource: GroupResource,
    name: string,
    change: (object: never) => object,
    options: { readonly namespace?: string; readonly subresource?: 'status' | 'approval' } = {},
  ): Promise<void> {
    const { namespace = 'default', subresource } = options;
    const object = await this.registry.get({ resource, namespace, name });
    if (!object) throw new Error(`there is no ${resource} ${namespace}/${name}`);
    const changed = { ...object, ...change(object as never) };
    const outcome = await this.registry.update(resource, changed, subresource ? { subresource } : {});
    if (outcome.status === 'refused') throw outcome.error;
  }

  async delete(resource: GroupResource, name: string, namespace = 'default'): Promise<void> {
    const outcome = await this.registry.delete({ resource, namespace, name });
    if (outcome.status === 'refused') throw outcome.error;
  }

  /** Queues all keys of the controller under test, as each day and after a restart. */
  async resync(): Promise<void> {
    if (this.#defect === 'neverResyncs') return;
    const ports = { objectStore: this.#store.objectStore, workQueue: this.#queue, keyLocks: this.#keyLocks };
    const { controllers } = this.#process;
    const parts = { ports: { ...ports, clock: this.clock, workClock: this.clock }, controllers, log: () => {} };
    await createResyncHandler(parts)({ what: 'all' });
  }

  /** Lets everybody work for so long. `look` is called after each step. */
  async run(ms: number, look: () => void = () => {}): Promise<void> {
    const endMs = this.clock.now() + ms;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      await this.#deliver();
      look();
      const message = this.#queue.receive();
      if (message) await this.#sync(message);
      else if (this.#nextMs() > endMs) return this.clock.advanceTo(endMs);
      else this.clock.advanceTo(this.#nextMs());
    }
    throw new Error('it does not come to rest');
  }

  #nextMs(): number {
    return Math.min(this.#queue.nextMs(), this.clock.nextDueMs() ?? Number.POSITIVE_INFINITY);
  }

  async #sync(message: ReceivedMessage): Promise<void> {
    const isSubject = message.key.controller === this.#name;
    this.#subject.isSyncing = isSubject;
    if (this.#defect === 'acknowledgesFirst') this.#queue.acknowledge(message);
    const [outcome] = await this.#carryOut((isSubject ? this.#process : this.#others).sync([message]));
    this.#subject.isSyncing = false;
    if (outcome?.outcome === 'acknowledge') this.#queue.acknowledge(message);
    this.clock.advanceBy(1);
    const { missed } = this.#subject;
    this.#subject.missed = undefined;
    if (this.#subject.isDead) this.#restart();
    const late = missed === undefined ? undefined : this.#changes.get(missed);
    if (late) await this.#show(late, this.#process);
  }

  /** Some syncs wait for a while themselves. What takes real time, such as the loading of a module, is waited for. */
  async #carryOut<T>(work: Promise<T>): Promise<T> {
    const deadlineMs = this.clock.now() + EMBEDDED_SYNC_CONFIG.syncTimeoutMs;
    const state = { isOver: false };
    const end = () => {
      state.isOver = true;
    };
    work.then(end, end);
    for (await turn(); !state.isOver; await turn()) {
      const nextMs = this.clock.nextDueMs() ?? deadlineMs;
      if (nextMs < deadlineMs) this.clock.advanceTo(nextMs);
    }
    return await work;
  }

  async #deliver(): Promise<void> {
    for (const change of await this.#stream.next(AT_ONCE)) {
      this.world.apply(change);
      this.#changes.set(change.version, change);
      await this.#show(change, this.#others);
      await this.#show(change, this.#process, () => !this.tally.isNext('unobserved'));
    }
  }

  /** Queues the keys that the change has for the controllers of a process, if it is to learn of them. */
  async #show(change: Change, { controllers }: Process, learns = () => true): Promise<void> {
    for (const controller of controllers.filter(({ watches }) => watches.includes(change.resource))) {
      const keys = await controller.keysFor(change);
      if (keys.length > 0 && learns()) await this.#queue.send(keys);
    }
  }

  #restart(): void {
    const { objectStore: store } = this.#store;
    const reached = { store, keyLocks: this.#keyLocks, queue: this.#queue, journal: this.#journal, clock: this.clock };
    this.#subject = new Subject({ ...reached, writesBlindly: this.#defect === 'writesBlindly' }, this.tally);
    this.#process = this.#createProcess(this.#subject, (other) => other === this.#name);
  }

  #createProcess({ objectStore, keyLocks, queue }: Reach, runs: (name: string) => boolean): Process {
    const { registry, catalog } = this.#registryOf(objectStore);
    const ports = { workQueue: queue, keyLocks, clock: this.clock, workClock: this.clock, ids: this.#ids };
    const disabled = this.#without.map((name) => [name, { enabled: false }] as const);
    const controllers = createControllers({
      ports: { ...ports, objectStore, podRuntime: new SimulatedPodRuntime() },
      registry,
      catalog,
      config: parseConfig({ controllers: Object.fromEntries(disabled) }),
      lateCreatesMs: 1_000,
      sharesObjects: true,
      plainHoldMs: PLAIN_HOLD_MS,
      rootCaBundle: 'ca',
      certificateAuthority: kubeletAuthority,
      log: () => {},
    }).filter(({ name }) => runs(name));
    const sync = createSyncHandler({
      ports,
      controllers,
      config: EMBEDDED_SYNC_CONFIG,
      metrics: NO_METRICS,
      log: () => {},
    });
    return { controllers, sync };
  }

  #registryOf(objectStore: ObjectStore) {
    const { clock } = this;
    const catalog = createResourceCatalog(resourceEntries, new DefinedResources({ objectStore, clock }));
    return { registry: createRegistry({ objectStore, clock, ids: this.#ids, catalog }), catalog };
  }
}
