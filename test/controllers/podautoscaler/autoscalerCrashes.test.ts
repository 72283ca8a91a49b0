import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { MemoryJournal } from '../../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { guardWrites } from '../../../lambdas/controllers/guardWrites.ts';
import { createPodAutoscalerController } from '../../../lambdas/controllers/podautoscaler/createPodAutoscalerController.ts';
import type { Deployment, HorizontalPodAutoscaler, Pod } from '../../../lambdas/objects/kinds.ts';
import type { Intent } from '../../../lambdas/ports/KeyLocks.ts';
import type { MetricsClient } from '../../../lambdas/ports/MetricsClient.ts';
import { createRegistry } from '../../../lambdas/registry/createRegistry.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { autoscalerManifest, loadedDeployment } from '../../support/autoscalerFixtures.ts';
import { CrashingStore, type Fate } from '../../support/CrashingStore.ts';

const KEY = { controller: 'horizontalpodautoscaler', namespace: 'default', name: 'web' } as const;
const DEPLOYMENT = { resource: 'deployments.apps', namespace: 'default', name: 'web' } as const;
const STEP_MS = 5_000;
/** Seconds from which an external metric asks for so many replicas. */
const WANTED: readonly (readonly [number, number])[] = [
  [0, 2],
  [20, 30],
  [90, 3],
  [200, 12],
  [260, 1],
];
const STEPS = 100;
/** A late write arrives so many steps after its worker's crash, when others have synced the key. */
const LATE_STEPS = 3;

const UP = { pods: 5, seconds: 30 };
const DOWN = { pods: 4, seconds: 20 };
const WINDOW_SECONDS = 60;
const BEHAVIOR = {
  scaleUp: { policies: [{ type: 'Pods', value: UP.pods, periodSeconds: UP.seconds }] },
  scaleDown: {
    stabilizationWindowSeconds: WINDOW_SECONDS,
    policies: [{ type: 'Pods', value: DOWN.pods, periodSeconds: DOWN.seconds }],
  },
};

/** An autoscaler whose worker crashes at one of its writes, and is synced every five seconds, three times as often as it should be. */
class CrashBench {
  readonly clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
  readonly startMs = this.clock.now();
  readonly ids = new SeededIds(5);
  readonly store = openEmbeddedStore({ journal: new MemoryJournal(), clock: this.clock }).objectStore;
  readonly crashing = new CrashingStore(this.store);
  readonly catalog = createResourceCatalog(resourceEntries);
  readonly #calm = this.#registryOf(this.store);
  readonly #guarded = guardWrites(
    createPodAutoscalerController({
      registry: this.#calm,
      catalog: this.catalog,
      clock: this.clock,
      metrics: this.#metrics(),
      events: { record: async () => {} },
    }),
    { registry: this.#registryOf(this.crashing), objectStore: this.crashing, clock: this.clock },
  );
  #intent: Intent | undefined;
  #intents = 0;
  /** At which record of an intent the worker crashes, after it was written. */
  crashAtIntent = Number.POSITIVE_INFINITY;
  /** The replicas after each step. */
  readonly sizes: number[] = [];
  #stepsSinceCrash = Number.POSITIVE_INFINITY;

  get intents(): number {
    return this.#intents;
  }

  #registryOf(objectStore: CrashBench['store']) {
    return createRegistry({ objectStore, clock: this.clock, ids: this.ids, catalog: this.catalog });
  }

  #metrics(): MetricsClient {
    const unavailable = async () => ({ status: 'unavailable', message: 'nobody measures it' }) as const;
    const wanted = () => {
      const seconds = (this.clock.now() - this.startMs) / 1_000;
      return WANTED.findLast(([from]) => from <= seconds)?.[1] ?? 0;
    };
    return {
      podUsages: async () => ({ usages: [], problems: [] }),
      nodeUsages: async () => ({ usages: [], problems: [] }),
      podMetric: unavailable,
      objectMetric: unavailable,
      externalMetric: async (_metric, _namespace, _selects, nowMs) => ({
        status: 'measured',
        value: [
          {
            metricLabels: {},
            value: { nanos: BigInt(wanted()) * 1_000_000_000n, format: 'DecimalSI' },
            timestampMs: nowMs,
            windowMs: 0,
          },
        ],
      }),
    };
  }

  async start(): Promise<void> {
    await this.#calm.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
    await this.#calm.create<Deployment>('deployments.apps', loadedDeployment(2));
    const target = { type: 'AverageValue', averageValue: '1' };
    const spec = {
      minReplicas: 2,
      maxReplicas: 20,
      behavior: BEHAVIOR,
      metrics: [{ type: 'External', external: { metric: { name: 'queue' }, target } }],
    };
    const created = await this.#calm.create<HorizontalPodAutoscaler>(
      'horizontalpodautoscalers.autoscaling',
      autoscalerManifest(spec),
    );
    if (created.status === 'refused') throw created.error;
    const { labels } = loadedDeployment(1).spec.template.metadata;
    const spec2 = { containers: [{ name: 'main', image: 'nginx' }] };
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web-1', namespace: 'default', labels },
      spec: spec2,
    };
    await this.#calm.create<Pod>('pods', pod);
  }

  async run(fate: (nth: number) => Fate): Promise<void> {
    this.crashing.fate = fate;
    for (let step = 0; step < STEPS; step++) {
      this.#stepsSinceCrash++;
      await this.#sync();
      if (this.#stepsSinceCrash === LATE_STEPS) await this.crashing.arrive();
      await this.#mirrorStatus();
      this.sizes.push((await this.#deployment()).spec?.replicas ?? 0);
      this.clock.advanceBy(STEP_MS);
    }
  }

  async #deployment(): Promise<Deployment> {
    return (await this.#calm.get<Deployment>(DEPLOYMENT)) as Deployment;
  }

  /** The Deployment's own controller. */
  async #mirrorStatus(): Promise<void> {
    const deployment = await this.#deployment();
    const replicas = deployment.spec?.replicas ?? 0;
    if (deployment.status?.replicas === replicas) return;
    const outcome = await this.#calm.update(
      'deployments.apps',
      { ...deployment, status: { replicas } },
      { subresource: 'status' },
    );
    if (outcome.status === 'refused') throw outcome.error;
  }

  async #sync(): Promise<void> {
    const nowMs = this.clock.now();
    const recordIntent = async (intent: Intent | undefined) => {
      this.#intent = intent;
      if (this.#intents++ === this.crashAtIntent) throw new Error('the store did not answer');
    };
    try {
      for (let attempt = 0; attempt < 2; attempt++) {
        const item = { failures: 0, ...(this.#intent && { intent: this.#intent }) };
        const { outcome } = await this.#guarded.sync(KEY, { nowMs, deadlineMs: nowMs + 30_000, item, recordIntent });
        if (outcome.status !== 'conflict') return;
      }
    } catch (error) {
      expect(String(error)).toContain('the store did not answer');
      this.#stepsSinceCrash = 0;
    }
  }
}

/** Every breach of the rates, the bounds and the window, as sentences. */
function breaches(sizes: readonly number[]): string[] {
  const wantedAt = (step: number) => WANTED.findLast(([from]) => from <= (step * STEP_MS) / 1_000)?.[1] ?? 0;
  return sizes.flatMap((size, step) => {
    // A rate counts from the size at the beginning of its period.
    const sizeBefore = (seconds: number) => sizes[Math.max(0, step - (seconds * 1_000) / STEP_MS)] ?? size;
    const last = sizes[step - 1] ?? size;
    const found: string[] = [];
    if (size < 2 || size > 20) found.push(`${size} at step ${step} is out of bounds`);
    if (size > last && size > sizeBefore(UP.seconds) + UP.pods) found.push(`too fast up at step ${step}`);
    if (size < last && size < sizeBefore(DOWN.seconds) - DOWN.pods) found.push(`too fast down at step ${step}`);
    const since = Math.max(0, step - (WINDOW_SECONDS * 1_000) / STEP_MS + 1);
    const highest = Math.max(...Array.from({ length: step - since + 1 }, (_, nth) => wantedAt(since + nth)));
    if (size < last && size < highest) found.push(`against the window at step ${step}`);
    return found;
  });
}

async function run(fate: (nth: number) => Fate, crashAtIntent = Number.POSITIVE_INFINITY) {
  const bench = new CrashBench();
  bench.crashAtIntent = crashAtIntent;
  await bench.start();
  await bench.run(fate);
  return { bench, sizes: bench.sizes, breaches: breaches(bench.sizes) };
}

describe('an autoscaler that is synced more often than it should be', () => {
  test('keeps within its bounds, its rates and its window', async () => {
    const { sizes, breaches: found } = await run(() => 'arrive');
    expect(found).toEqual([]);
    expect([Math.max(...sizes), sizes.at(-1)]).toEqual([17, 2]);
  });

  test.each(['lost', 'unanswered', 'late'] as const)(
    'keeps within them, whichever of its writes is %s',
    async (fate) => {
      const calm = await run(() => 'arrive');
      const { writes } = calm.bench.crashing;
      expect(writes).toBeGreaterThan(10);
      for (let crash = 0; crash < writes; crash++) {
        const { sizes, breaches: found } = await run((nth) => (nth === crash ? fate : 'arrive'));
        expect([crash, found, sizes.at(-1)]).toEqual([crash, [], 2]);
      }
    },
    120_000,
  );

  test('keeps within them, whichever record of its memory is the last thing that its worker does', async () => {
    const calm = await run(() => 'arrive');
    expect(calm.bench.intents).toBeGreaterThan(5);
    for (let crash = 0; crash < calm.bench.intents; crash++) {
      const { sizes, breaches: found } = await run(() => 'arrive', crash);
      expect([crash, found, sizes.at(-1)]).toEqual([crash, [], 2]);
    }
  }, 120_000);
});
