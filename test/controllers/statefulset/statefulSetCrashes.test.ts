import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { MemoryJournal } from '../../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { guardWrites } from '../../../lambdas/controllers/guardWrites.ts';
import { createStatefulSetController } from '../../../lambdas/controllers/statefulset/createStatefulSetController.ts';
import { getOrdinal } from '../../../lambdas/controllers/statefulset/podIdentity.ts';
import { isRunningAndReady, isTerminating } from '../../../lambdas/controllers/statefulset/setState.ts';
import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Pod, StatefulSet } from '../../../lambdas/objects/kinds.ts';
import { formatTime } from '../../../lambdas/ports/Clock.ts';
import type { Intent } from '../../../lambdas/ports/KeyLocks.ts';
import { createRegistry } from '../../../lambdas/registry/createRegistry.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { CrashingStore, type Fate } from '../../support/CrashingStore.ts';
import { CLAIM_TEMPLATE, statefulSetManifest, templateOf } from '../../support/statefulSetFixtures.ts';

const KEY = { controller: 'statefulset', namespace: 'default', name: 'web' } as const;
const SET = { resource: 'statefulsets.apps', namespace: 'default', name: 'web' } as const;
const STEP_MS = 10_000;
/** What is done to the set at which step; each has time enough, a worker that is away included. */
const SCRIPT: Readonly<Record<number, object>> = {
  14: { template: onNode('nginx:2') },
  36: { replicas: 1 },
  50: { replicas: 2 },
};
const STEPS = 84;
/** A worker that is away for so many steps is back after the others have gone on, and a held-up write comes when it is. */
const LATE_STEPS = 4;
/** So many steps after a crash the user wants again what the script says. */
const RESTORE_STEPS = 8;

/** A pod that has a node is deleted gracefully. */
function onNode(image: string) {
  const template = templateOf(image);
  return { ...template, spec: { ...template.spec, nodeName: 'node-1' } };
}

/** A StatefulSet's controller whose worker crashes at one of its writes, beside kubelets that take a step to start or stop a pod. */
class CrashBench {
  readonly clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
  readonly ids = new SeededIds(3);
  readonly store = openEmbeddedStore({ journal: new MemoryJournal(), clock: this.clock }).objectStore;
  readonly crashing = new CrashingStore(this.store);
  readonly calm = this.#registryOf(this.store);
  readonly #guarded = guardWrites(
    createStatefulSetController({ registry: this.calm, ids: this.ids, events: { record: async () => {} } }),
    { registry: this.#registryOf(this.crashing), objectStore: this.crashing, clock: this.clock },
  );
  #intent: Intent | undefined;
  #stepsSinceCrash = Number.POSITIVE_INFINITY;
  #known = new Map<string, Pod>();
  /** What must not happen. */
  readonly offences: string[] = [];
  lastWhy: readonly string[] = [];

  #registryOf(objectStore: CrashBench['store']) {
    const catalog = createResourceCatalog(resourceEntries);
    return createRegistry({ objectStore, clock: this.clock, ids: this.ids, catalog });
  }

  async start(spec: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await this.calm.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
    const given = statefulSetManifest({ template: onNode('nginx:1'), ...spec });
    const outcome = await this.calm.create('statefulsets.apps', given);
    if (outcome.status === 'refused') throw outcome.error;
  }

  async set(): Promise<StatefulSet> {
    return (await this.calm.get<StatefulSet>(SET)) as StatefulSet;
  }

  async pods(): Promise<readonly Pod[]> {
    return (await this.store.list<Pod>('pods', { namespace: 'default' })).items;
  }

  async change(spec: object): Promise<void> {
    const set = await this.set();
    await this.calm.update('statefulsets.apps', { ...set, spec: { ...set.spec, ...spec } } as StatefulSet);
  }

  /** `reaction`: what the user changes right after the crash, and takes back some steps later. */
  async run(fate: (nth: number) => Fate, awaySteps: number, reaction: object = {}): Promise<void> {
    this.crashing.fate = fate;
    let wanted: object = { replicas: 3, template: onNode('nginx:1') };
    for (let step = 0; step < STEPS; step++) {
      wanted = { ...wanted, ...SCRIPT[step] };
      if (SCRIPT[step] ?? this.#stepsSinceCrash === RESTORE_STEPS) await this.change(wanted);
      if (this.#stepsSinceCrash++ >= awaySteps) await this.sync();
      await this.#judge();
      if (this.#stepsSinceCrash === 0) await this.change(reaction);
      await this.kubelet();
      this.clock.advanceBy(STEP_MS);
      if (this.#stepsSinceCrash === LATE_STEPS) await this.#arrive();
    }
  }

  /** A write that comes after another worker has taken over changes no pod. */
  async #arrive(): Promise<void> {
    const text = async () => (await this.pods()).map((pod) => `${pod.metadata.uid} ${isTerminating(pod)}`).join();
    const before = await text();
    await this.crashing.arrive();
    if ((await text()) !== before) this.offences.push('a late write has changed a pod');
    await this.#judge();
  }

  /** Starts the pods that were there a step ago, and ends those that are being deleted. */
  async kubelet(): Promise<void> {
    for (const pod of await this.pods()) {
      const { name, namespace = '' } = pod.metadata;
      if (isTerminating(pod)) await this.store.remove({ resource: 'pods', namespace, name });
      else if (!isRunningAndReady(pod)) await this.#makeReady(pod);
    }
    this.#known = new Map((await this.pods()).map((pod) => [pod.metadata.uid, pod]));
  }

  async #makeReady(pod: Pod): Promise<void> {
    const ready = { type: 'Ready', status: 'True', lastTransitionTime: formatTime(this.clock.now()) };
    const status = { ...pod.status, phase: 'Running', conditions: [ready] };
    await this.calm.update('pods', { ...pod, status }, { subresource: 'status' });
  }

  /** Of the pods that are new, all with lower ordinals must have been ready. Only one pod may be taken down at a time, and none may come that is not wanted. */
  async #judge(): Promise<void> {
    const pods = await this.pods();
    const { replicas = 0 } = (await this.set()).spec ?? {};
    for (const pod of pods.filter(({ metadata }) => !this.#known.has(metadata.uid))) {
      const ordinal = getOrdinal(pod);
      const before = [...this.#known.values()].filter((one) => getOrdinal(one) < ordinal && isRunningAndReady(one));
      if (before.length < ordinal) this.offences.push(`${pod.metadata.name} came before those with lower ordinals`);
      if (ordinal >= replicas) this.offences.push(`${pod.metadata.name} came though ${replicas} are wanted`);
      this.#known.set(pod.metadata.uid, pod);
    }
    const down = pods.filter(isTerminating).map(({ metadata }) => metadata.name);
    if (down.length > 1) this.offences.push(`${down.join(' and ')} are down at once`);
  }

  /** Syncs until there is nothing left to do at this moment. */
  async sync(): Promise<void> {
    for (let round = 0; round < 20; round++) {
      const item = { failures: 0, ...(this.#intent && { intent: this.#intent }) };
      const recordIntent = async (intent: Intent | undefined) => {
        this.#intent = intent;
      };
      const nowMs = this.clock.now();
      try {
        const start = { nowMs, deadlineMs: nowMs + 30_000, item, recordIntent };
        const { outcome, why } = await this.#guarded.sync(KEY, start);
        this.lastWhy = why;
        if (outcome.status !== 'conflict' && !(outcome.status === 'requeueAfter' && outcome.delayMs === 0)) return;
      } catch (error) {
        if (!String(error).includes('did not answer')) throw error;
        this.#stepsSinceCrash = 0;
        return;
      }
    }
    throw new Error(`it does not come to rest: ${this.lastWhy.join('; ')}`);
  }

  async lives(): Promise<string[]> {
    return (await this.pods()).map(({ metadata, spec }) => `${metadata.name} ${spec?.containers[0]?.image}`);
  }
}

/** How many writes the syncs make if none of them crashes. */
async function writesOf(spec: Readonly<Record<string, unknown>>): Promise<number> {
  const bench = new CrashBench();
  await bench.start(spec);
  await bench.run(() => 'arrive', 1);
  expect(bench.offences).toEqual([]);
  return bench.crashing.writes;
}

describe('a sync of a StatefulSet that crashes at any of its writes', () => {
  const claims = { whenScaled: 'Retain', whenDeleted: 'Delete' };
  const SPECS = {
    'ordered pods': {},
    'pods with claims': { volumeClaimTemplates: [CLAIM_TEMPLATE], persistentVolumeClaimRetentionPolicy: claims },
  };

  const REACTIONS = {
    'does nothing': {},
    'scales the set to nothing': { replicas: 0 },
    'goes back to the first template': { template: onNode('nginx:1') },
  };

  test.each<[Fate, keyof typeof SPECS, number, keyof typeof REACTIONS]>([
    ['lost', 'ordered pods', 1, 'does nothing'],
    ['unanswered', 'ordered pods', 1, 'does nothing'],
    ['late', 'ordered pods', 1, 'does nothing'],
    ['late', 'ordered pods', 1, 'scales the set to nothing'],
    ['late', 'ordered pods', 1, 'goes back to the first template'],
    ['unanswered', 'ordered pods', 1, 'goes back to the first template'],
    ['late', 'ordered pods', 3, 'does nothing'],
    ['unanswered', 'pods with claims', 1, 'does nothing'],
    ['late', 'pods with claims', 1, 'scales the set to nothing'],
  ])(
    'whose write is %s, of %s, another worker coming after %d steps, while the user %s, ends as it should and breaks no promise',
    async (fate, kind, awaySteps, reaction) => {
      const spec = SPECS[kind];
      const writes = await writesOf(spec);
      for (let crash = 0; crash < writes; crash++) {
        const bench = new CrashBench();
        await bench.start(spec);
        await bench.run((nth) => (nth === crash ? fate : 'arrive'), awaySteps, REACTIONS[reaction]);
        const what = `write ${crash}`;
        expect([what, bench.offences]).toEqual([what, []]);
        expect([what, await bench.lives()]).toEqual([what, ['web-0 nginx:2', 'web-1 nginx:2']]);
        expect([what, (await bench.set()).status]).toMatchObject([
          what,
          { replicas: 2, readyReplicas: 2, updatedReplicas: 2 },
        ]);
      }
    },
    60_000,
  );
});

describe('a set that takes the place of another of its name', () => {
  test('waits for its pods without an error, and makes its own once they are gone', async () => {
    const bench = new CrashBench();
    await bench.start({ replicas: 1 });
    await bench.sync();
    const before = await bench.set();
    await bench.calm.delete(SET);
    const outcome = await bench.calm.create(
      'statefulsets.apps',
      statefulSetManifest({ replicas: 1, template: onNode('nginx:2') }),
    );
    expect(outcome.status).toBe('stored');
    await bench.sync();
    expect(bench.lastWhy.at(-1)).toBe('waits until the other pod with the name web-0 is gone');
    expect((await bench.pods()).map((pod) => controllerOf(pod)?.uid)).toEqual([before.metadata.uid]);
    await bench.calm.delete({ resource: 'pods', namespace: 'default', name: 'web-0' });
    await bench.kubelet();
    await bench.sync();
    expect(await bench.lives()).toEqual(['web-0 nginx:2']);
  });

  test('gets no pod by a create that comes late, once another pod that had the name is gone and before the next sync', async () => {
    const bench = new CrashBench();
    await bench.start({ replicas: 1 });
    bench.crashing.fate = (nth) => (nth === 1 ? 'late' : 'arrive');
    await bench.sync();
    expect(await bench.lives()).toEqual([]);
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-0', namespace: 'default' } };
    const spec = { containers: [{ name: 'main', image: 'foreign' }] };
    await bench.calm.create('pods', { ...pod, spec });
    await bench.change({ replicas: 0 });
    await bench.sync();
    expect(await bench.lives()).toEqual(['web-0 foreign']);
    await bench.calm.delete({ resource: 'pods', namespace: 'default', name: 'web-0' });
    await bench.crashing.arrive();
    expect(await bench.lives()).toEqual([]);
  });
});
