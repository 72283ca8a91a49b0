import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { MemoryJournal } from '../../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { SimulatedPodRuntime } from '../../../lambdas/adapters/simulated/SimulatedPodRuntime.ts';
import type { Controller, SyncContext } from '../../../lambdas/controllers/Controller.ts';
import { guardWrites } from '../../../lambdas/controllers/guardWrites.ts';
import { createJobController } from '../../../lambdas/controllers/job/createJobController.ts';
import { createPodController } from '../../../lambdas/controllers/pod/createPodController.ts';
import type { NewObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Job, Pod } from '../../../lambdas/objects/kinds.ts';
import { isPodActive } from '../../../lambdas/objects/pods/podState.ts';
import type { Intent } from '../../../lambdas/ports/KeyLocks.ts';
import { createRegistry } from '../../../lambdas/registry/createRegistry.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { CrashingStore, type Fate } from '../../support/CrashingStore.ts';
import { jobManifest } from '../../support/jobFixtures.ts';

const KEY = { controller: 'job', namespace: 'default', name: 'pi' } as const;
const ROUNDS = 50;

/** A Job's controller whose worker crashes at one of its writes, beside pods whose controller never does. */
class CrashBench {
  readonly clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
  readonly ids = new SeededIds(3);
  readonly store = openEmbeddedStore({ journal: new MemoryJournal(), clock: this.clock }).objectStore;
  readonly crashing = new CrashingStore(this.store);
  readonly #calm = this.#registryOf(this.store);
  readonly #events = { record: async () => {} };
  readonly #jobs = this.#guarded(this.crashing, (registry) =>
    createJobController({ registry, ids: this.ids, events: this.#events }),
  );
  readonly #pods = this.#guarded(this.store, (registry) =>
    createPodController({
      registry,
      podRuntime: new SimulatedPodRuntime(),
      clock: this.clock,
      schedulerEvents: this.#events,
      kubeletEvents: this.#events,
    }),
  );
  #intent: Intent | undefined;
  mostActive = 0;
  /** The last phase of each pod that ever existed, by UID. */
  readonly phases = new Map<string, string | undefined>();

  #registryOf(objectStore: CrashBench['store']) {
    const catalog = createResourceCatalog(resourceEntries);
    return createRegistry({ objectStore, clock: this.clock, ids: this.ids, catalog });
  }

  #guarded(
    objectStore: CrashBench['store'],
    create: (registry: ReturnType<typeof createRegistry>) => Controller<SyncContext>,
  ): Controller {
    const registry = this.#registryOf(objectStore);
    return guardWrites(create(registry), { registry, objectStore, clock: this.clock });
  }

  async create(resource: string, object: NewObject): Promise<void> {
    const outcome = await this.#calm.create(resource, object);
    if (outcome.status === 'refused') throw outcome.error;
  }

  async job(): Promise<Job> {
    return (await this.#calm.get<Job>({ resource: 'jobs.batch', ...KEY })) as Job;
  }

  async pods(): Promise<readonly Pod[]> {
    return (await this.store.list<Pod>('pods', { namespace: 'default' })).items;
  }

  /** Syncs all pods and the Job once a second, as if every change queued all keys. */
  async run(fate: (nth: number) => Fate): Promise<void> {
    this.crashing.fate = fate;
    for (let round = 0; round < ROUNDS; round++) {
      await this.#syncJob();
      const pods = await this.#look();
      for (const { metadata } of pods) await this.#syncPod(metadata.name);
      await this.#look();
      this.clock.advanceBy(1_000);
      // What was under way for long arrives after another worker has taken over.
      if (round % 2 === 1) await this.crashing.arrive();
    }
  }

  async #look(): Promise<readonly Pod[]> {
    const pods = await this.pods();
    for (const { metadata, status } of pods) this.phases.set(metadata.uid, status?.phase);
    this.mostActive = Math.max(this.mostActive, pods.filter(isPodActive).length);
    return pods;
  }

  async #syncJob(): Promise<void> {
    const nowMs = this.clock.now();
    const item = { failures: 0, ...(this.#intent && { intent: this.#intent }) };
    let left: Intent | undefined = this.#intent;
    const recordIntent = async (intent: Intent | undefined) => {
      left = intent;
      // Only what is recorded survives a crash. What is cleared is cleared by the release at the end.
      if (intent) this.#intent = intent;
    };
    try {
      await this.#jobs.sync(KEY, { nowMs, deadlineMs: nowMs + 30_000, item, recordIntent });
      this.#intent = left;
    } catch (error) {
      expect(String(error)).toContain('the store did not answer');
    }
  }

  async #syncPod(name: string): Promise<void> {
    const nowMs = this.clock.now();
    const start = { nowMs, deadlineMs: nowMs + 30_000, item: { failures: 0 }, recordIntent: async () => {} };
    await this.#pods.sync({ controller: 'pod', namespace: 'default', name }, start);
  }
}

/** The Job with pods that need no scheduler. */
function onNode(manifest: NewObject): NewObject {
  const { spec, ...rest } = manifest as unknown as ReturnType<typeof jobManifest>;
  const template = { ...spec.template, spec: { ...spec.template.spec, nodeName: 'node-1' } };
  return { ...rest, spec: { ...spec, template } };
}

async function run(manifest: NewObject, fate: (nth: number) => Fate) {
  const bench = new CrashBench();
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  await bench.create('nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-1' },
    spec: { providerID: 'driftless://node-1' },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });
  await bench.create('jobs.batch', onNode(manifest));
  await bench.run(fate);
  const {
    conditions = [],
    succeeded = 0,
    failed = 0,
    active,
    uncountedTerminatedPods,
  } = (await bench.job()).status ?? {};
  const phases = [...bench.phases.values()];
  const haveSucceeded = phases.filter((phase) => phase === 'Succeeded').length;
  return {
    writes: bench.crashing.writes,
    mostActive: bench.mostActive,
    ended: {
      condition: conditions.at(-1)?.type,
      held: (await bench.pods()).filter(({ metadata }) => metadata.finalizers !== undefined).length,
      active,
      uncountedTerminatedPods,
      // Each pod that ever was is counted, and counted once.
      counted: { succeeded: succeeded - haveSucceeded, failed: failed - (phases.length - haveSucceeded) },
    },
  };
}

const INDEXED = { completionMode: 'Indexed', completions: 4, parallelism: 3 };

interface Story {
  readonly name: string;
  readonly job: NewObject;
  readonly parallelism: number;
  readonly condition: 'Complete' | 'Failed';
}

const STORIES: readonly Story[] = [
  {
    name: 'of four completions',
    job: jobManifest({ completions: 4, parallelism: 2 }),
    parallelism: 2,
    condition: 'Complete',
  },
  {
    name: 'with a failure',
    job: jobManifest({ completions: 3, parallelism: 2 }, { 'fail-attempts': '1' }),
    parallelism: 2,
    condition: 'Complete',
  },
  {
    name: 'that fails while others run',
    job: jobManifest(
      { ...INDEXED, backoffLimit: 0 },
      { 'fail-indexes': '1', 'complete-after': '9s', 'crash-after': '2s' },
    ),
    parallelism: 3,
    condition: 'Failed',
  },
  { name: 'with indexes', job: jobManifest(INDEXED), parallelism: 3, condition: 'Complete' },
  {
    name: 'with failing indexes',
    job: jobManifest({ ...INDEXED, backoffLimitPerIndex: 1 }, { 'fail-indexes': '1,3' }),
    parallelism: 3,
    condition: 'Failed',
  },
];

describe.each(STORIES)('a Job $name', ({ job, parallelism, condition }) => {
  const ended = {
    condition,
    held: 0,
    active: undefined,
    uncountedTerminatedPods: {},
    counted: { succeeded: 0, failed: 0 },
  };

  test.each(['lost', 'unanswered', 'late'] as const)(
    'ends and has counted each pod once, whichever of its writes is %s',
    async (fate) => {
      const calm = await run(job, () => 'arrive');
      expect(calm).toMatchObject({ mostActive: parallelism, ended });
      for (let crash = 0; crash < calm.writes; crash++) {
        const crashed = await run(job, (nth) => (nth === crash ? fate : 'arrive'));
        expect([crash, crashed.ended]).toEqual([crash, ended]);
        expect(crashed.mostActive).toBeLessThanOrEqual(parallelism);
      }
    },
    120_000,
  );
});
