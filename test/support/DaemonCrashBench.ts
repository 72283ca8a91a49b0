import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { MemoryJournal } from '../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { createDaemonSetController } from '../../lambdas/controllers/daemonset/createDaemonSetController.ts';
import { targetNodeName } from '../../lambdas/controllers/daemonset/daemonPodTemplate.ts';
import { guardWrites } from '../../lambdas/controllers/guardWrites.ts';
import { boundPod } from '../../lambdas/controllers/scheduler/boundPod.ts';
import { simulatedNode } from '../../lambdas/functions/resync/simulatedNode.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { ControllerRevision, DaemonSet, Node, Pod } from '../../lambdas/objects/kinds.ts';
import { isPodReady } from '../../lambdas/objects/pods/podState.ts';
import { formatTime } from '../../lambdas/ports/Clock.ts';
import type { Intent } from '../../lambdas/ports/KeyLocks.ts';
import { createRegistry } from '../../lambdas/registry/createRegistry.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { CrashingStore } from './CrashingStore.ts';
import { daemonSetManifest } from './daemonSetFixtures.ts';

const KEY = { controller: 'daemonset', namespace: 'default', name: 'agent' } as const;
const STEP_MS = 1_000;

/** What becomes of the writes of a run: `dead` means that the worker sends nothing any more until its sync is over; the others as in `Fate`. */
export type CrashFate = 'lost' | 'unanswered' | 'late' | 'dead';

/** Which write of a run goes wrong, and how. */
export interface Crash {
  readonly nth: number;
  readonly fate: CrashFate;
  /** Nobody works for so many steps afterwards: the lock has to end first. */
  readonly awaySteps: number;
  /** A late write arrives so many steps after the crash. */
  readonly lateSteps: number;
}

/** What a user does before a step. */
export type Deed = (bench: DaemonCrashBench) => Promise<unknown>;

/** A DaemonSet's controller whose worker crashes at one of its writes, beside a scheduler and kubelets that take a step at a time. */
export class DaemonCrashBench {
  readonly clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
  readonly ids = new SeededIds(3);
  readonly store = openEmbeddedStore({ journal: new MemoryJournal(), clock: this.clock }).objectStore;
  readonly crashing = new CrashingStore(this.store);
  readonly calm = this.#registryOf(this.store);
  readonly #controller = guardWrites(
    createDaemonSetController({ registry: this.calm, events: { record: async () => {} }, ids: this.ids }),
    { registry: this.#registryOf(this.crashing), objectStore: this.crashing, clock: this.clock },
  );
  intent: Intent | undefined;
  #isDead = false;
  #stepsSinceCrash = Number.POSITIVE_INFINITY;

  #registryOf(objectStore: DaemonCrashBench['store']) {
    const catalog = createResourceCatalog(resourceEntries);
    return createRegistry({ objectStore, clock: this.clock, ids: this.ids, catalog });
  }

  async start(nodes: readonly string[], spec: Readonly<Record<string, unknown>>): Promise<void> {
    await this.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
    for (const name of nodes) await this.addNode(name);
    await this.create('daemonsets.apps', daemonSetManifest(spec));
  }

  async create(resource: string, object: Parameters<DaemonCrashBench['calm']['create']>[1]): Promise<void> {
    const outcome = await this.calm.create(resource, object);
    if (outcome.status === 'refused') throw outcome.error;
  }

  addNode(name: string): Promise<void> {
    return this.create('nodes', simulatedNode(1, { name }, this.clock.now()));
  }

  async taint(name: string, effect: 'NoExecute' | 'NoSchedule' | undefined): Promise<void> {
    const node = await this.#get<Node>('nodes', name, '');
    await this.#update('nodes', { ...node, spec: { ...node.spec, taints: effect ? [{ key: 'a', effect }] : [] } });
  }

  async removeNode(name: string): Promise<void> {
    await this.calm.delete({ resource: 'nodes', namespace: '', name });
  }

  async setImage(image: string): Promise<void> {
    const daemonSet = await this.daemonSet();
    const template = daemonSetManifest({}, { containers: [{ name: 'main', image }] }).spec.template;
    await this.#update('daemonsets.apps', { ...daemonSet, spec: { ...daemonSet.spec, template } } as DaemonSet);
  }

  /** Makes the pod of a node fail. */
  async fail(nodeName: string): Promise<void> {
    const pod = (await this.pods()).find((one) => targetNodeName(one) === nodeName);
    if (!pod) return;
    const status = { ...pod.status, phase: 'Failed', conditions: [] };
    await this.calm.update('pods', { ...pod, status }, { subresource: 'status' });
  }

  daemonSet(): Promise<DaemonSet> {
    return this.#get<DaemonSet>('daemonsets.apps', 'agent', 'default');
  }

  async pods(): Promise<readonly Pod[]> {
    return (await this.store.list<Pod>('pods', { namespace: 'default' })).items;
  }

  async revisions(): Promise<readonly ControllerRevision[]> {
    return (await this.store.list<ControllerRevision>('controllerrevisions.apps', { namespace: 'default' })).items;
  }

  /** Takes the steps of a story, looking after each write that may matter. */
  async run(
    steps: number,
    deeds: Readonly<Record<number, Deed>>,
    crash: Crash | undefined,
    look: () => Promise<void>,
  ): Promise<void> {
    this.crashing.fate = (nth) => this.#fateOf(nth, crash);
    for (let step = 0; step < steps; step++) {
      await deeds[step]?.(this);
      if (this.#stepsSinceCrash++ >= (crash?.awaySteps ?? 0)) await this.#sync();
      await look();
      await this.#stepPods();
      this.clock.advanceBy(STEP_MS);
      if (this.#stepsSinceCrash === crash?.lateSteps) await this.crashing.arrive();
      await look();
    }
  }

  #fateOf(nth: number, crash: Crash | undefined): 'arrive' | 'lost' | 'unanswered' | 'late' {
    if (this.#isDead) return 'lost';
    if (nth !== crash?.nth) return 'arrive';
    this.#stepsSinceCrash = 0;
    if (crash.fate !== 'dead') return crash.fate;
    this.#isDead = true;
    return 'lost';
  }

  /** Each pod goes one step: it is bound, becomes ready, or is gone. */
  async #stepPods(): Promise<void> {
    for (const pod of await this.pods()) {
      const { name, deletionTimestamp } = pod.metadata;
      if (deletionTimestamp !== undefined)
        await this.calm.delete({ resource: 'pods', namespace: 'default', name }, { gracePeriodSeconds: 0 });
      else if (pod.status?.phase === 'Failed') continue;
      else if (!pod.spec?.nodeName) await this.#bind(pod);
      else if (!isPodReady(pod)) await this.#makeReady(pod);
    }
  }

  async #bind(pod: Pod): Promise<void> {
    const key = { resource: 'nodes', namespace: '', name: targetNodeName(pod) ?? '' };
    const node = await this.calm.get<Node>(key);
    if (node) await this.calm.update('pods', boundPod(pod, node), { subresource: 'binding' });
  }

  async #makeReady(pod: Pod): Promise<void> {
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(this.clock.now()) }];
    const status = { ...pod.status, phase: 'Running', conditions };
    await this.calm.update('pods', { ...pod, status }, { subresource: 'status' });
  }

  async #get<T extends KubernetesObject>(resource: string, name: string, namespace: string): Promise<T> {
    const object = await this.calm.get<T>({ resource, namespace, name });
    if (!object) throw new Error(`there is no ${resource} ${name}`);
    return object;
  }

  async #update<T extends KubernetesObject>(resource: string, object: T): Promise<void> {
    const outcome = await this.calm.update<T>(resource, object);
    if (outcome.status === 'refused') throw outcome.error;
  }

  async #sync(): Promise<void> {
    const nowMs = this.clock.now();
    const recordIntent = async (intent: Intent | undefined) => {
      if (!this.#isDead) this.intent = intent;
    };
    const startOf = () => {
      const item = { failures: 0, ...(this.intent && { intent: this.intent }) };
      return { nowMs, deadlineMs: nowMs + 30_000, item, recordIntent };
    };
    try {
      const { outcome } = await this.#controller.sync(KEY, startOf());
      if (outcome.status === 'conflict') await this.#controller.sync(KEY, startOf());
    } catch (error) {
      if (!String(error).includes('the store did not answer')) throw error;
    }
    this.#isDead = false;
  }
}
