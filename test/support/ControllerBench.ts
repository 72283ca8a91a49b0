import { MemoryJournal } from '../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { SimulatedPodRuntime } from '../../lambdas/adapters/simulated/SimulatedPodRuntime.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import type { Controller, SyncContext } from '../../lambdas/controllers/Controller.ts';
import type { EventRecorder } from '../../lambdas/controllers/EventRecorder.ts';
import { guardWrites } from '../../lambdas/controllers/guardWrites.ts';
import { createPodController } from '../../lambdas/controllers/pod/createPodController.ts';
import { createSchedulerController } from '../../lambdas/controllers/scheduler/createSchedulerController.ts';
import { PlainBinds } from '../../lambdas/controllers/scheduler/PlainBinds.ts';
import { PlainChoice } from '../../lambdas/controllers/scheduler/PlainChoice.ts';
import { simulatedNode } from '../../lambdas/functions/resync/simulatedNode.ts';
import type { KubernetesObject, NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { Change } from '../../lambdas/ports/ChangeLog.ts';
import { encodeWorkKey, type WorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { KeyToSend } from '../../lambdas/ports/WorkQueue.ts';
import { createRegistry } from '../../lambdas/registry/createRegistry.ts';
import { DefinedResources } from '../../lambdas/registry/customresources/DefinedResources.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';

/** A store in memory with its registry, and the simplest loop around some controllers: from changes to keys, from keys to syncs, until nothing is left. */
export class ControllerBench {
  readonly clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
  readonly ids = new SeededIds(1);
  readonly store = openEmbeddedStore({ journal: new MemoryJournal(), clock: this.clock });
  readonly objectStore = this.store.objectStore;
  readonly registry = createRegistry({
    objectStore: this.objectStore,
    clock: this.clock,
    ids: this.ids,
    catalog: createResourceCatalog(
      resourceEntries,
      new DefinedResources({ objectStore: this.objectStore, clock: this.clock }),
    ),
  });
  readonly #reader = this.store.stream.open();
  readonly #controllers: Controller[] = [];
  readonly #delayed = new Map<string, { key: WorkKey; dueMs: number }>();
  readonly #held = new Set<string>();

  add(controller: Controller<SyncContext>): void {
    this.#controllers.push(guardWrites(controller, this));
  }

  /** Adds the scheduler and the kubelets of simulated nodes. */
  addPodControllers(events: EventRecorder = { record: async () => {} }): void {
    const { registry, clock } = this;
    const shared = { binds: new PlainBinds(), choice: new PlainChoice() };
    const sendKeys = async (keys: readonly KeyToSend[]) => {
      for (const { key, delayMs = 0 } of keys) this.#delay(key, delayMs);
    };
    const podRuntime = new SimulatedPodRuntime();
    const scheduling = { sendKeys, ...shared };
    this.add(
      createPodController({ registry, clock, podRuntime, scheduling, schedulerEvents: events, kubeletEvents: events }),
    );
    const delays = { seenMs: 0, heldMs: 0 };
    this.add(createSchedulerController({ registry, clock, events, delays, leavesPlainPods: true, ...shared }));
  }

  /** Creates a simulated node. */
  async createNode(name: string): Promise<void> {
    await this.create('nodes', simulatedNode(1, { name }, this.clock.now()));
  }

  /** Creates an object through the registry; throws the error of a refusal. */
  async create<T extends KubernetesObject>(resource: string, object: NewObject): Promise<T> {
    const outcome = await this.registry.create<T>(resource, object);
    if (outcome.status === 'refused') throw outcome.error;
    return outcome.object;
  }

  get<T extends KubernetesObject>(resource: string, namespace: string, name: string): Promise<T | undefined> {
    return this.objectStore.get<T>({ resource, namespace, name });
  }

  async names(resource: string, namespace?: string): Promise<string[]> {
    const { items } = await this.objectStore.list(resource, namespace === undefined ? {} : { namespace });
    return items.map(({ metadata }) => metadata.name);
  }

  /** Runs until no key is due, without moving the time. */
  async settle(): Promise<void> {
    for (let round = 0; round < 1000; round++) {
      const keys = [...(await this.#keysOfChanges()), ...this.#due()];
      if (keys.length === 0) return;
      for (const key of new Map(keys.map((one) => [encodeWorkKey(one), one])).values()) await this.#sync(key);
    }
    throw new Error('It does not settle.');
  }

  async advance(ms: number): Promise<void> {
    this.clock.advanceBy(ms);
    await this.settle();
  }

  /** Puts the syncs of a key off, as if a worker had died and left the key's lock behind. */
  hold(key: WorkKey): void {
    this.#held.add(encodeWorkKey(key));
  }

  /** Ends a hold, and runs what was put off. */
  async resume(key: WorkKey): Promise<void> {
    this.#held.delete(encodeWorkKey(key));
    this.#delay(key, 0);
    await this.settle();
  }

  async #keysOfChanges(): Promise<WorkKey[]> {
    const changes = await this.#reader.next(AbortSignal.abort());
    const keys: WorkKey[] = [];
    for (const change of changes) keys.push(...(await this.#keysFor(change)));
    return keys;
  }

  async #keysFor(change: Change): Promise<WorkKey[]> {
    const now: WorkKey[] = [];
    for (const controller of this.#controllers.filter(({ watches }) => watches.includes(change.resource))) {
      for (const { key, delayMs = 0 } of await controller.keysFor(change)) {
        if (delayMs > 0) this.#delay(key, delayMs);
        else now.push(key);
      }
    }
    return now;
  }

  #delay(key: WorkKey, delayMs: number): void {
    this.#delayed.set(encodeWorkKey(key), { key, dueMs: this.clock.now() + delayMs });
  }

  #due(): WorkKey[] {
    const due = [...this.#delayed].filter(([, { dueMs }]) => dueMs <= this.clock.now());
    for (const [encoded] of due) this.#delayed.delete(encoded);
    return due.map(([, { key }]) => key);
  }

  async #sync(key: WorkKey): Promise<void> {
    const controller = this.#controllers.find(({ name }) => name === key.controller);
    if (!controller || this.#held.has(encodeWorkKey(key))) return;
    const nowMs = this.clock.now();
    const report = await controller.sync(key, {
      nowMs,
      deadlineMs: nowMs + 30_000,
      item: { failures: 0 },
      recordIntent: async () => {},
    });
    if (report.outcome.status === 'conflict') await this.#sync(key);
    if (report.outcome.status === 'requeueAfter') this.#delay(key, report.outcome.delayMs);
  }
}
